"""How things stand, and who is told of it."""
