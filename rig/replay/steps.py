"""A game step by step: what is said at each, and what stands beside the picture."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from geometry.layout import Layout
from geometry.pose import Pose
from geometry.score import scores
from geometry.showing import visible_dots
from referee.events import Event, PlacementStatus
from referee.known_table import KnownCard, KnownTable
from referee.said import reason_of
from rig.replay.record import GameRecord, RecordedEvent, last_table, tables
from rig.wording.catalogue import sentence
from vision.reason import Reason

Sign = PlacementStatus | Literal["end"] | None
_NOWHERE = ((0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0))


@dataclass(frozen=True, slots=True)
class Step:
    """One picture of a replay. `event`: None of the last, which is what the table came to.

    `said`: the sentence; `sign`: what it says of the placement. `card`: the id of the card it is
    about. `scores`: dots by colour, in the deck's order, of all colours of the game.
    """

    number: int
    event: RecordedEvent | None
    table: Layout
    scores: Mapping[str, int]
    said: str
    sign: Sign
    card: int | None


def steps_of(game: GameRecord, language: str = "en") -> tuple[Step, ...]:
    """All steps of a game, in this language; none of a game without events and end."""
    colours = _colours(game)
    found = [
        _step(game, number, event, table, colours, language)
        for number, (event, table) in enumerate(zip(game.events, tables(game), strict=True), 1)
    ]
    if game.end is not None:
        counted = {name: game.end.scores_without_illegal.get(name, 0) for name in colours}
        code = "replay-final-sure" if game.end.sure_without_illegal else "replay-final-unsure"
        said = sentence(Reason(code), language)
        found.append(Step(len(found) + 1, None, last_table(game), counted, said, "end", None))
    return tuple(found)


def _step(
    game: GameRecord, number: int, event: RecordedEvent, table: Layout,
    colours: tuple[str, ...], language: str,
) -> Step:  # fmt: skip
    counted = event.scores or scores(table, visible_dots(table))
    said = sentence(_reason(game, event, table), language)
    if not event.sure:
        said = f"{said} ({sentence(Reason('event-unsure'), language)})"
    if event.card is not None and event.status == "illegal":
        for ruling in game.rulings:
            if ruling.card == event.card.id:
                stays = sentence(Reason("replay-stays", {"by": ruling.by}), language)
                said = f"{said} ({stays})"
    return Step(
        number=number,
        event=event,
        table=table,
        scores={name: counted.get(name, 0) for name in colours},
        said=said,
        sign=event.status,
        card=None if event.card is None or event.kind == "taken_back" else event.card.id,
    )


def _reason(game: GameRecord, event: RecordedEvent, table: Layout) -> Reason:
    """The sentence that the referee has for it."""
    cards = tuple(_known(card.id, (card.colour, card.face), card.pose) for card in table.cards)
    known = KnownTable(game.deck, cards, table.play_area_mm)
    card = event.card
    told = Event(
        event.kind,
        None if card is None else _known(card.id, card.name, card.pose),
        event.was,
        event.status,
        event.rule,
        event.on,
        event.offset_mm,
        event.offset_deg,
        event.sure,
    )
    return reason_of(told, known, game.rules)


def _known(card_id: int, name: tuple[str, str], pose: Pose) -> KnownCard:
    return KnownCard(card_id, name, pose, {}, _NOWHERE, 1.0)


def _colours(game: GameRecord) -> tuple[str, ...]:
    """The colours that play or that lie there at any time, in the deck's order."""
    played = set(game.players) | {one.card.name[0] for one in game.events if one.card is not None}
    if game.end is not None:
        played |= {card.name[0] for card in game.end.cards}
    return tuple(colour.name for colour in game.deck.colours if colour.name in played)


def said_at(steps: tuple[Step, ...]) -> Iterator[str]:
    """A line for each step: its number, what is said, and the scores."""
    for step in steps:
        counted = ", ".join(f"{name} {dots}" for name, dots in step.scores.items())
        yield f"{step.number}: {step.said} [{counted}]"
