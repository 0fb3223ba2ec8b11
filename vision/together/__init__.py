"""Several readings of one table, brought together by their common cards, and joined into one."""
