"""From what the pixels said to a scored reading: pure, and the same for a corrected table.

Judges and scores the layout with geometry's code, says what is wrong with the
illegal placements, and turns into doubts those that are borderline, or too near a limit for how
exactly their places are known. These say what they could change, by taking the card off and
counting again.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, replace

import numpy as np

from geometry.chances import Chances, placement_chances
from geometry.layout import Layout
from geometry.rules import Rules, Tolerance
from geometry.score import score_round, stake
from geometry.showing import over, visible_dots
from geometry.verdict import Status, Verdict, judge
from vision.reading import (
    AnswerOdds,
    Corners,
    Doubt,
    Illegal,
    ReadCard,
    Reading,
    SeenCard,
    SeenTable,
)
from vision.reason import CardName, Reason
from vision.sureness import doubted_as_it_lies, doubted_without_illegal

Verdicts = Mapping[int, Verdict]
MEASURED_TO_MM, MEASURED_TO_DEG = 0.23, 0.15
"""How exactly two cards are measured against each other: in 19 of 20 pairs of hard pictures to 0.23
mm and 0.1 degrees, in the median to 0.09 and 0.03, and in 999 of 1000 to less than 0.75 mm, so that
what is illegal is not read as fine. A card read so little past what is fine may be called fine: it
is, or is borderline, which may be called either way, and nobody could see which.
"""


ACCUSED = 0.95
"""So probable it is at least that a card is illegal that is called so: of a borderline one a person
is asked (K3). What is wrong by more than half a millimetre is, by how exactly cards are seen."""
MISTAKEN = 0.002
"""So improbable it is that a card is legal that is called illegal, or the other way about. Not
fitted: with 0.001, 4 legal cards of 23 photographed prints were asked about, with this one."""
ASKED = 0.975
"""So probable it is that a card is past what is fine, where nothing but that is asked: as it is at
`MEASURED_TO_MM`, by how exactly most cards are seen."""
COUNTED_LEGAL = 48 / 49
"""Of borderline placements, as decision 16 counts them."""
LEAST_ODDS = 1e-4


def assemble(seen: SeenTable, rules: Rules, *, measured: bool = True) -> Reading:
    """Judge and score a seen table.

    Where cards lie that were `measured` in a picture is as uncertain as each says, else by
    `MEASURED_TO_MM` and `MEASURED_TO_DEG`: a placement is a question of its own only where it is
    further than that past what is fine, or may be on the other side of a limit.
    `sure` is false where a doubt could change `scores`. A doubt that could,
    and says nothing about the score of E2, is counted against that one too.
    ValueError if the seen cards are not exactly the layout's.
    """
    layout = seen.layout
    cards = _seen_by_id(seen)
    chances = _chances(seen, rules) if measured else {}
    verdicts = _judged(layout, rules, measured, chances)
    score = score_round(layout, verdicts)
    doubts = (*seen.doubts, *_verdict_doubts(seen, verdicts, chances, rules))
    return Reading(
        deck=layout.deck.name,
        scores=score.as_it_lies,
        sure=not doubted_as_it_lies(doubts),
        scores_without_illegal=score.without_illegal,
        sure_without_illegal=not doubted_without_illegal(doubts),
        play_area_mm=layout.play_area_mm,
        scale_px_per_mm=seen.scale_px_per_mm,
        cards=_read_cards(layout, verdicts, cards),
        illegal=_illegal(layout, verdicts, rules),
        doubts=doubts,
        seen=seen,
    )


def _chances(seen: SeenTable, rules: Rules) -> Mapping[int, Chances]:
    """How probable each verdict is on the cards of which it is said how exactly they are seen."""
    spreads = {card.id: card.spread for card in seen.cards if card.spread is not None}
    if not spreads:
        return {}
    found = placement_chances(seen.layout, spreads, rules)
    return {card: found[card] for card in spreads}


def _judged(
    layout: Layout, rules: Rules, measured: bool, chances: Mapping[int, Chances] | None = None
) -> Verdicts:
    """The verdicts, those on a `measured` table with more allowed by what that may add.

    Where more is allowed, no more is said than of what was borderline with less.
    """
    verdicts = judge(layout, rules)
    if not measured:
        return verdicts
    told = {i: _by_chance(verdicts[i], one) for i, one in (chances or {}).items()}
    open_ = [i for i, one in verdicts.items() if one.status == "borderline" and i not in told]
    return {**verdicts, **judge(layout, _allowing_for_error(rules), open_), **told}


def _by_chance(verdict: Verdict, chances: Chances) -> Verdict:
    """The verdict as it may be told: illegal or fine where that is sure enough, else borderline."""
    if chances.broken >= ACCUSED and chances.fine < MISTAKEN and verdict.status == "illegal":
        return verdict
    fine = chances.lenient if verdict.status in ("borderline", "illegal") else verdict
    if chances.broken < MISTAKEN and 1 - chances.fine < ASKED and fine.rule is None:
        return fine
    told = verdict if verdict.rule is not None else chances.strict
    return replace(told, status="borderline") if told.rule is not None else verdict


def _allowing_for_error(rules: Rules) -> Rules:
    """The rules with more allowed by what measuring may add; what is illegal stays so."""
    limits = rules.tolerance
    eased = replace(
        limits,
        legal_mm=min(limits.legal_mm + MEASURED_TO_MM, limits.illegal_mm),
        legal_deg=min(limits.legal_deg + MEASURED_TO_DEG, limits.illegal_deg),
    )
    return replace(rules, tolerance=eased)


def middle_px(outline_px: Corners) -> tuple[float, float]:
    """Where the card's middle lies in the picture: the crossing of the outline's diagonals."""
    a, b, c, d = (np.array([x, y, 1.0]) for x, y in outline_px)
    crossing = np.cross(np.cross(a, c), np.cross(b, d))
    if abs(crossing[2]) < 1e-9:  # a card seen edge on has no crossing
        x, y = np.mean(np.array(outline_px), axis=0)
        return float(x), float(y)
    return float(crossing[0] / crossing[2]), float(crossing[1] / crossing[2])


def _seen_by_id(seen: SeenTable) -> dict[int, SeenCard]:
    by_id = {card.id: card for card in seen.cards}
    laid = sorted(card.id for card in seen.layout.cards)
    if laid != sorted(card.id for card in seen.cards):
        raise ValueError(f"expected the layout's cards {laid}, found {sorted(by_id)} seen")
    return by_id


def _with_status(verdicts: Verdicts, status: Status) -> list[Verdict]:
    return [verdict for verdict in verdicts.values() if verdict.status == status]


def _illegal(layout: Layout, verdicts: Verdicts, rules: Rules) -> tuple[Illegal, ...]:
    return tuple(
        Illegal(
            card=verdict.card,
            rule=str(verdict.rule),
            on=verdict.on,
            offset_mm=verdict.offset_mm,
            offset_deg=verdict.offset_deg,
            reason=placement_reason(verdict, layout, rules.tolerance),
        )
        for verdict in _with_status(verdicts, "illegal")
    )


def placement_reason(verdict: Verdict, layout: Layout, limits: Tolerance) -> Reason:
    """What is wrong, or may be, with a placement; the code is the rule's name, of `misaligned` with
    the measures that are past their limits.

    ValueError if the verdict names no rule.
    """
    if verdict.rule is None:
        raise ValueError(f"card {verdict.card} breaks no rule")
    mm, deg = verdict.offset_mm or 0.0, verdict.offset_deg or 0.0
    code: str = verdict.rule
    if code == "misaligned":
        code += _measures(mm, deg, limits)
    if verdict.status == "borderline":
        code += "-borderline"
    named = (_name(card, layout) for card in (verdict.card, *verdict.on))
    facts = {"offset_mm": mm, "offset_deg": deg, **asdict(limits)}
    return Reason(code, {"card": next(named), "on": tuple(named), **facts})


def _measures(mm: float, deg: float, limits: Tolerance) -> str:
    """Which measures are past their limits, or nearest to it where neither is: mm, if not said."""
    if mm <= limits.legal_mm and deg <= limits.legal_deg:
        return "-deg" if deg * limits.legal_mm > mm * limits.legal_deg else ""
    if deg <= limits.legal_deg:
        return ""
    return "-both" if mm > limits.legal_mm else "-deg"


def _name(card_id: int, layout: Layout) -> CardName:
    card = layout.card(card_id)
    if card.face == layout.deck.starting_face.id:
        return CardName()
    return CardName(card.colour, card.face)


def _verdict_doubts(
    seen: SeenTable, verdicts: Verdicts, chances: Mapping[int, Chances], rules: Rules
) -> tuple[Doubt, ...]:
    illegal = {verdict.card for verdict in _with_status(verdicts, "illegal")}
    borderline = {verdict.card for verdict in _with_status(verdicts, "borderline")}
    layout, cards = seen.layout, _seen_by_id(seen)
    return tuple(
        Doubt(
            kind="verdict",
            card=verdict.card,
            at_px=middle_px(cards[verdict.card].outline_px),
            reason=placement_reason(verdict, layout, rules.tolerance),
            changes_scores_without_illegal_by=stake(layout, verdict.card, illegal, borderline),
            offset_mm=verdict.offset_mm,
            offset_deg=verdict.offset_deg,
            odds=_odds(chances[verdict.card]) if verdict.card in chances else (),
        )
        for verdict in _with_status(verdicts, "borderline")
    )


def _odds(chances: Chances) -> tuple[AnswerOdds, ...]:
    """That a placement is legal, and that it is not: a borderline one is mostly called legal."""
    legal = chances.fine + COUNTED_LEGAL * chances.borderline
    against = math.log(max(1 - legal, LEAST_ODDS) / max(legal, LEAST_ODDS))
    return AnswerOdds("legal", True, 0.0), AnswerOdds("legal", False, against)


def _read_cards(
    layout: Layout, verdicts: Verdicts, cards: Mapping[int, SeenCard]
) -> tuple[ReadCard, ...]:
    below = over(layout)
    dots = visible_dots(layout)
    return tuple(
        ReadCard(
            id=card.id,
            colour=card.colour,
            face=card.face,
            mirrored=card.pose.mirrored,
            x_mm=card.pose.x_mm,
            y_mm=card.pose.y_mm,
            angle_deg=card.pose.angle_deg % 360,
            outline_px=cards[card.id].outline_px,
            over=below[card.id],
            free=verdicts[card.id].status == "free",
            visible_dots=sum(dots[card.id]),
            hidden_dots=len(dots[card.id]) - sum(dots[card.id]),
            confidence=cards[card.id].confidence,
        )
        for card in layout.cards
    )
