"""What is played: a game followed from reading to reading, corrections, rounds. Values alone."""
