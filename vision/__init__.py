"""Pixels to a layout: find, name and order the cards, count dots, say how sure."""
