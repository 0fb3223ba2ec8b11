"""Photos in, read, corrected and shown."""
