"""Setting the rig up: checks, the deck, the lens."""
