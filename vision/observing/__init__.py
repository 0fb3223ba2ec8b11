"""What pixels look like before any card is known: white, marks and dots."""
