"""How long a reading takes and how much memory, measured in decodes of the same JPEG."""
