"""What commands leave with."""

GOOD = 0
"""Done; of a reading: sure."""
BAD = 1
"""Not done: a photo that could not be read, a camera that is gone, nothing saved."""
USAGE = 2
LOOK = 3
"""Done, but a person should look."""
