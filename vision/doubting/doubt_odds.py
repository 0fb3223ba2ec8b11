"""What each doubt about a card may turn out to be, weighed by the likelihood of the picture."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from vision.doubting.doubt_context import DoubtContext
from vision.likelihood.config import LikelihoodConfig
from vision.likelihood.drawing import Guesses
from vision.likelihood.odds import guess_odds, odds_of
from vision.likelihood.picture import MARKS_EVERY, Picture
from vision.reading import AnswerKind, AnswerOdds, Doubt

NO_ALTERNATIVE = ("height-unsure",)
"""Codes of doubts of kind `card` that are not about whether it is there."""


def with_odds(scene: DoubtContext, doubts: Iterable[Doubt]) -> tuple[Doubt, ...]:
    """The doubts, with the log-odds of their answers where the picture can tell and there is time.

    It takes none where no doubt is about what a card is of which enough shows, whether it is there
    or what it lies on.
    """
    doubts, config = tuple(doubts), LikelihoodConfig()
    shows = scene.table.visible.sum(axis=1) >= config.fewest_places * MARKS_EVERY
    able = (doubt for doubt in doubts if _can_be_weighed(doubt) and not _starts(scene, doubt))
    if not any(shows[doubt.card] for doubt in able) or scene.evidence.pace.is_over:
        return doubts
    return tuple(weighed(scene.picture, doubt) for doubt in doubts)


def weighed(picture: Picture, doubt: Doubt) -> Doubt:
    """The doubt with the log-odds of what was read and of what may be instead; without where too
    little shows, or something else is in doubt.
    """
    if doubt.card not in picture.judged or not _can_be_weighed(doubt):
        return doubt
    ask = {"face": _faces, "colour": _colours, "order": _orders}.get(doubt.kind, _presence)
    return replace(doubt, odds=ask(picture, doubt.card, doubt))


def _starts(scene: DoubtContext, doubt: Doubt) -> bool:
    """Whether it is about a starting card being there, of which no deck says what it looks like."""
    table = scene.table
    return doubt.kind == "card" and bool(table.named.rows[doubt.card] >= table.templates.start_row)


def _can_be_weighed(doubt: Doubt) -> bool:
    of_a_card = doubt.kind in ("face", "colour", "order", "card") and doubt.card is not None
    return of_a_card and doubt.reason.code not in NO_ALTERNATIVE


def _faces(picture: Picture, i: int, doubt: Doubt) -> tuple[AnswerOdds, ...]:
    """Another face or side, lying either way; where another card of the colour has the face, the
    two exchange theirs.
    """
    own, faces = int(picture.cards.rows[i]), picture.templates.faces
    if doubt.reason.code == "side-unclear":
        return _both("side", bool(own % 2), not own % 2, _likeliest(picture, i, (own ^ 1,)))
    name = str(doubt.reason.facts["rival"])
    rival = faces.index(name)
    odds = _likeliest(picture, i, _sides(rival))
    for holder in _holders(picture, i, rival):
        if holder not in picture.judged:
            return ()
        odds += _likeliest(picture, holder, _sides(own // 2))
    return _both("face", faces[own // 2], name, odds)


def _sides(face: int) -> tuple[int, int]:
    return 2 * face, 2 * face + 1


def _likeliest(picture: Picture, i: int, rows: tuple[int, ...]) -> float:
    """The log-odds of the likeliest of some rows, either way round."""
    cards = picture.cards
    some = np.array([cards.rows[i], *rows, *rows], np.int64)
    turned = np.arange(len(some)) > len(rows)
    return float(guess_odds(picture, i, Guesses(some, turned, int(cards.colour[i])))[1:].max())


def _holders(picture: Picture, i: int, face: int) -> list[int]:
    """The first other card of card i's colour that has a face, if one does."""
    cards = picture.cards
    same = (cards.colour == cards.colour[i]) & (cards.rows // 2 == face)
    same[i] = False
    return [int(k) for k in np.flatnonzero(same)[:1]]


def _colours(picture: Picture, i: int, _doubt: Doubt) -> tuple[AnswerOdds, ...]:
    names = picture.templates.colours
    read = AnswerOdds("colour", names[int(picture.cards.colour[i])], 0.0)
    others = odds_of(picture, i, "colour")
    return (read, *(AnswerOdds("colour", names[a.other], a.log_odds) for a in others))


def _orders(picture: Picture, i: int, _doubt: Doubt) -> tuple[AnswerOdds, ...]:
    """The card on top of each that it lies on, or that one on top of it."""
    others = odds_of(picture, i, "order")
    read = AnswerOdds("over", i, 0.0)
    return (read, *(AnswerOdds("over", a.other, a.log_odds) for a in others))


def _presence(picture: Picture, i: int, _doubt: Doubt) -> tuple[AnswerOdds, ...]:
    absent = odds_of(picture, i, "absent")
    return _both("there", True, False, absent[0].log_odds) if absent else ()


def _both(
    kind: AnswerKind, read: str | int | bool, other: str | int | bool, log_odds: float
) -> tuple[AnswerOdds, ...]:
    return AnswerOdds(kind, read, 0.0), AnswerOdds(kind, other, log_odds)
