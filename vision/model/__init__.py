"""A table as it may lie, and how well it explains a photograph: one score for all of it."""
