"""The slowest scenes: prints in a folder and simulated sets, against drawn tables."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from geometry.deck_file import published_deck
from geometry.recent_tables import forget_tables
from geometry.rules import Rules
from measuring.bench.alone import peak_alone_megabytes
from measuring.bench.cases import picture
from measuring.bench.measure import decoded
from measuring.scenes.scene_files import load_scene, scene_folders
from measuring.scenes.truth import parse_truth
from rig.scene_folder import IMAGE
from simulator import simulate_scene
from vision.lens import Lens
from vision.read import read_table

SETS = ("ordinary", "printed", "hard", "real")
FIRST_SEED = 7000
CARDS_ROUNDED = 12
"""Drawn tables have a multiple of so many cards and one more, the fewest that are as many."""
MOST_PROCESSOR_S, MOST_SCENE_MB, MOST_TIMES = 12.0, 700, 4.0
"""Of any scene; on a machine where case c is read in 0.4 s."""
_REPEATS = 3


@dataclass(frozen=True, slots=True)
class Taken:
    """What one reading took: of the processor, on the clock, in decodes of the same JPEG (on the
    clock too).
    """

    processor_s: float
    wall_s: float
    decodes: float


@dataclass(frozen=True, slots=True)
class SceneTaken:
    """One scene, how many times the processor time of a drawn table of as many cards and pixels it
    takes, and how much memory a process that reads it alone.
    """

    group: str
    name: str
    cards: int
    megapixels: float
    taken: Taken
    times: float
    peak_mb: float


@dataclass(frozen=True, slots=True, eq=False)
class _Photo:
    """A scene's picture as its file's bytes, and all that reading it needs."""

    group: str
    name: str
    cards: int
    jpeg: bytes
    lens: Lens | None
    deck: Deck
    rules: Rules


def measure_scenes(prints: Path | None, simulated: int) -> list[SceneTaken]:
    """Every scene of the folder, where one is given, and so many of each simulated set; each is
    read once, after a drawn table.
    """
    return [_measured(photo) for photo in _photos(prints, simulated)]


def slowest(scenes: Sequence[SceneTaken], most: int) -> list[SceneTaken]:
    """The slowest of each group, groups in their order."""
    out: list[SceneTaken] = []
    for group in dict.fromkeys(scene.group for scene in scenes):
        of_group = [scene for scene in scenes if scene.group == group]
        out += sorted(of_group, key=lambda scene: -scene.taken.processor_s)[:most]
    return out


def scenes_over_limit(scenes: Sequence[SceneTaken]) -> list[str]:
    """A line for each limit that a scene does not keep."""
    lines = []
    for scene in scenes:
        name, taken = f"{scene.group}/{scene.name}", scene.taken
        if taken.processor_s > MOST_PROCESSOR_S:
            lines.append(
                f"{name} takes {taken.processor_s:.1f} s of the processor, not {MOST_PROCESSOR_S:g}"
            )
        if scene.peak_mb > MOST_SCENE_MB:
            lines.append(f"{name} peaks at {scene.peak_mb:.0f} MB, not {MOST_SCENE_MB}")
        if scene.times > MOST_TIMES:
            lines.append(
                f"{name} takes {scene.times:.1f} times a drawn table's time, not {MOST_TIMES:g}"
            )
    return lines


def scene_table(scenes: Sequence[SceneTaken]) -> Iterator[str]:
    """The scenes as a Markdown table's lines."""
    columns = (
        "scene", "cards", "megapixels", "processor, s", "clock, s", "decodes", "peak, MB",
        "times drawn",
    )  # fmt: skip
    yield "| " + " | ".join(columns) + " |"
    yield "|" + "---|" * len(columns)
    for scene in scenes:
        taken = scene.taken
        yield (
            f"| {scene.group}/{scene.name} | {scene.cards} | {scene.megapixels:.1f} "
            f"| {taken.processor_s:.1f} | {taken.wall_s:.1f} | {taken.decodes:.0f} "
            f"| {scene.peak_mb:.0f} | {scene.times:.1f} |"
        )


def _photos(prints: Path | None, simulated: int) -> Iterator[_Photo]:
    for folder in [] if prints is None else scene_folders(prints):
        truth = load_scene(folder, published_deck()).truth
        yield _Photo(
            folder.parent.name, folder.name, len(truth.layout.cards), (folder / IMAGE).read_bytes(),
            truth.lens, truth.layout.deck, truth.rules,
        )  # fmt: skip
    for preset in SETS:
        for seed in range(FIRST_SEED, FIRST_SEED + simulated):
            scene = simulate_scene(seed, preset)
            truth = parse_truth(scene.truth)
            yield _Photo(
                preset, str(seed), len(truth.layout.cards), scene.jpeg, scene.lens,
                truth.layout.deck, truth.rules,
            )  # fmt: skip


def _measured(photo: _Photo) -> SceneTaken:
    image = decoded(np.frombuffer(photo.jpeg, np.uint8))
    height, width = image.shape[:2]
    rounded = -(-(photo.cards - 1) // CARDS_ROUNDED) * CARDS_ROUNDED + 1
    drawn = _drawn_s(rounded, (width, height))
    taken = reading_taken(photo.jpeg, image, photo.lens, photo.deck, photo.rules)
    peak_mb = peak_alone_megabytes(photo.jpeg, photo.lens, photo.deck, photo.rules)
    print(
        f"{photo.group}/{photo.name}: {taken.processor_s:.1f} s of the processor, "
        f"{taken.processor_s / drawn:.1f} times a drawn table",
        file=sys.stderr,
    )
    return SceneTaken(
        photo.group, photo.name, photo.cards, width * height / 1e6, taken,
        taken.processor_s / drawn, peak_mb,
    )  # fmt: skip


def reading_taken(
    jpeg: bytes, image: NDArray[np.uint8], lens: Lens | None, deck: Deck, rules: Rules
) -> Taken:
    """What one reading of a JPEG takes; nothing is remembered of tables before."""
    decode_s = statistics.median(_decode_s(jpeg) for _ in range(3))
    forget_tables()
    processor, wall = time.process_time(), time.perf_counter()
    read_table(image, deck, lens, rules)
    processor, wall = time.process_time() - processor, time.perf_counter() - wall
    return Taken(processor, wall, wall / decode_s)


def _decode_s(jpeg: bytes) -> float:
    start = time.perf_counter()
    cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    return time.perf_counter() - start


@cache
def _drawn_s(cards: int, picture_wh: tuple[int, int]) -> float:
    """Processor time (median) of reading a drawn table of so many cards and pixels."""
    jpeg, lens = picture(cards, picture_wh)
    image = decoded(np.frombuffer(jpeg, np.uint8))
    deck, rules = published_deck(), Rules()
    times = [reading_taken(jpeg, image, lens, deck, rules).processor_s for _ in range(_REPEATS)]
    return statistics.median(times)
