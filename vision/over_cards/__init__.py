"""What lies over the cards: an arm, a cup, a napkin, in whose place no card can be read."""
