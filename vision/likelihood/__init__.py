"""How likely a picture is, given the cards that were read in it."""
