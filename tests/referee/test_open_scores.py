"""While a card is unsure, only the colours that it may change are."""

from collections.abc import Sequence
from dataclasses import replace

from geometry.layout import Card
from referee.history import Named, ReadAt, Ruled, Step, replayed
from referee.open_scores import open_scores
from tests.referee.tables import DECK, RULES, Change, colours, game, moved, read, same
from vision.reading import Doubt, DoubtKind
from vision.reason import Reason

LAYOUT = game(1)
PLAYERS = colours(LAYOUT)
LAST = LAYOUT.cards[7]


def seen(cards: int, change: Change = same, doubts: Sequence[Doubt] = ()) -> ReadAt:
    return ReadAt(f"f{cards}", f"{cards}.jpg", read(LAYOUT, cards, change, doubts, seed=cards))


def doubt(kind: DoubtKind, *changed: str) -> Doubt:
    """The eighth card's name is in doubt, which could change these colours."""
    changes = dict.fromkeys(changed, 2)
    return Doubt(kind, 47, (0.0, 0.0), Reason("face-unclear"), changes, changes)


def instead(other: Card) -> Change:
    """Reads a card as another, or elsewhere."""
    return lambda card: other if card.id == other.id else card


def found(*steps: Step, players: Sequence[str] = PLAYERS) -> set[str]:
    """The open colours after the first seven cards and these steps."""
    before = [seen(number) for number in range(1, 8)]
    return set(open_scores(replayed(DECK, RULES, players, (*before, *steps))))


def another(colour: str) -> Card:
    """The eighth card read as one that is not on the table."""
    taken = {card.face for card in LAYOUT.cards}
    return replace(LAST, colour=colour, face=next(f.id for f in DECK.faces if f.id not in taken))


def test_nothing_is_open_where_nothing_is_doubted() -> None:
    assert found(seen(8)) == set()


def test_a_face_in_doubt_changes_the_card_s_own_colour() -> None:
    assert found(seen(8, doubts=[doubt("face", LAST.colour)])) == {LAST.colour}


def test_a_colour_in_doubt_changes_both() -> None:
    other = next(one for one in PLAYERS if one != LAST.colour)
    both = {LAST.colour, other}
    assert found(seen(8, doubts=[doubt("colour", LAST.colour, other)])) == both


def test_what_later_readings_settle_is_no_longer_open() -> None:
    doubted = seen(8, doubts=[doubt("face", LAST.colour)])
    assert found(doubted, seen(8), seen(8)) == set()


def test_what_a_person_named_is_not_open() -> None:
    doubted = seen(8, doubts=[doubt("face", LAST.colour)])
    assert found(doubted, Named(7, (LAST.colour, LAST.face), "Ada")) == set()


def test_out_of_turn_any_colour_may_be_meant() -> None:
    stranger = next(one for one in PLAYERS if one != LAST.colour)
    wrong = instead(another(stranger))
    assert found(seen(8, wrong)) == set(PLAYERS)
    assert found(seen(8, wrong, [doubt("face", stranger)])) == set(PLAYERS)


def test_two_cards_of_one_name_may_be_anything() -> None:
    first = LAYOUT.cards[1]
    twin = instead(replace(LAST, colour=first.colour, face=first.face))
    both = doubt("face", first.colour)
    for doubts in ([], [both, replace(both, card=41)]):
        assert found(seen(8, twin, doubts), players=()) == set(PLAYERS)


def test_a_borderline_card_changes_what_it_covers_and_its_own() -> None:
    """Of a card that may come off: what shows then, and what does not any more."""
    steps = borderline()
    history = replayed(DECK, RULES, PLAYERS, steps)
    (event,) = (one.event for one in history.entries[-1].told)
    assert event.card is not None
    below = {history.following.table.card(card).name[0] for card in event.on}
    found = open_scores(history)
    assert found
    assert found <= {event.card.name[0], *below}
    ruled = Ruled(event.card.id, True, "Ada")
    assert open_scores(replayed(DECK, RULES, PLAYERS, [*steps, ruled])) == set()


def borderline() -> list[Step]:
    """A game up to a card of which it is not clear whether it lies legally."""
    steps = [seen(number) for number in range(1, 8)]
    for place in range(7, 12):
        last = seen(place + 1, instead(moved(LAYOUT.cards[place], 1.5)))
        told = replayed(DECK, RULES, PLAYERS, [*steps, last]).entries[-1].told
        if told[0].event.status == "borderline":
            return [*steps, last]
        steps.append(seen(place + 1))
    raise AssertionError("no card is borderline there")


def test_everything_is_open_while_more_has_moved_than_a_turn_can() -> None:
    def elsewhere(card: Card) -> Card:
        return moved(card, 14.0 * card.id) if card.id in (2, 4, 6) else card

    assert found(seen(7, elsewhere)) == set(PLAYERS)
