"""The simulated camera: where it stands, what it sees, and what its sensor makes of it."""
