"""Why a correction is refused."""

from __future__ import annotations

from rig.trouble import Trouble


class CorrectionRefused(Trouble):
    """A correction that does not fit the table as it is now."""

    key = "correction-refused"


class CardGone(CorrectionRefused):
    """There is no such card on the table (any more)."""

    key = "card-gone"


class DoubtGone(CorrectionRefused):
    """There is no such doubt (any more)."""

    key = "doubt-gone"


class AnswerUnknown(CorrectionRefused):
    """The doubt is there, but has no such answer."""

    key = "answer-unknown"


class NotInDeck(CorrectionRefused):
    """The deck has no such colour or face, or not together."""

    key = "not-in-deck"


class NotNeighbours(CorrectionRefused):
    """Two cards that do not overlap have no order."""

    key = "not-neighbours"


class NothingToChange(CorrectionRefused):
    """The table is like that already."""

    key = "nothing-to-change"


class OffPicture(CorrectionRefused):
    """A place so far off the table that it cannot be meant."""

    key = "off-picture"
