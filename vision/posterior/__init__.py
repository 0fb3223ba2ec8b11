"""What leaves the reading on one score: millimetres, names, and what else it may be."""
