"""One simulated scene, read and compared: what became of it, and how sure each card was."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from measuring.accuracy.pictures import scene_of
from measuring.scenes.comparison import Comparison, compare
from measuring.scenes.truth import Truth, parse_truth
from measuring.scenes.undetermined import dots_outside, undetermined
from simulator import Conditions
from vision.read import read_table
from vision.reading import NotSeen, Reading
from vision.reason import Reason

Outcome = Literal["sure", "unsure", "doubted", "refused", "silent"]
OUTCOMES: tuple[Outcome, ...] = ("sure", "unsure", "doubted", "refused", "silent")
"""Both scores exact and as sure as can be; exact but not sure; wrong and not sure; not
read; and wrong though called sure."""


Hidden = Literal["nothing", "undetermined", "outside"]
"""Nothing; a face, a side or who lies on top, which nobody can know; dots outside the picture,
which are not counted and leave a doubt."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A scene to read: a mix of the simulator, a seed, and where its picture is kept, if it is."""

    preset: str
    seed: int
    pictures: Path | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """How sure one card of a reading was, and whether its colour, face and side were right."""

    confidence: float
    right: bool


@dataclass(frozen=True, slots=True)
class Sample:
    """What came of one scene, and what was measured on its picture.

    `px_per_mm` is that of the card seen smallest; `darkest_white` and
    `burnt_share` are shares of full scale and of the cards' area. `seen` is None where it was
    refused for `reason`; `rules_broken` are those of the truly illegal cards. `hides` is what
    a score hangs on and the picture does not show.
    """

    asked: Asked
    conditions: Conditions
    cards: int
    px_per_mm: float
    tilt_deg: float
    darkest_white: float
    burnt_share: float
    outcome: Outcome
    said: tuple[Said, ...]
    reason: Reason | None
    rules_broken: tuple[str, ...] = ()
    hides: Hidden = "nothing"
    seen: Comparison | None = None

    @property
    def crashed(self) -> bool:
        """Whether the program failed on it."""
        return self.reason is not None and self.reason.code == "crash"


def run_one(asked: Asked) -> Sample:
    """Simulate a scene, read it and compare it with its truth."""
    scene = scene_of(asked.preset, asked.seed, asked.pictures)
    truth = parse_truth(scene.truth)
    reading: Reading | NotSeen
    try:
        reading = read_table(scene.image_bgr, truth.layout.deck, scene.lens, truth.rules)
    except Exception as error:  # noqa: BLE001 - a crash is a result: it is counted and shown
        reading = NotSeen(Reason("crash", {"what": f"{type(error).__name__}: {error}"}))
    photo = scene.truth["photo"]
    assert isinstance(photo, dict)
    read = None if isinstance(reading, NotSeen) else reading
    seen = None if read is None else compare(read, truth)
    return Sample(
        asked=asked,
        conditions=scene.conditions,
        cards=len(truth.layout.cards),
        px_per_mm=float(photo["px_per_mm"]),
        tilt_deg=float(photo["tilt_deg"]),
        darkest_white=float(photo["darkest_white"]),
        burnt_share=float(photo["burnt_share"]),
        outcome=outcome_of(seen),
        said=() if read is None or seen is None else _said(read, seen),
        reason=reading.reason if isinstance(reading, NotSeen) else None,
        rules_broken=tuple(truth.illegal.values()),
        hides=_hidden(truth),
        seen=seen,
    )


def outcome_of(seen: Comparison | None) -> Outcome:
    """What became of a scene; None where it was not read."""
    if seen is None:
        return "refused"
    both = (seen.as_it_lies, seen.without_illegal)
    if any(score.silent for score in both):
        return "silent"
    if all(score.good for score in both):
        return "sure"
    return "unsure" if all(score.exact for score in both) else "doubted"


def _hidden(truth: Truth) -> Hidden:
    found = undetermined(truth.layout, truth.rules)
    if found.as_it_lies or found.without_illegal:
        return "undetermined"
    return "outside" if dots_outside(truth.layout) else "nothing"


def _said(reading: Reading, seen: Comparison) -> tuple[Said, ...]:
    right = {match.read for match in seen.matches if match.named and match.side_right}
    return tuple(Said(card.confidence, card.id in right) for card in reading.cards)
