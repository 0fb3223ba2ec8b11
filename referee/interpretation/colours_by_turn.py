"""Colours that one picture cannot tell apart and the order of turns does.

In poor light a reading may take two inks for one: it then names no card of the other colour, and
the cards of that colour were laid out of turn, as if somebody had laid for two. Both readings are
weighed, that it took two inks for one and that people laid out of turn.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from referee.known_table import KnownCard, KnownTable, Name
from referee.laying import Turns
from referee.naming import first_seen
from referee.turns import in_order, out_of_turn
from vision.assemble import middle_px
from vision.reading import Doubt, ReadCard, Reading
from vision.reason import Reason
from vision.together.matching import Matching

BY_TURN = "history-by-turn"
"""The doubt that says that a colour was told by the order of turns."""

INKS_AS_ONE = 0.005
"""How often a reading takes two certain inks of a game for one: in hard light more often (5 of some
70 pairs in simulated games 8200 to 8206), in a lit room hardly. So little that one card out of turn
does not tell: somebody may have laid it so."""
INKS_DOUBTED = 0.5
"""The same where the reading itself doubts which of the two it is."""
OUT_OF_TURN, IN_GAMES = 0.5, 25.0
"""Cards laid out of turn, of so many, in games of before: an assumption, to which what this game
shows is added."""
EITHER = math.log(2)
"""Of two cards one is of another colour, and turns do not tell which."""
SURE_NATS = -math.log(0.0005)
"""So much likelier has it to be before a score is sure of it (docs/decisions/0005-sureness.md)."""


@dataclass(frozen=True, slots=True)
class ByTurn:
    """What the order of turns tells of a reading. `colours`: the colour of a read card, by its id,
    where it is another than was read; `nats`: how much likelier that is than what was read.
    """

    colours: Mapping[int, str] = field(default_factory=dict)
    nats: float = math.inf

    @property
    def sure(self) -> bool:
        """Whether a score may be sure of it."""
        return self.nats >= SURE_NATS


@dataclass(frozen=True, slots=True)
class Picture:
    """A reading beside the known table. `found`: which read card is which known one; its new ones
    are those laid last. `told_before`: known cards whose colour turns told, by their ids.
    """

    table: KnownTable
    reading: Reading
    found: Matching
    turns: Turns
    told_before: Collection[int] = ()


def told_by_turns(picture: Picture) -> ByTurn:
    """The colours of read cards that turns explain better than the reading does; none where nobody
    said who plays, and in a free-for-all, which has no turns.
    """
    told, turns = ByTurn(), picture.turns
    if len(turns.players) < 2 or turns.rules.free_for_all:
        return told
    while True:
        named = _named(picture, told)
        missing = [colour for colour in turns.players if colour not in named]
        pairs = [(read, colour) for colour in missing for read in sorted(named)]
        ways = [
            way
            for read, colour in pairs
            if (way := _as_two(picture, told, read, colour)) is not None
        ]
        if not ways:
            return told
        best = max(ways, key=lambda way: way.nats)
        told = replace(best, nats=min(told.nats, best.nats))


def with_colours(reading: Reading, told: ByTurn) -> Reading:
    """A reading with the colours that turns tell, in doubt where that is not sure."""
    cards, doubts = list[ReadCard](), list(reading.doubts)
    for card in reading.cards:
        colour = told.colours.get(card.id)
        cards.append(card if colour is None else replace(card, colour=colour))
        if colour is not None and not told.sure:
            changes = dict.fromkeys((colour, card.colour), 1)
            reason = Reason("history-by-turn", {"colour": colour, "rival": card.colour})
            at = middle_px(card.outline_px)
            doubts.append(Doubt("colour", card.id, at, reason, changes, changes))
    return replace(reading, cards=tuple(cards), doubts=tuple(doubts))


def recoloured(card: KnownCard, was: str, colour: str) -> KnownCard:
    """A known card with what readings said of it in one colour said of another."""
    votes, told = _moved(card.votes, was, colour), _moved(card.told, was, colour)
    return replace(card, votes=votes, told=told)


def _as_two(picture: Picture, told: ByTurn, read: str, colour: str) -> ByTurn | None:
    """Some of the cards read in one colour taken for another's, where that is likelier."""
    free = [
        card.id
        for card in picture.reading.cards
        if told.colours.get(card.id, card.colour) == read and _may_be(picture, card.id, colour)
    ]
    before = least = _out_of_turn(picture, told)
    chosen = told
    while free:
        tries = {one: replace(told, colours={**chosen.colours, one: colour}) for one in free}
        numbers = {one: _out_of_turn(picture, way) for one, way in tries.items()}
        one = min(free, key=numbers.__getitem__)
        if numbers[one] >= least:
            break
        chosen, least = tries[one], numbers[one]
        free.remove(one)
    share = INKS_DOUBTED if _doubts(picture.reading, read, colour) else INKS_AS_ONE
    nats = (before - least) * _nats_each(picture, least) + math.log(share)
    if nats <= 0:
        return None
    return replace(
        chosen, nats=min(nats, EITHER) if _others_as_well(picture, chosen, free) else nats
    )


