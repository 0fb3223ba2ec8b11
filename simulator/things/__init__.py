"""What lies on a table beside the cards: things, other games, rulebooks."""
