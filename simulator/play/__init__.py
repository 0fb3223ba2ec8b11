"""Rounds played by the rules, and cards laid wrongly on purpose."""
