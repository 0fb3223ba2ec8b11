"""The only part that touches cameras, disk, network and time."""
