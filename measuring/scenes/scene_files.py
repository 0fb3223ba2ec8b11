"""Scenes on disk: NAME/image.jpg, NAME/truth.json and, where the lens is known, NAME/lens.json."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from geometry.deck_file import DeckError, load_deck, published_deck
from measuring.scenes.truth import Truth, parse_truth
from rig.photo.decoding import decode_photo, photo_bytes
from rig.photo.focal import told_focal_length
from rig.scene_folder import IMAGE, TRUTH
from vision.lens import FocalLength

DECKS = "decks"


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A photograph, (H, W, 3) BGR as shown, what is true of it, and what it tells of its lens."""

    name: str
    image_bgr: NDArray[np.uint8]
    truth: Truth
    focal: FocalLength | None = None


def scene_folders(folder: Path) -> list[Path]:
    """The scenes under a folder, by name."""
    return sorted(path.parent for path in folder.glob(f"*/{TRUTH}"))


def load_scene(folder: Path, otherwise: Deck | None = None) -> Scene:
    """Read one scene, with the deck that its truth names, or with another where that one's file
    cannot be used: what is true does not depend on the deck that a scene is read with. DeckError
    where there is neither.
    """
    data = json.loads((folder / TRUTH).read_text("utf-8"))
    try:
        deck = deck_of_scene(folder, str(data.get("deck", "")))
    except DeckError:
        if otherwise is None:
            raise
        deck = otherwise
    jpeg, name = photo_bytes(folder / IMAGE), str(folder / IMAGE)
    image = decode_photo(jpeg, name)
    focal = told_focal_length(jpeg, name, (image.shape[1], image.shape[0]))
    return Scene(folder.name, image, parse_truth(data, deck), focal)


def deck_of_scene(folder: Path, name: str) -> Deck:
    """The deck of a scene by its name: the published one, or NAME.json in `decks` beside the
    folder of scenes.
    """
    published = published_deck()
    if name in ("", published.name):
        return published
    return load_deck(folder.parent.parent / DECKS / f"{name}.json")
