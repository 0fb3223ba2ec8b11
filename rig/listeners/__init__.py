"""Telling other programs what happens: kept until each has heard it, and sent again until then."""
