"""What the program is built of: a bill of materials and third-party notices, by one command."""
