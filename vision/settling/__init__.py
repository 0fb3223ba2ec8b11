"""What pixels leave open, settled by what holds for a whole table: numbers, and the rules."""
