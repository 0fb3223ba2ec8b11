"""A filmed game as a folder: `NNN.jpg` in order, `game.json` with what is true, `lens.json`."""

import json
from pathlib import Path

from rig.simulator.game.filming import Film

LENS_KEYS = ("size_px", "matrix", "distortion", "model")


def write_game(folder: Path, film: Film) -> None:
    """Photograph the game into a folder, which is made. OSError where it cannot be written."""
    folder.mkdir(parents=True, exist_ok=True)
    camera = film.cameras[0].as_json()
    lens = {key: camera[key] for key in LENS_KEYS if key in camera}
    (folder / "lens.json").write_text(json.dumps(lens), "utf-8")
    for frame in film.frames():
        (folder / frame.name).write_bytes(frame.jpeg)
    (folder / "game.json").write_text(json.dumps(film.truth()), "utf-8")
