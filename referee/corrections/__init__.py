"""What people say against a reading: data over what was seen, replayed by pure code."""
