"""Where the table lies, whether it has moved, and where to hang a camera."""
