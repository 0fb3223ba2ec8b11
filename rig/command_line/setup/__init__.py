"""Commands that set the rig up: lens, decks, sheets, checks."""
