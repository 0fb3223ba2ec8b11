"""Why a correction is refused."""

from referee.misfit import Misfit


class CorrectionRefused(Misfit, key="correction-refused"):
    """A correction that does not fit the table as it is now."""


class CardGone(CorrectionRefused, key="card-gone"):
    """There is no such card on the table (any more)."""


class DoubtGone(CorrectionRefused, key="doubt-gone"):
    """There is no such doubt (any more)."""


class AnswerUnknown(CorrectionRefused, key="answer-unknown"):
    """The doubt is there, but has no such answer."""


class NotInDeck(CorrectionRefused, key="not-in-deck"):
    """The deck has no such colour or face, or not together."""


class NotNeighbours(CorrectionRefused, key="not-neighbours"):
    """Two cards that do not overlap have no order."""


class NothingToChange(CorrectionRefused, key="nothing-to-change"):
    """The table is like that already."""


class OffPicture(CorrectionRefused, key="off-picture"):
    """A place so far off the table that it cannot be meant."""
