"""How accurate the reading is, by condition: measured on simulated scenes, written as a page."""
