"""How the cards on one table are printed, learned from the picture; the deck file is where it
begins.
"""
