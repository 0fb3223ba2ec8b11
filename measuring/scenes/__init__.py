"""Photographs with known truth: loading them, comparing readings with them, the score sheet."""
