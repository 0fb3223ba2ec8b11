"""What each place of a photograph looks like, in features that a veil leaves as they are."""
