"""Tables to play on, and the flat things that lie on them."""
