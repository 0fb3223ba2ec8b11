"""Reading a printing of the game from photographs of its cards laid side by side."""
