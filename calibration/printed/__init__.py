"""The sheets to print, in exact millimetres."""
