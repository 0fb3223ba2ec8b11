"""Which face, side and colour a card has, and every witness that is heard on it."""
