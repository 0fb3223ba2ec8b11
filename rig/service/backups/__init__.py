"""Backups, and photos that rot on the disk."""
