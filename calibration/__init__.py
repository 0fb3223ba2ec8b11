"""Lens, table, colours and decks: fits, how good each fit is, and the sheets to print."""
