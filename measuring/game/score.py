"""How well a game was followed: what was said of it against what is true."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Data = Mapping[str, Any]
Name = tuple[str, str]
_PLACED = ("laid", "moved", "corrected")


@dataclass(frozen=True, slots=True)
class GameScore:
    """One game. `laid`: cards laid in it, those taken back and laid again included; `named`: those
    named right in the picture they were laid in or before the next change, or corrected by the
    end. `silent`: cards with a wrong name, and wrong scores, in an end that was sure. `illegal`:
    cards laid illegally; `accused`: cards called illegal that are not. `sure`: both scores were,
    and `exact`: both were right.
    """

    laid: int
    at_once: int
    named: int
    silent: int
    illegal: int
    illegal_at_once: int
    illegal_by_end: int
    accused: int
    exact: bool
    sure: bool


@dataclass(frozen=True, slots=True)
class _Laying:
    """A card that was laid in picture `first`; the next change is in picture `next_first`."""

    name: Name
    illegal: bool
    first: int
    next_first: int
    stays: bool


def score_game(truth: Data, events: Sequence[Data]) -> GameScore:
    """Compare what `tacta follow --json` printed, an object a line, with a game's `game.json`.

    ValueError if the last object is no end.
    """
    *said, end = events
    if end.get("event") != "end":
        raise ValueError(f"expected an end as the last event, found {end.get('event')}")
    layings = list(_layings(truth))
    frames = {one["frame"]: at for at, one in enumerate(truth["events"])}
    names = _last_names(said, end)
    told = [_told(one, said, frames, names) for one in layings]
    known_at_end = [_name(card) for card in end["cards"]]
    named = [
        at_once or (one.name in known_at_end if one.stays else _ever(one.name, said, names))
        for one, (at_once, _) in zip(layings, told, strict=True)
    ]
    wrong = [one for one in layings if one.illegal]
    exact = _same(end["scores"], truth["scores"])
    exact_without = _same(end["scores_without_illegal"], truth["scores_without_illegal"])
    silent = int(end["sure"] and not exact)
    silent += int(end["sure_without_illegal"] and not exact_without)
    if end["sure"]:
        silent += len(_missing(known_at_end, [_name(card) for card in truth["cards"]]))
    return GameScore(
        laid=len(layings),
        at_once=sum(at_once for at_once, _ in told),
        named=sum(named),
        silent=silent,
        illegal=len(wrong),
        illegal_at_once=sum(
            accused for one, (_, accused) in zip(layings, told, strict=True) if one.illegal
        ),
        illegal_by_end=sum(_called_by_end(one, said, end, names) for one in wrong),
        accused=len(_accused(truth, layings, said, end, names)),
        exact=exact and exact_without,
        sure=bool(end["sure"] and end["sure_without_illegal"]),
    )


def _layings(truth: Data) -> Iterator[_Laying]:
    events = truth["events"]
    changes = [at for at, one in enumerate(events) if one["kind"] in ("placed", "taken_back")]
    for at, one in enumerate(events):
        if one["kind"] != "placed":
            continue
        after = min((k for k in changes if k > at), default=len(events))
        taken = {
            event["card"] for event in events[at + 1 : after + 1] if event["kind"] == "taken_back"
        }
        for card in (one, *one.get("also", ())):
            name = (card["colour"], card["face"])
            yield _Laying(name, bool(card["illegal"]), at, after, card["card"] not in taken)


def _told(
    one: _Laying, said: Sequence[Data], frames: Mapping[str, int], names: Mapping[int, Name]
) -> tuple[bool, bool]:
    """Whether the card was named, and called illegal, before the table changed again."""
    soon = [
        event
        for event in said
        if event["event"] in _PLACED and one.first <= frames[event["frame"]] < one.next_first
    ]
    named = any(_name(event["card"]) == one.name for event in soon)
    called = any(_is_illegal(event) and _is_of(event, one.name, names) for event in soon)
    return named, called


def _called_by_end(
    one: _Laying, said: Sequence[Data], end: Data, names: Mapping[int, Name]
) -> bool:
    if not one.stays:
        return any(_is_illegal(event) and _is_of(event, one.name, names) for event in said)
    of = {card["id"]: _name(card) for card in end["cards"]}
    return any(of.get(illegal["card"]) == one.name for illegal in end["illegal"])


def _accused(
    truth: Data, layings: Sequence[_Laying], said: Sequence[Data], end: Data,
    names: Mapping[int, Name],
) -> set[int]:  # fmt: skip
    """Ids of cards that were called illegal and never were; what is borderline may be called so."""
    cards = truth["cards"]
    allowed = {one.name for one in layings if one.illegal}
    allowed |= {_name(cards[k]) for k in (*truth["illegal"], *truth["borderline"])}
    called = {event["card"]["id"] for event in said if _is_illegal(event)}
    called |= {illegal["card"] for illegal in end["illegal"]}
    return {card for card in called if names.get(card) not in allowed}


def _ever(name: Name, said: Sequence[Data], names: Mapping[int, Name]) -> bool:
    return any(event["event"] in _PLACED and _is_of(event, name, names) for event in said)


def _is_illegal(event: Data) -> bool:
    return event["event"] in _PLACED and event["status"] == "illegal"


def _is_of(event: Data, name: Name, names: Mapping[int, Name]) -> bool:
    """Whether an event is of a card of this name, as it said then or as it turned out."""
    return name in (_name(event["card"]), names.get(event["card"]["id"]))


def _last_names(said: Sequence[Data], end: Data) -> dict[int, Name]:
    """What each card was called last, by id."""
    names = {event["card"]["id"]: _name(event["card"]) for event in said if event["card"]}
    return names | {card["id"]: _name(card) for card in end["cards"]}


def _name(card: Data) -> Name:
    return card["colour"], card["face"]


def _missing(names: Sequence[Name], of: Sequence[Name]) -> list[Name]:
    """Names that are not among others, each of which counts once."""
    left = list(of)
    out = []
    for name in names:
        if name in left:
            left.remove(name)
        else:
            out.append(name)
    return out


def _same(scores: Mapping[str, int], others: Mapping[str, int]) -> bool:
    colours = {*scores, *others}
    return all(scores.get(one, 0) == others.get(one, 0) for one in colours)
