"""What each card of the joined table is, as all photographs together have it.

For each of colour, face and side every view adds to the log-odds of every value: 0 for the one it
reads, for another what its doubt weighs, at most `MOST_DOUBTED` either way, and where it has no
doubt `PLAIN` against it. Views may err alike, so that two doubtful ones never make a sure one: what
is in doubt in one is settled only by another that has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from geometry.deck import Deck
from geometry.pose import Pose
from vision.reading import AnswerKind, AnswerOdds, Doubt
from vision.together.photographs import Member
from vision.together.sides import is_same_side, shows_the_same
from vision.together.told import Sight

PLAIN = 7.0
"""Log-odds against what a reading without a doubt does not say: one in a thousand, about the most
that confidences were found to hold (`trust.py`)."""
MOST_DOUBTED = 3.0
"""Log-odds that a doubtful look says at most, one way or the other."""
SETTLED = 6.0
"""Log-odds by which what is read leads, at least, where the doubt of one view is settled by others:
a card that one likely look says nothing of, and another plainly shows."""
Value = str | bool
Weights = Mapping[AnswerKind, Mapping[Value, float]]


@dataclass(frozen=True, slots=True)
class Look:
    """What a view says of a card: its name, how it lies, whether without a doubt, and what it may
    be instead, with log-odds.
    """

    colour: str
    face: str
    pose: Pose
    plain: bool
    rivals: Weights = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Open:
    """That a card may be something else: what, the log-odds of that (None: not weighed), and
    whether photographs that have no doubt differ.
    """

    card: int
    kind: AnswerKind
    rival: Value
    log_odds: float | None
    differ: bool


@dataclass(frozen=True, slots=True)
class Named:
    """A card as all photographs have it: its name, the pose whose side it is, what stays open."""

    id: int
    colour: str
    face: str
    pose: Pose
    open: tuple[Open, ...]


def named(card: int, sight: Sight, deck: Deck) -> Named:
    """A card of the joined table, and what of its name is still open."""
    looks = list(_looks(card, sight))
    colour, open_colour = _settled(card, "colour", looks, [one.colour for one in looks])
    face, open_face = _settled(card, "face", looks, [one.face for one in looks])
    alike = [one for one in looks if one.face == face] or looks
    first = next((one for one in alike if one.plain), alike[0])
    sides = [not _same(deck, str(face), first.pose, one.pose) for one in alike]
    turned, open_side = _settled(card, "side", alike, sides)
    pose = alike[sides.index(bool(turned))].pose if turned in sides else first.pose
    found = tuple(one for one in (open_colour, open_face, open_side) if one is not None)
    return Named(card, str(colour), str(face), pose, found)


def _same(deck: Deck, face: str, pose: Pose, other: Pose) -> bool:
    return is_same_side(pose, other) or shows_the_same(deck, face, pose, other)


def _looks(card: int, sight: Sight) -> Iterator[Look]:
    """What each view says of a card, of several photographs from one place those that differ."""
    seen: set[tuple[int, str, str, bool]] = set()
    for place, member in enumerate(sight.members):
        read = member.read.get(card)
        if read is None:
            continue
        key = (sight.views[place], read.colour, read.face, read.mirrored)
        if key in seen:
            continue
        seen.add(key)
        plain = sight.undoubted(place, card)
        rivals = {} if plain else _rivals(card, place, sight)
        yield Look(read.colour, read.face, member.poses[card], plain, rivals)


def _rivals(card: int, place: int, sight: Sight) -> Weights:
    """What the view of a photograph says a card may be instead."""
    out: dict[AnswerKind, dict[Value, float]] = {}
    for one in sight.told:
        if one.card != card or sight.view_of(one) != sight.views[place]:
            continue
        facts, kind = one.doubt.reason.facts, one.doubt.kind
        weighed = {odds.value: odds.log_odds for odds in one.doubt.odds}
        if kind in ("face", "colour") and "rival" in facts:
            rival = str(facts["rival"])
            about: AnswerKind = "face" if kind == "face" else "colour"
            out.setdefault(about, {})[rival] = weighed.get(rival, 0.0)
        elif kind == "face":
            other = [odds.log_odds for odds in one.doubt.odds if odds.log_odds != 0.0]
            out.setdefault("side", {})[True] = other[0] if other else 0.0
    return out


def _settled(
    card: int, kind: AnswerKind, looks: Sequence[Look], read: Sequence[Value]
) -> tuple[Value, Open | None]:
    """The likeliest value that a look reads, and what stays open of it: numbers of cards and rules
    settle readings as well, so that none is what a doubt alone weighs likelier.
    """
    values = dict.fromkeys(read)
    for look, own in zip(looks, read, strict=True):
        values.update(dict.fromkeys(_named_rivals(look, kind, own)))
    sums = {
        value: sum(_weight(one, kind, own, value) for one, own in zip(looks, read, strict=True))
        for value in values
    }
    best = max(dict.fromkeys(read), key=lambda value: sums[value])
    plainly = {own for one, own in zip(looks, read, strict=True) if one.plain}
    others = sorted((one for one in sums if one != best), key=lambda one: -sums[one])
    differ = len(plainly) > 1
    if not others or (not differ and best in plainly and sums[best] - sums[others[0]] >= SETTLED):
        return best, None
    rival = next((one for one in others if one in plainly), others[0]) if differ else others[0]
    asked = any(one.rivals.get(kind) for one in looks)
    return best, Open(card, kind, rival, sums[rival] - sums[best] if asked else None, differ)


def _named_rivals(look: Look, kind: AnswerKind, own: Value) -> Sequence[Value]:
    if kind == "side":
        return [not own] if look.rivals.get("side") else []
    return list(look.rivals.get(kind, {}))


def _weight(look: Look, kind: AnswerKind, own: Value, value: Value) -> float:
    """The log-odds of a value by one look."""
    if value == own:
        return 0.0
    if look.plain:
        return -PLAIN
    weighed = look.rivals.get(kind, {})
    odds = weighed.get(True if kind == "side" else value)
    if odds is None:
        return -MOST_DOUBTED if weighed else 0.0
    return max(-MOST_DOUBTED, min(MOST_DOUBTED, odds))


def agrees(card: Named, member: Member, deck: Deck) -> bool:
    """Whether a photograph has a card as the joined table has it."""
    read = member.read.get(card.id)
    if read is None or (read.colour, read.face) != (card.colour, card.face):
        return False
    return _same(deck, card.face, card.pose, member.poses[card.id])


def odds_of(found: Open, card: Named) -> tuple[AnswerOdds, ...]:
    """The odds of a doubt about it; none where nothing was weighed."""
    if found.log_odds is None:
        return ()
    own: dict[AnswerKind, str | bool] = {
        "colour": card.colour, "face": card.face, "side": card.pose.mirrored,
    }  # fmt: skip
    read = own[found.kind]
    rival = (not card.pose.mirrored) if found.kind == "side" else found.rival
    odds = min(found.log_odds, 0.0) if found.differ else found.log_odds
    return AnswerOdds(found.kind, read, 0.0), AnswerOdds(found.kind, rival, odds)


def with_odds(doubt: Doubt, found: Open, card: Named) -> Doubt:
    """The doubt with what all views together weigh."""
    return replace(doubt, odds=odds_of(found, card))
