"""Every sentence that a person reads about what was seen: English and French side by side."""
