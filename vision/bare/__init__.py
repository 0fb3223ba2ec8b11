"""Tables with nothing but the starting card on them, and empty ones."""
