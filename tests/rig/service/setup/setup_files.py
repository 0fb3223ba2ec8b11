"""What a rig is set up with."""

from __future__ import annotations

import json
from typing import Any

from calibration.enrolment.deck_document import deck_document
from geometry.deck_file import published_deck
from tests.scenes import SCENES


def lens_of(scene: str) -> dict[str, Any]:
    truth = json.loads((SCENES / scene / "truth.json").read_text("utf-8"))
    return {key: truth["camera"][key] for key in ("size_px", "matrix", "distortion")}


def photo_of(scene: str) -> bytes:
    return (SCENES / scene / "image.jpg").read_bytes()


def renamed(name: str, colours: int = 6) -> dict[str, Any]:
    document: dict[str, Any] = deck_document(published_deck())
    return {**document, "name": name, "colours": document["colours"][:colours]}
