"""Which of two cards lies on top, and the order of all."""
