"""What is said of a table on which no player's card lies."""

from vision.reading import Reading
from vision.reason import Reason


def bare_reason(reading: Reading) -> Reason | None:
    """That no card lies on the table, or the starting card alone; None where players' cards do."""
    if not reading.cards:
        return Reason("no-card-lies")
    if reading.scores:
        return None
    return Reason("start-alone")
