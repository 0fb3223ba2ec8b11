"""How far the score of a whole table carries, given where the cards truly lie."""
