"""How high cards lie, by what they touch, how large they look and how well they then lie."""
