"""Where frames, corrections, rounds and phones are kept: SQLite, and photos as files beside it."""
