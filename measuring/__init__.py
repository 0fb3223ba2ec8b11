"""What measures the reader and lists what the program is built of: no part of what is installed."""