def _others_as_well(picture: Picture, chosen: ByTurn, rest: Collection[int]) -> bool:
    """Whether of cards laid together another one would explain as much: nobody knows their order,
    so that turns do not tell which of them it is.
    """
    least, known = _out_of_turn(picture, chosen), _known(picture)

    def laid_with(read_id: int) -> int | None:
        return picture.table.card(known[read_id]).laid_with if read_id in known else None

    for one, colour in chosen.colours.items():
        without = {card: other for card, other in chosen.colours.items() if card != one}
        for other in rest:
            if laid_with(one) == laid_with(other):
                swapped = replace(chosen, colours={**without, other: colour})
                if _out_of_turn(picture, swapped) <= least:
                    return True
    return False


def _may_be(picture: Picture, read_id: int, colour: str) -> bool:
    """Whether a read card may be of a colour that the reading names nowhere: not one that a person
    named, nor one that was known when readings told the two colours apart.
    """
    known_id = _known(picture).get(read_id)
    if known_id is None:
        return True
    known, start = picture.table.card(known_id), picture.table.deck.starting_face.id
    if known.named or known.name[1] == start:
        return False
    return known.name[0] == colour or not any(
        one.name[0] == colour and one.id not in picture.told_before for one in picture.table.cards
    )


def _nats_each(picture: Picture, others: int) -> float:
    """How much less likely a card out of turn is than one of the colour whose turn it was, in a
    game in which so many others were laid out of turn.
    """
    share = (others + OUT_OF_TURN) / (len(picture.table.cards) + IN_GAMES)
    return math.log((1 - share) * (len(picture.turns.players) - 1) / share)


def _out_of_turn(picture: Picture, told: ByTurn) -> int:
    """How many cards are out of turn on the table as it would be with these colours."""
    table, start = picture.table, picture.table.deck.starting_face.id
    reading = with_colours(picture.reading, ByTurn(told.colours))
    read, named = {card.id: card for card in reading.cards}, _named(picture, ByTurn())
    for known_id, read_id in picture.found.pairs.items():
        known = table.card(known_id)
        fixed = known.named or known.name[1] == start
        if not fixed and (read_id in told.colours or known.name[0] not in named):
            table = table.with_card(replace(known, name=(read[read_id].colour, known.name[1])))
    together = table.next_id
    for read_id in in_order(picture.found.new, reading, picture.turns.players, table):
        if read[read_id].face != start:
            pose = picture.found.poses[read_id]
            laid = first_seen(table.next_id, read[read_id], pose, 1.0, is_open=False)
            table = table.laid(replace(laid, laid_with=together))
    return len(out_of_turn(picture.turns.players, table, picture.turns.rules))


def _named(picture: Picture, told: ByTurn) -> set[str]:
    start = picture.table.deck.starting_face.id
    cards = [card for card in picture.reading.cards if card.face != start]
    return {told.colours.get(card.id, card.colour) for card in cards}


def _known(picture: Picture) -> Mapping[int, int]:
    """Known card's id by read card's."""
    return {read: card for card, read in picture.found.pairs.items()}


def _doubts(reading: Reading, read: str, colour: str) -> bool:
    """Whether the reading asks whether one of the two is the other."""
    return any(
        {doubt.reason.facts.get("colour"), doubt.reason.facts.get("rival")} == {read, colour}
        for doubt in reading.doubts
        if doubt.kind == "colour"
    )


def _moved(said: Mapping[Name, float], was: str, colour: str) -> dict[Name, float]:
    out = dict[Name, float]()
    for (one, face), number in said.items():
        name = (colour if one == was else one, face)
        out[name] = out.get(name, 0.0) + number
    return out
