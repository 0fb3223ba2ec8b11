"""Commands at the table: cameras, watching, serving."""
