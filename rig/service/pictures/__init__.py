"""Photos decoded for the page, in processes that can be killed."""
