"""A photograph's bytes: header, pixels, damage, what it tells of its lens and of its taker."""
