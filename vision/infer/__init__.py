"""How a table that explains a photograph better is found: moves, and what each gains."""
