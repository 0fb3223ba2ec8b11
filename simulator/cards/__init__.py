"""Cards as a printing draws, inks and wears them."""
