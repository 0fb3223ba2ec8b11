"""A followed game as a file that other programs can replay, and as pictures to step through."""
