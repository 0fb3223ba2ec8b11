"""The whole service in a process of its own, with a reader that knows the answer at once.

    python -m tests.rig.service.quick_rig FOLDER [CAMERA]

Prints the port when it is about to answer. A camera takes a picture at the start, but for
fake:FILE, which behaves as the file says (tests/rig/cameras/fake_camera.py).
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from geometry.deck_file import published_deck
from geometry.layout import Card, Layout
from geometry.pose import Pose
from geometry.rules import Rules
from rig.cameras.choice import choose_camera
from rig.cameras.process import CameraChoice
from rig.service.assembly import Assembly
from rig.service.running import run
from rig.service.running.run import Plan, serve
from vision.assemble import assemble
from vision.lens import Lens
from vision.pace import Pace
from vision.reading import Corners, NotSeen, Reading, SeenCard, SeenTable

FAKE = "fake"
READER = "tests.rig.service.quick_rig:read"


def read(
    image_bgr: NDArray[np.uint8],
    deck: Deck,
    lens: Lens | None,
    rules: Rules,
    pace: Pace | None = None,
) -> Reading:
    """Three cards, whatever the picture shows."""
    assert lens is None
    pace = pace or Pace()
    assert not pace.hurry()
    for stage in ("locate", "rectify", "report"):
        pace.say(stage)
    height, width = image_bgr.shape[:2]
    corners: Corners = ((0.0, 0.0), (width - 1.0, 0.0), (width - 1.0, height - 1.0), (0.0, 9.0))
    names = (("white", "start"), ("blue", "circle-3"), ("red", "square-2"))
    cards = tuple(
        Card(place, colour, face, Pose(300.0 * place, 0.0, 0.0))
        for place, (colour, face) in enumerate(names)
    )
    seen = tuple(SeenCard(card.id, corners, 1.0) for card in cards)
    return assemble(SeenTable(Layout(deck, cards), seen, (), 1.0), rules)


SLOW_READER = "tests.rig.service.quick_rig:read_slowly"
SLOW_WH = (80, 60)


def read_slowly(
    image_bgr: NDArray[np.uint8],
    deck: Deck,
    lens: Lens | None,
    rules: Rules,
    pace: Pace | None = None,
) -> Reading:
    """The same, but a photo of one size takes for ever once its cards are found."""
    pace = pace or Pace()
    if image_bgr.shape[:2] == SLOW_WH[::-1]:
        for stage in ("locate", "rectify", "reconstruct"):
            pace.say(stage)
        time.sleep(600)
    return read(image_bgr, deck, lens, rules, Pace(pace.say))


HELD_READER = "tests.rig.service.quick_rig:read_once_hurried"


def read_once_hurried(
    image_bgr: NDArray[np.uint8],
    deck: Deck,
    lens: Lens | None,
    rules: Rules,
    pace: Pace | None = None,
) -> Reading | NotSeen:
    """What is really seen, but looked for only once time is over."""
    from vision.read import read_table  # the other readers here start without it

    pace = pace or Pace(hurry=lambda: True)
    while not pace.hurry():
        time.sleep(0.01)
    return read_table(image_bgr, deck, lens, rules, pace)


def say_port(assembly: Assembly) -> None:
    sys.stdout.write(f"{assembly.state.settings.port}\n")
    sys.stdout.flush()


def choose(word: str) -> CameraChoice:
    """The camera that a word names, the tests' own among them."""
    kind, _, behaviour = word.partition(":")
    if kind != FAKE:
        return choose_camera(word)
    factory = "tests.rig.cameras.fake_camera:open_fake"
    arguments = {"camera": "the fake", "behaviour": behaviour}
    return CameraChoice("the fake", FAKE, factory, arguments)


def main() -> None:
    camera = sys.argv[2] if len(sys.argv) > 2 else "none"
    setattr(run, "choose_camera", choose)  # noqa: B010 - what a test may, a type checker may not
    plan = Plan(
        folder=Path(sys.argv[1]),
        deck=published_deck(),
        rules=Rules(),
        lens=None,
        network=False,
        port=0,
        camera=camera,
        capture=camera != "none" and not camera.startswith(FAKE),
        reader=READER,
    )
    serve(plan, say_port)


if __name__ == "__main__":
    main()
