"""How right a reading is: scores, cards, order, verdicts and doubts against the truth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from geometry.layout import Layout
from geometry.pose import PointsMm
from geometry.score import scores
from geometry.showing import over, visible_dots
from geometry.verdict import judge
from measuring.scenes.matching import Match, match_cards
from measuring.scenes.true_reading import true_reading
from measuring.scenes.truth import Truth
from vision.doubting.over_doubts import OVER_CARDS
from vision.reading import Reading

Outcome = Literal["named", "misnamed", "doubted", "missed"]

_OVER_MM = 1.0
_BESIDE_MM = 20.0
_SIZE_MM = 60.0
"""Half the size of a thing whose outline a truth does not say."""
_BARELY_MM = (0.5, 1.5)
"""Between these depths an overlap may be told or not: the contract's 1 mm has two sides."""


@dataclass(frozen=True, slots=True)
class ScoreCheck:
    """One of the two scores: whether it is right, and whether it was called sure.

    `open`: a borderline card that would change it lies on the table, so that
    nobody can be sure. `covered`: something lies over the cards, so that nobody may be sure.
    """

    exact: bool
    sure: bool
    open: bool = False
    covered: bool = False

    @property
    def good(self) -> bool:
        """Right, and as sure as anybody can be."""
        if self.covered:
            return not self.sure
        return self.exact and (self.sure or self.open)

    @property
    def silent(self) -> bool:
        """A wrong score called sure, or one of cards that something hides: the worst thing that
        can happen.
        """
        return self.sure and (self.covered or not self.exact)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What was right in one reading.

    `verdicts`: for each truly illegal card its rule and what became of it.
    `accused`: the rules that were named of legal cards. `over_told`: whether a doubt about the
    table names the place of what lies over the cards; None where nothing does. `needless`: doubts
    that could change a score, though both scores and what they are about are right.
    """

    as_it_lies: ScoreCheck
    without_illegal: ScoreCheck
    cards: int
    matches: tuple[Match, ...]
    invented: int
    pairs: int
    pairs_right: int
    verdicts: tuple[tuple[str, Outcome], ...]
    accused: tuple[str, ...]
    legal: int
    legal_doubted: int
    needless: int
    over_told: bool | None = None
    over_falsely_told: bool = False
    """Whether something is said to lie over cards over which nothing lies."""

    @property
    def named(self) -> int:
        """Cards found with the right colour, face and side."""
        return sum(match.named and match.side_right for match in self.matches)


def compare(reading: Reading, truth: Truth) -> Comparison:
    """Compare a reading with the truth of its scene."""
    matches = match_cards(reading, truth)
    illegal, borderline = _judged(reading, truth)
    read_of = {match.true: match.read for match in matches}
    true_of = {match.read: match.true for match in matches}
    doubted = {doubt.card for doubt in reading.doubts if doubt.kind == "verdict"}
    legal = {card.id for card in truth.layout.cards} - set(illegal) - borderline
    covered = truth.over_px is not None
    as_it_lies = ScoreCheck(
        dict(reading.scores) == dict(truth.scores), reading.sure, covered=covered
    )
    without_illegal = ScoreCheck(
        dict(reading.scores_without_illegal)
        == _announced(truth, reading, illegal, borderline, true_of),
        reading.sure_without_illegal,
        open=not true_reading(truth).sure_without_illegal,
        covered=covered,
    )
    pairs, pairs_right = _order(reading, truth, true_of)
    return Comparison(
        as_it_lies=as_it_lies,
        without_illegal=without_illegal,
        cards=len(truth.layout.cards),
        matches=tuple(matches),
        invented=len(reading.cards) - len(matches),
        pairs=pairs,
        pairs_right=pairs_right,
        verdicts=tuple(
            (rule, _outcome(rule, read_of.get(card), reading)) for card, rule in illegal.items()
        ),
        accused=tuple(
            item.rule
            for item in reading.illegal
            if item.card not in true_of or true_of[item.card] in legal
        ),
        legal=len(legal),
        legal_doubted=sum(read_of.get(card) in doubted for card in legal if card in read_of),
        needless=_needless(
            reading,
            true_of,
            borderline,
            as_it_lies.exact and without_illegal.exact and not covered,
        ),
        over_told=_over_told(reading, truth) if covered else None,
        over_falsely_told=not covered
        and any(doubt.reason.code == OVER_CARDS for doubt in reading.doubts),
    )


def _judged(reading: Reading, truth: Truth) -> tuple[Mapping[int, str], frozenset[int]]:
    """The illegal cards with their rules, and the borderline ones.

    A reading that does not know the play area cannot know what reaches past
    its edge, and is measured by a truth that does not either.
    """
    if reading.play_area_mm is not None or truth.layout.play_area_mm is None:
        return truth.illegal, truth.borderline
    verdicts = judge(Layout(truth.layout.deck, truth.layout.cards, None), truth.rules)
    illegal = {v.card: str(v.rule) for v in verdicts.values() if v.status == "illegal"}
    borderline = frozenset(v.card for v in verdicts.values() if v.status == "borderline")
    return illegal, borderline


def _announced(
    truth: Truth,
    reading: Reading,
    illegal: Mapping[int, str],
    borderline: frozenset[int],
    true_of: Mapping[int, int],
) -> dict[str, int]:
    """The score of E2, where a borderline card counts as what the reading called it."""
    called_illegal = {true_of[item.card] for item in reading.illegal if item.card in true_of}
    left = truth.layout.without({*illegal, *(borderline & called_illegal)})
    points = scores(left, visible_dots(left))
    return {name: points.get(name, 0) for name in truth.scores}


def _order(reading: Reading, truth: Truth, true_of: Mapping[int, int]) -> tuple[int, int]:
    """How many pairs of cards overlap, and for how many the reading says which lies on top.

    A pair that the reading invents, or has upside down, counts as one more that is wrong.
    """
    true, surely, barely = (
        _pairs(over(truth.layout, mm)) for mm in (_OVER_MM, _BARELY_MM[1], _BARELY_MM[0])
    )
    read = {
        (true_of[card.id], true_of[lower])
        for card in reading.cards
        for lower in card.over
        if card.id in true_of and lower in true_of
    }
    right = sum(pair in read or (pair not in surely and pair[::-1] not in read) for pair in true)
    invented = sum(pair not in barely and pair[::-1] not in true for pair in read)
    return len(true) + invented, right


def _pairs(below: Mapping[int, tuple[int, ...]]) -> set[tuple[int, int]]:
    return {(upper, lower) for upper, lowers in below.items() for lower in lowers}


def _outcome(rule: str, read: int | None, reading: Reading) -> Outcome:
    for item in reading.illegal:
        if item.card == read:
            return "named" if item.rule == rule else "misnamed"
    doubts = [doubt for doubt in reading.doubts if doubt.card == read and doubt.card is not None]
    return "doubted" if any(doubt.kind == "verdict" for doubt in doubts) else "missed"


def _over_told(reading: Reading, truth: Truth) -> bool:
    """Whether a doubt about the table points at what lies over the cards, or close beside it."""
    return any(
        doubt.kind == "table" and _away_px(doubt.at_px, truth) <= _BESIDE_MM * _scale(truth)
        for doubt in reading.doubts
    )


def _away_px(at_px: tuple[float, float], truth: Truth) -> float:
    """Pixels from a point to the thing; to its middle, less its size, where no outline is known."""
    parts = [part.astype(np.float32) for part in truth.over_outlines_px]
    if parts:
        return max(0.0, -max(cv2.pointPolygonTest(part, at_px, True) for part in parts))
    middle = np.array(truth.over_px if truth.over_px is not None else at_px)
    return max(0.0, float(np.hypot(*(middle - at_px))) - _SIZE_MM * _scale(truth))


def _scale(truth: Truth) -> float:
    """Pixels per mm in the middle of the cards."""
    middle = np.mean([[card.pose.x_mm, card.pose.y_mm] for card in truth.layout.cards], axis=0)
    ends = truth.camera.to_px(PointsMm(np.array([middle - [20.0, 0.0], middle + [20.0, 0.0]])))
    return float(np.hypot(*(ends[1] - ends[0]))) / 40.0


def _needless(
    reading: Reading, true_of: Mapping[int, int], borderline: frozenset[int], exact: bool
) -> int:
    if not exact:
        return 0
    return sum(
        doubt.matters
        and not (
            doubt.kind == "verdict"
            and doubt.card is not None
            and true_of.get(doubt.card) in borderline
        )
        for doubt in reading.doubts
    )
