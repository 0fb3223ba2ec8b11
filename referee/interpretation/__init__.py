"""What a reading says once it is held against the known table and the order of turns."""
