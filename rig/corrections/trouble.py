"""Why a correction is refused."""

from __future__ import annotations

from rig.trouble import Trouble


class CorrectionRefused(Trouble):
    """A correction that does not fit the table as it is now."""

    key = "correction-refused"


class CardGone(CorrectionRefused):
    """There is no such card on the table (any more)."""

    key = "card-gone"
    sentence = "Card {card} is no longer on the table."


class DoubtGone(CorrectionRefused):
    """There is no such doubt (any more)."""

    key = "doubt-gone"
    sentence = "That doubt has already been settled, or never existed."


class AnswerUnknown(CorrectionRefused):
    """The doubt is there, but has no such answer."""

    key = "answer-unknown"
    sentence = "That doubt has no such answer: choose one of those it offers."


class NotInDeck(CorrectionRefused):
    """The deck has no such colour or face, or not together."""

    key = "not-in-deck"
    sentence = "The deck has no {colour} {face:face}."


class NotNeighbours(CorrectionRefused):
    """Two cards that do not overlap have no order."""

    key = "not-neighbours"
    sentence = "Cards {card} and {other} do not overlap, so neither is on top of the other."


class NothingToChange(CorrectionRefused):
    """The table is like that already."""

    key = "nothing-to-change"
    sentence = "Card {card} already reads like that."


class OffPicture(CorrectionRefused):
    """A place so far off the table that it cannot be meant."""

    key = "off-picture"
    sentence = "That place is outside the picture."
