"""What could be wrong, where to look, and what it would change."""
