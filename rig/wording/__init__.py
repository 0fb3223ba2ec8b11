"""Every sentence that a person reads: `words/`, a file a language, and how facts are written."""
