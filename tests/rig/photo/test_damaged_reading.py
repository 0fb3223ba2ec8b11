"""A decoder's word of damage ends sureness; whole photos stay as sure as they were."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from geometry.deck_file import published_deck
from geometry.rules import Rules
from measuring.scenes.true_reading import true_reading
from rig.command_line import run
from rig.photo.damage_signs import Damage
from rig.photo.damaged_reading import with_damage
from rig.photo.decoder_words import damage_heard
from rig.photo.decoding import decode_photo_told
from rig.photo.trouble import PhotoDamaged
from rig.service.frames.reader import Job, ReaderProcess, SeenText
from rig.store.seen_json import seen_of
from tests.rig.photo.encoded_pictures import noisy_jpeg
from tests.rig.service.quick_rig import READER
from tests.scenes import SCENES, scene

END = b"\xff\xd9"


def closed(data: bytes, kept: float) -> bytes:
    """Cut off, and closed with an end mark, as a program that repairs photos does."""
    return data[: int(len(data) * kept)] + END


@pytest.mark.parametrize("photo", sorted(SCENES.glob("*/image.jpg")), ids=lambda p: p.parent.name)
def test_whole_photos_are_not_damaged(photo: Path) -> None:
    assert decode_photo_told(photo.read_bytes(), "photo")[1] == Damage()


@pytest.mark.parametrize("kept", [0.999, 0.9, 0.5])
def test_a_photo_that_was_cut_off_and_closed_is(kept: float) -> None:
    image, damage = decode_photo_told(closed(noisy_jpeg(), kept), "photo")
    assert image.shape == (200, 300, 3)
    assert damage.plain


def test_many_flipped_bits_are_heard() -> None:
    """Four in ten: what a flip changes within one block's figures leaves the rest in step."""
    rng = np.random.default_rng(4)
    data = noisy_jpeg()
    first = data.index(b"\xff\xda") + 14
    heard = changed = 0
    whole = decode_photo_told(data, "photo")[0]
    for _ in range(60):
        flipped = bytearray(data)
        flipped[int(rng.integers(first, len(data) - 2))] ^= 1 << int(rng.integers(8))
        try:
            image, damage = decode_photo_told(bytes(flipped), "photo")
        except PhotoDamaged:
            continue
        changed += not np.array_equal(image, whole)
        heard += bool(damage.plain)
    assert heard > 0.3 * changed


def test_what_else_is_said_is_passed_on(capfd: pytest.CaptureFixture[str]) -> None:
    with damage_heard() as signs:
        os.write(2, b"Corrupt JPEG data: bad Huffman code\nsomething else\n")
    sys.stderr.flush()
    assert signs == ["Corrupt JPEG data: bad Huffman code"]
    assert capfd.readouterr().err == "something else\n"


def test_damage_is_one_doubt_that_ends_sureness() -> None:
    whole = true_reading(scene("two-walnut").truth)
    assert with_damage(whole, Damage(), (100, 80), Rules()) is whole
    doubted = with_damage(whole, Damage(("Corrupt JPEG data",)), (100, 80), Rules())
    assert (doubted.sure, doubted.sure_without_illegal) == (False, False)
    assert doubted.scores == whole.scores
    new = [doubt for doubt in doubted.doubts if doubt not in whole.doubts]
    assert [(doubt.kind, doubt.at_px) for doubt in new] == [("table", (50.0, 40.0))]


def test_the_reader_hands_the_damage_on(tmp_path: Path) -> None:
    _, data = cv2.imencode(".jpg", cv2.imdecode(np.frombuffer(noisy_jpeg(), np.uint8), 1))
    reader = ReaderProcess(published_deck(), Rules(), READER)
    try:
        for content, expected in ((data.tobytes(), 0), (closed(data.tobytes(), 0.8), 1)):
            (tmp_path / "a.jpg").write_bytes(content)
            found = reader.read(Job(tmp_path / "a.jpg", "a.jpg", None), lambda stage: None)
            assert isinstance(found, SeenText)
            seen = seen_of(found.text, published_deck())
            assert len([doubt for doubt in seen.doubts if doubt.kind == "table"]) == expected
    finally:
        reader.close()


@pytest.mark.slow
def test_the_command_line_is_not_sure_of_a_damaged_photo(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    photo = tmp_path / "a.jpg"
    photo.write_bytes(closed((SCENES / "panel-oak" / "image.jpg").read_bytes(), 0.99))
    assert run(["score", str(photo), "--json"]) == 3
    told = capfd.readouterr()
    reading = json.loads(told.out)
    assert (reading["sure"], reading["sure_without_illegal"]) == (False, False)
    assert any(doubt["kind"] == "table" for doubt in reading["doubts"])
    assert "Corrupt JPEG" not in told.err
