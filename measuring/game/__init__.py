"""Whole simulated games, followed as `tacta follow` does, and how well that went."""
