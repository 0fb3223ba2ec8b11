"""The whole service in a process of its own, whose camera shows pictures of a folder one by one.

    python -m tests.rig.page.round_rig FOLDER PICTURES PORT

FOLDER is the data folder. Where PICTURES has readings (NNN.json) those are what is read; else the
reader reads. Prints the port when it is about to answer.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from geometry.deck_file import published_deck
from geometry.rules import Rules
from rig.cameras.process import CameraChoice
from rig.service.assembly import Assembly
from rig.service.frames.reader_process import READER
from rig.service.running import run
from rig.service.running.run import Plan, serve
from rig.watcher.watch_state import Habits
from tests.rig.page.given_readings import PICTURES

QUICK = Habits(still_s=0.3, compare_s=0.1)
GIVEN = "tests.rig.page.given_readings:read_given"


def choose(word: str) -> CameraChoice:
    """The camera that shows this folder's pictures."""
    arguments = {"camera": "pictures", "folder": word}
    return CameraChoice("pictures", "shown", "tests.rig.page.shown_camera:open_shown", arguments)


def quick(**kept: bool) -> Habits:
    """Habits of somebody who waits for hands no longer than a test has to."""
    del kept
    return QUICK


def say_port(assembly: Assembly) -> None:
    sys.stdout.write(f"{assembly.state.settings.port}\n")
    sys.stdout.flush()


def main() -> None:
    folder, pictures, port = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    for name, made in (("choose_camera", choose), ("Habits", quick)):
        setattr(run, name, made)
    os.environ[PICTURES] = str(pictures)
    is_given = (pictures / "000.json").exists()
    plan = Plan(
        folder=folder,
        deck=published_deck(),
        rules=Rules(),
        lens=None,
        network=False,
        port=port,
        camera=str(pictures),
        reader=GIVEN if is_given else READER,
    )
    serve(plan, say_port)


if __name__ == "__main__":
    main()
