"""Commands that read photographs, or draw them."""
