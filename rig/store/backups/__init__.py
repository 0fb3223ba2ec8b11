"""Backups: written, checked as something foreign, unpacked, merged, and restored."""
