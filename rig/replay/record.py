"""A game that was followed, event by event, and the table after each."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from geometry.deck import Deck
from geometry.layout import Card, Layout
from geometry.pose import Pose
from geometry.rules import RuleName, Rules
from referee.events import PlacementStatus
from referee.known_table import Name
from vision.reading import Corners

RecordedKind = Literal["laid", "moved", "taken_back", "corrected", "disturbed"]


@dataclass(frozen=True, slots=True)
class RecordedCard:
    """A card of the game; `pose` in millimetres of the game's first picture. Its `id` is its own
    from when it is laid until it is taken back.
    """

    id: int
    name: Name
    pose: Pose


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """One thing that happened, as `tacta-event/1` says it. `card` as it is after it, of
    `taken_back` as it was; None of `disturbed`.

    `frame`: the picture's name; `at`: when, in the clock's own words, None where nobody noted it.
    `scores`: visible dots of the colours on the table after it, as they lie. `notes`: codes of what
    else was said. `outline_px`: the card's corners in that picture, where it is known. `late_s`: by
    so many seconds it was laid later than a turn might last.
    """

    kind: RecordedKind
    frame: str
    card: RecordedCard | None = None
    was: Name | None = None
    status: PlacementStatus | None = None
    rule: RuleName | None = None
    on: tuple[int, ...] = ()
    offset_mm: float | None = None
    offset_deg: float | None = None
    sure: bool = True
    scores: Mapping[str, int] | None = None
    notes: tuple[str, ...] = ()
    at: str | None = None
    outline_px: Corners | None = None
    late_s: float | None = None


@dataclass(frozen=True, slots=True)
class PersonName:
    """A person said which card it is."""

    card: int
    name: Name
    by: str


@dataclass(frozen=True, slots=True)
class Ruling:
    """A person ruled that an illegal card stays."""

    card: int
    by: str


@dataclass(frozen=True, slots=True)
class FinalCount:
    """What the table came to: dots as they lie and without illegal cards (E2), and whether each
    is sure. `cards` as they lay at last, in the order of laying; `illegal`: the ids of those that
    lay illegally.
    """

    scores: Mapping[str, int]
    scores_without_illegal: Mapping[str, int]
    sure: bool
    sure_without_illegal: bool
    cards: tuple[RecordedCard, ...]
    illegal: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game. `players`: their colours in the order of turns, none where nobody said. `end`: None
    while it goes on. `names` and `rulings`: what people said of cards, by the cards' ids.
    """

    deck: Deck
    rules: Rules = field(default_factory=Rules)
    players: tuple[str, ...] = ()
    play_area_mm: tuple[float, float] | None = None
    events: tuple[RecordedEvent, ...] = ()
    names: tuple[PersonName, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    end: FinalCount | None = None


class NoSuchCard(ValueError):
    """An event of a card that does not lie there, or that lies there already."""

    def __init__(self, event: int, card: int, lies: bool) -> None:
        self.event, self.card, self.lies = event, card, lies
        there = "lies there already" if lies else "does not lie there"
        super().__init__(f"event {event}: card {card} {there}")


def tables(game: GameRecord) -> Iterator[Layout]:
    """The table after each event, lowest card first; NoSuchCard where the events contradict."""
    cards: dict[int, Card] = {}
    for number, event in enumerate(game.events):
        if event.card is not None:
            cards = _after(cards, event, event.card, number)
        yield Layout(game.deck, tuple(cards.values()), game.play_area_mm)


def last_table(game: GameRecord) -> Layout:
    """The table as it lay at last: by the final count where there is one."""
    if game.end is not None:
        return Layout(game.deck, tuple(_laid(one) for one in game.end.cards), game.play_area_mm)
    *_, last = (Layout(game.deck, (), game.play_area_mm), *tables(game))
    return last


def _after(
    cards: Mapping[int, Card], event: RecordedEvent, card: RecordedCard, number: int
) -> dict[int, Card]:
    lies = card.id in cards
    if lies == (event.kind == "laid"):
        raise NoSuchCard(number, card.id, lies)
    if event.kind == "taken_back":
        return {key: one for key, one in cards.items() if key != card.id}
    return {**cards, card.id: _laid(card)}


def _laid(card: RecordedCard) -> Card:
    return Card(card.id, *card.name, card.pose)


def without_contradictions(game: GameRecord) -> GameRecord:
    """The game without events of cards that do not lie there: where part of it was lost."""
    there: set[int] = set()
    kept = []
    for event in game.events:
        if event.card is not None:
            if (event.card.id in there) == (event.kind == "laid"):
                continue
            there ^= {event.card.id} if event.kind in ("laid", "taken_back") else set()
        kept.append(event)
    return replace(game, events=tuple(kept))
