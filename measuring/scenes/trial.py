"""One scene, read and compared with its truth."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from geometry.deck_file import DeckError, load_deck
from geometry.rules import Rules
from measuring.scenes.comparison import Comparison, compare
from measuring.scenes.peak_memory import forget_peak, peak_megabytes
from measuring.scenes.retaken import retaken
from measuring.scenes.scene_files import load_scene
from measuring.scenes.truth import Truth, parse_truth
from rig.wording.kept_reasons import reason_of
from simulator import simulate_scene
from vision.lens import LensKnown
from vision.read import read_table
from vision.read_one import read_one
from vision.reading import NotSeen, Reading
from vision.reason import Reason
from vision.together.joining import joined
from vision.together.photographs import OtherTable, Photograph

READERS: Mapping[str, Callable[[NDArray[np.uint8], Deck, LensKnown, Rules], Reading | NotSeen]] = {
    "today": read_table,
    "one": read_one,
}
"""Who reads: today's reader, or the one on one score."""


@dataclass(frozen=True, slots=True)
class Job:
    """A scene to try: a folder's, as it is or as another camera might have taken it (`retake`, a
    seed), or where `folder` is None a simulated one. `deck`: the deck file to read it with, where
    that is not the scene's own. `printing`: how a simulated scene's cards are drawn, where that is
    not the preset's own.
    """

    group: str
    folder: Path | None = None
    preset: str = ""
    seed: int = 0
    with_lens: bool = True
    retake: int | None = None
    deck: Path | None = None
    printing: str | None = None
    reader: str = "today"
    together: int = 1
    """So many photographs of a simulated table, each from a place of its own, are read as one."""

    @property
    def name(self) -> str:
        """What the scene is called."""
        if self.folder is None:
            more = "" if self.together == 1 else f"x{self.together}"
            return f"{self.preset}-{self.seed}{more}"
        return self.folder.name if self.retake is None else f"{self.folder.name}~{self.retake}"


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of a scene. `comparison` is None where it was refused, for `reason`."""

    group: str
    name: str
    cards: int
    rules_broken: tuple[str, ...]
    comparison: Comparison | None
    reason: Reason | None
    seconds: float
    megabytes: float

    @property
    def crashed(self) -> bool:
        """Whether the program failed on it."""
        return self.reason is not None and self.reason.code == "crash"


def run_job(job: Job) -> Trial:
    """Load or simulate the scene, read it, and compare; a missing deck's file is a refusal."""
    try:
        given = None if job.deck is None else load_deck(job.deck)
        image, truth, known = scene_of(job, given)
    except DeckError as fault:
        return Trial(job.group, job.name, 0, (), None, reason_of(str(fault)), 0.0, 0.0)
    deck = given or truth.layout.deck
    forget_peak()
    start = time.perf_counter()
    try:
        reading = READERS[job.reader](image, deck, known, truth.rules)
        if job.together > 1:
            reading = _together(job, reading, image.shape, deck, truth.rules)
    except Exception as error:  # noqa: BLE001 - a crash is a result: it is counted and shown
        reading = NotSeen(Reason("crash", {"what": f"{type(error).__name__}: {error}"}))
    seconds = time.perf_counter() - start
    refused = isinstance(reading, NotSeen)
    return Trial(
        group=job.group,
        name=job.name,
        cards=len(truth.layout.cards),
        rules_broken=tuple(truth.illegal.values()),
        comparison=None if isinstance(reading, NotSeen) else compare(reading, truth),
        reason=reading.reason if isinstance(reading, NotSeen) else None,
        seconds=seconds,
        megabytes=0.0 if refused else peak_megabytes(),
    )


def _together(
    job: Job, first: Reading | NotSeen, shape: tuple[int, ...], deck: Deck, rules: Rules
) -> Reading | NotSeen:
    """A table's first reading as one with those of its other photographs; the refusal of one that
    could not be read, or does not go with the others.
    """
    if isinstance(first, NotSeen):
        return first
    photos = [Photograph(first, (shape[1], shape[0]))]
    for number in range(1, job.together):
        view = simulate_scene(job.seed, job.preset, printing=job.printing, view=number)
        known = view.lens if job.with_lens else None
        found = READERS[job.reader](view.image_bgr, deck, known, rules)
        if isinstance(found, NotSeen):
            return found
        photos.append(Photograph(found, (view.image_bgr.shape[1], view.image_bgr.shape[0])))
    joint = joined(photos, rules)
    if isinstance(joint, OtherTable):
        return NotSeen(reason_of("A photo shows another table."))
    return joint


def scene_of(job: Job, deck: Deck | None = None) -> tuple[NDArray[np.uint8], Truth, LensKnown]:
    """A job's picture (H, W, 3) uint8 BGR, what is true of it, with a deck in place of its own, and
    what is known of its lens: as measured, or the focal length that the picture tells of.
    """
    if job.folder is None:
        simulated = simulate_scene(job.seed, job.preset, printing=job.printing)
        known = simulated.lens if job.with_lens else None
        return simulated.image_bgr, parse_truth(simulated.truth), known
    scene = load_scene(job.folder, deck)
    if job.retake is not None:
        other = retaken(scene, job.retake)
        return other.image_bgr, other.truth, other.lens if job.with_lens else None
    measured = scene.truth.lens if job.with_lens else None
    return scene.image_bgr, scene.truth, measured or scene.focal
