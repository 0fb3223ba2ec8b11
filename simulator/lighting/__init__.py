"""Light on the table, and what it does to what is seen."""
