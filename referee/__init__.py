"""Follows a game card by card: from one reading of the table to the next, to what happened."""
