"""Millimetres only: cards, decks, layouts, what shows, what is legal, what counts.

Pure: values in, values out. Imports none of the project's other packages, no
OpenCV, no clock, and no files but the decks it ships.
"""
