"""Rounds and matches: who plays, by which rules, what should lie on the table, who has won."""
