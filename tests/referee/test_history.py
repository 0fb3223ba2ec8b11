"""A game as its steps: corrected, ruled on, and gone through again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from geometry.layout import Card, Layout
from referee.history import History, Named, Playing, ReadAt, Ruled, Step, Told, replayed
from referee.kept_game import GameSettings, settings_data, settings_of, step_data, step_of
from referee.target import target_pose
from tests.referee.tables import DECK, RULES, Change, colours, game, moved, read, same


def steps(layout: Layout, last: int, change: Change = same) -> Iterator[Step]:
    for number in range(1, last + 1):
        yield ReadAt(f"f{number}", f"{number}.jpg", read(layout, number, change))


def misread(place: int, face: str) -> Change:
    def change(card: Card) -> Card:
        return replace(card, face=face) if card.id == place else card

    return change


def unused_face(layout: Layout) -> str:
    return next(f.id for f in layout.deck.faces if f.id not in {c.face for c in layout.cards})


def made(layout: Layout, done: list[Step]) -> History:
    return replayed(DECK, RULES, colours(layout), done)


def test_a_name_is_known_from_when_the_card_was_laid() -> None:
    layout = game(1)
    card = layout.cards[3]
    name = (card.colour, card.face)
    done = list(steps(layout, 6, misread(3, unused_face(layout))))
    before = made(layout, done)
    assert before.following.table.card(3).name != name
    after = made(layout, [*done, Named(3, name, "Ada")])
    assert after.following.table.card(3).name == name
    (laid,) = after.entries[3].told
    assert laid.event.card is not None
    assert (laid.event.card.name, laid.event.sure) == (name, True)
    (corrected,) = after.entries[-1].told
    assert (corrected.event.kind, corrected.event.was) == (
        "corrected", before.following.table.card(3).name,
    )  # fmt: skip
    assert corrected.reason.code == "event-corrected"
    assert after.names[3] == (name, "Ada")
    assert [one.step for one in after.entries[:6]] == done


def test_later_readings_do_not_change_a_given_name() -> None:
    layout = game(1)
    card = layout.cards[3]
    wrong = misread(3, unused_face(layout))
    done = [*steps(layout, 4, wrong), Named(3, (card.colour, card.face), "Ada")]
    later = [ReadAt(f"g{n}", "g", read(layout, n, wrong)) for n in range(5, 9)]
    found = made(layout, [*done, *later])
    assert found.following.table.card(3).name == (card.colour, card.face)
    kinds = [told.event.kind for one in found.entries[5:] for told in one.told]
    assert "corrected" not in kinds


def test_what_lies_on_a_corrected_card_is_judged_again() -> None:
    """Another face has its shapes elsewhere: what lies on it lies on them, or does not."""
    layout = game(1)
    changed = []
    for place in range(1, 8):
        wrong = misread(place, unused_face(layout))
        done = list(steps(layout, 10, wrong))
        card = layout.cards[place]
        before = made(layout, done)
        after = made(layout, [*done, Named(place, (card.colour, card.face), "Ada")])
        told = after.entries[-1].told
        changed += [one for one in told if "judged_again" in one.event.notes]
        said = {o.event.card.id: o.event.status for o in laid(before) if o.event.card}
        now = {o.event.card.id: o.event.status for o in laid(after) if o.event.card}
        assert set(now) == set(said)
        assert all(status in ("legal", "free", None) for status in now.values())
    assert changed
    assert {one.reason.code for one in changed} == {"event-judged-again"}


def laid(history: History) -> list[Told]:
    return [o for one in history.entries for o in one.told if o.event.kind == "laid"]


def test_a_ruling_is_kept_and_taken_back() -> None:
    layout = game(1)
    done: list[Step] = [*steps(layout, 4), Ruled(3, stays=True, by="Ada")]
    assert made(layout, done).rulings == {3: "Ada"}
    assert made(layout, [*done, Ruled(3, stays=False, by="Bob")]).rulings == {}


def test_players_take_turns_from_when_they_were_named() -> None:
    layout = game(1)
    done: list[Step] = [*steps(layout, 3), Playing(("red", "blue"))]
    assert made(layout, done).following.players == ("red", "blue")
    assert made(layout, done).entries[1].following.players == colours(layout)


@pytest.mark.parametrize("mm", [4.0, 8.0])
def test_the_place_where_a_card_would_be_legal_is_where_it_came_from(mm: float) -> None:
    layout = game(1)
    cards = tuple(moved(card, mm) if card.id == 5 else card for card in layout.cards)
    found = made(layout, list(steps(replace(layout, cards=cards), 6)))
    table = found.following.table
    pose = target_pose(table, table.card(5), RULES)
    assert pose is not None
    origin = layout.cards[5].pose
    assert abs(pose.x_mm - origin.x_mm) < 1.5
    assert abs(pose.y_mm - origin.y_mm) < 1.5


@pytest.mark.parametrize(
    "step",
    [
        ReadAt("f1", "1.jpg", None),
        Named(3, ("red", "square-1"), "Ada"),
        Ruled(3, stays=True, by="Ada"),
        Playing(("red", "blue")),
    ],
)
def test_steps_come_back_as_they_were_kept(step: Step) -> None:
    assert step_of(step_data(step)) == step


@pytest.mark.parametrize(
    "data",
    [{}, {"kind": "dance"}, {"kind": "read", "frame": 1, "picture": ""}, {"kind": "named"},
     {"kind": "ruled", "card": True, "stays": True, "by": "A"}, {"kind": "playing", "players": [1]},
     {"kind": "ruled", "card": -1, "stays": True, "by": "A"}],
)  # fmt: skip
def test_what_is_no_step_is_refused(data: dict[str, object]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        step_of(data)


def test_settings_come_back_as_they_were_kept() -> None:
    settings = GameSettings(players=("red", "blue"), turns=("red", "blue"), after=3, match="ab")
    assert settings_of(settings_data(settings)) == settings
