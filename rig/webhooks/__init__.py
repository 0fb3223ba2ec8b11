"""Telling other programs what happened: kept until each has heard it, signed, and sent again."""
