"""Where cards may lie: proposals, which only suggest. What accepts is the score alone."""
