"""A lens from photographs of a board, with how good it is."""
