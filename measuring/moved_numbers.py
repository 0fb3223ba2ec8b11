"""Which numbers of the reader on one score matter: each of `ReadingConfig` is moved by a quarter,
down and up, over a fixed small set of tables, and what comes of it is compared.

`python -m measuring.moved_numbers` writes the page; some 200 readings of each table, ten minutes on
two cores.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import track

from geometry.layout import Layout
from measuring.scenes.truth import Truth, parse_truth
from measuring.scenes.workers import run_each
from simulator import Conditions, SimulatedScene, simulate_scene
from vision.read_one import read_one
from vision.reading import NotSeen, Reading, SeenTable
from vision.reading_config import ReadingConfig

PAGE = Path("docs/reading-numbers.md")
QUARTERS = (0.75, 1.25)
HEAD = """\
# The numbers of the reader on one score, each moved by a quarter

Written by `make numbers`: each number of `vision/reading_config.py`, a quarter less and a quarter
more, over simulated tables of 9 and 13 cards: {tables}.
*Digits*: probabilities, or places by less than 0.5 mm; *doubts*: other doubts, or another score is
sure; *cards*: another table. What moves nothing on these may matter on larger or worse pictures.
"""
Number = float | int | tuple[float, ...]


class Effect(IntEnum):
    """What came of a number's move, the least first: the most that differs on any table."""

    NOTHING = 0
    DIGITS = 1
    """Probabilities, or places by less than 0.5 mm."""
    DOUBTS = 2
    """Other doubts, or a score that is sure or is not."""
    CARDS = 3
    """Another table, or none."""


@dataclass(frozen=True)
class SmallTable:
    """A simulated table that is read; `known`: going on from what it was without its last card."""

    name: str
    seed: int
    conditions: Conditions
    known: bool = False


def tables() -> tuple[SmallTable, ...]:
    """The fixed set: what print, light, a cloth, tilt and a known table ask for."""
    small = Conditions(players=2, cards=9, px_per_mm=2.2)
    return (
        SmallTable("lit from above", 31, small),
        SmallTable("known but for a card", 31, small, known=True),
        SmallTable(
            "aslant, without markers", 32,
            replace(small, tilt_deg=28.0, markers="none", lens_known=False, table="walnut"),
        ),
        SmallTable(
            "dim and noisy, misaligned", 33,
            replace(small, cards=13, white_level=0.45, noise=0.02, faults=("misaligned",)),
        ),
    )  # fmt: skip


def moves(config: ReadingConfig) -> Iterator[tuple[str, float, ReadingConfig]]:
    """Each number by its name, moved by each factor; whole ones by one at least."""
    for field in fields(config):
        value: Number = getattr(config, field.name)
        for factor in QUARTERS:
            yield field.name, factor, _with(config, field.name, moved(value, factor))


def _with(config: ReadingConfig, name: str, value: Any) -> ReadingConfig:
    return replace(config, **{name: value})


def moved(value: Number, factor: float) -> Number:
    """A number, or each of several, moved by a factor; one that counts by one at least."""
    if isinstance(value, tuple):
        return tuple(one * factor for one in value)
    if isinstance(value, int):
        return math.floor(value * factor) if factor < 1 else math.ceil(value * factor)
    return value * factor


def effect(reading: Reading | NotSeen, before: Reading | NotSeen) -> Effect:
    """What differs most between two readings of a picture."""
    if isinstance(reading, NotSeen) or isinstance(before, NotSeen):
        return Effect.NOTHING if reading == before else Effect.CARDS
    if _cards(reading) != _cards(before):
        return Effect.CARDS
    if _doubts(reading) != _doubts(before):
        return Effect.DOUBTS
    near = all(
        math.dist((one.x_mm, one.y_mm), (other.x_mm, other.y_mm)) < 0.5
        for one, other in zip(reading.cards, before.cards, strict=True)
    )
    if not near:
        return Effect.CARDS
    return Effect.NOTHING if repr(reading) == repr(before) else Effect.DIGITS


