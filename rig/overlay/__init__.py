"""The photo with what was read drawn on it."""