def _cards(reading: Reading) -> tuple[object, ...]:
    cards = ((c.face, c.colour, c.mirrored, c.over, c.visible_dots) for c in reading.cards)
    return tuple(cards), dict(reading.scores), dict(reading.scores_without_illegal)


def _doubts(reading: Reading) -> tuple[object, ...]:
    doubts = sorted((d.kind, str(d.card), d.reason.code) for d in reading.doubts)
    return tuple(doubts), reading.sure, reading.sure_without_illegal


@dataclass(frozen=True)
class Asked:
    """One reading of a table by numbers of which one may be moved."""

    table: SmallTable
    config: ReadingConfig


@cache
def _scene(seed: int, conditions: Conditions) -> tuple[SimulatedScene, Truth]:
    scene = simulate_scene(seed, conditions)
    return scene, parse_truth(scene.truth)


@cache
def _as_it_is(table: SmallTable) -> Reading | NotSeen:
    return _read(Asked(table, ReadingConfig()))


def _read(asked: Asked) -> Reading | NotSeen:
    table = asked.table
    scene, truth = _scene(table.seed, table.conditions)
    return read_one(
        scene.image_bgr, truth.layout.deck, scene.lens, truth.rules,
        known=_known(table), config=asked.config,
    )  # fmt: skip


def _known(table: SmallTable) -> SeenTable | None:
    """What was seen of a table before its last card was laid."""
    if not table.known:
        return None
    whole = _as_it_is(replace(table, known=False))
    if isinstance(whole, NotSeen):
        raise RuntimeError(f"{table.name}: the known table could not be read")
    return without_last(whole.seen)


def without_last(seen: SeenTable) -> SeenTable:
    """A table that was seen, without the card that was laid last, and without doubts."""
    layout = seen.layout
    left = Layout(layout.deck, layout.cards[:-1], layout.play_area_mm)
    ids = {card.id for card in left.cards}
    return replace(seen, layout=left, cards=tuple(c for c in seen.cards if c.id in ids), doubts=())


def _effect(asked: Asked) -> Effect:
    return effect(_read(asked), _as_it_is(asked.table))


def page(effects: Mapping[tuple[str, float], Effect]) -> str:
    """The page: each number, its value, and the most that came of moving it."""
    config = ReadingConfig()
    still = [f.name for f in fields(config) if not any(effects[f.name, q] for q in QUARTERS)]
    lines = [
        HEAD.format(tables=", ".join(f"*{one.name}*" for one in tables())),
        f"{len(effects) // 2} numbers; {len(still)} change nothing: {', '.join(still) or 'none'}.",
        "",
        "| number | value | a quarter less | a quarter more |",
        "|---|---|---|---|",
    ]
    for field in fields(config):
        less, more = (effects[field.name, factor].name.lower() for factor in QUARTERS)
        lines.append(f"| `{field.name}` | {getattr(config, field.name)} | {less} | {more} |")
    return "\n".join(lines) + "\n"


def main(
    processes: Annotated[int, typer.Option(min=1, help="How many at once.")] = 2,
    output: Annotated[Path, typer.Option(help="The page.")] = PAGE,
) -> None:
    """Move each number of the reader on one score by a quarter, and write what comes of it."""
    asked = [(name, factor, config) for name, factor, config in moves(ReadingConfig())]
    jobs = [Asked(table, config) for _, _, config in asked for table in tables()]
    found = run_each(_effect, jobs, processes)
    told = list(track(found, "Reading tables", len(jobs)))
    effects: dict[tuple[str, float], Effect] = {}
    for k, (name, factor, _) in enumerate(asked):
        effects[name, factor] = max(told[k * len(tables()) : (k + 1) * len(tables())])
    output.write_text(page(effects), "utf-8")


if __name__ == "__main__":
    typer.run(main)
