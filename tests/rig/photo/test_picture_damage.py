"""Damage that no decoder mentions is noticed in bytes and pixels; whole photos show none."""

from __future__ import annotations

import io
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from geometry.deck_file import published_deck
from geometry.rules import Rules
from measuring.scenes.true_reading import true_reading
from rig.photo import heic_damage
from rig.photo.damage_signs import Area, Damage, PlacedSign
from rig.photo.damaged_reading import is_odd, with_damage
from rig.photo.decoding import decode_photo, decode_photo_told
from rig.photo.jpeg_damage import jpeg_damage
from rig.photo.picture_damage import picture_damage
from rig.trouble import PhotoTrouble
from rig.wording.catalogue import sentence
from tests.conftest import quick_or_thorough
from tests.rig.photo.damaged_pictures import wrong_and_sure
from tests.rig.photo.picture_families import (
    FAMILIES,
    Image8,
    damaged,
    tiled_heic,
    whole_heic,
    whole_of,
)
from tests.scenes import SCENES, scene
from vision.read import read_table
from vision.reading import Reading

COUNT = 40
CHANGED = 10
"""Levels by which a pixel has changed where somebody could see it."""
LEVELS_OF_CODING = 8
SURELY_NOTICED = ("closed", "repeated", "zeroed", "rows_repeated", "rows_greyed")


def smaller(name: str, share: float) -> Image8:
    image = decode_photo((SCENES / name / "image.jpg").read_bytes(), "photo")
    return np.asarray(
        cv2.resize(image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8
    )


def coded(image: Image8, kind: str = "JPEG", **options: Any) -> bytes:
    found = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(image[..., ::-1])).save(found, kind, **options)
    return found.getvalue()


@pytest.fixture(scope="module")
def photo() -> bytes:
    return coded(smaller("window-felt", 0.42), quality=90)


@pytest.mark.slow
@pytest.mark.parametrize("most", quick_or_thorough([1, 2], [1]))
def test_of_damaged_pictures_no_wrong_score_is_called_sure(photo: bytes, most: int) -> None:
    """Where nothing is noticed, the reading has to know: the most changed ones are read."""
    outcomes: dict[str, Counter[str]] = {family: Counter() for family in FAMILIES}
    right = {family: decode_photo(whole_of(family, photo), "photo") for family in FAMILIES}
    unnoticed: list[tuple[int, str, Image8, Damage]] = []
    for number in range(COUNT):
        family = list(FAMILIES)[number % len(FAMILIES)]
        try:
            image, damage = decode_photo_told(damaged(family, photo, number), "photo")
        except PhotoTrouble:
            outcomes[family]["noticed"] += 1
            continue
        outcomes[family]["noticed" if damage.signs else "unnoticed"] += 1
        if not damage.signs:
            unnoticed.append((seen_change(image, right[family]), family, image, damage))
    for family in SURELY_NOTICED:
        assert set(outcomes[family]) == {"noticed"}, (family, outcomes[family])
    assert sum(counts["noticed"] for counts in outcomes.values()) > 0.7 * COUNT, outcomes
    unnoticed.sort(key=lambda one: -one[0])
    assert len(unnoticed) >= most
    whole = {family: read(right[family]) for family in {one[1] for one in unnoticed[:most]}}
    for change, family, image, damage in unnoticed[:most]:
        size_wh = (image.shape[1], image.shape[0])
        told = with_damage(read(image), damage, size_wh, Rules())
        assert not wrong_and_sure(told, whole[family]), (family, change)


def seen_change(image: Image8, whole: Image8) -> int:
    """How many pixels are others than they were."""
    if image.shape != whole.shape:
        return whole.size
    return int((np.abs(image.astype(np.int16) - whole).max(axis=2) > CHANGED).sum())


def read(image: Image8) -> Reading:
    found = read_table(image, published_deck(), None, Rules())
    assert isinstance(found, Reading)
    return found


@pytest.mark.parametrize("name", ["dim-navy", "spread-white", "panel-oak"])
@pytest.mark.parametrize("share", [1.0, 0.63])
def test_whole_pictures_show_no_damage(name: str, share: float) -> None:
    assert picture_damage(smaller(name, share)) == Damage()


@pytest.mark.parametrize(
    "options",
    [
        {"quality": 50},
        {"quality": 75, "progressive": True},
        {"quality": 92, "optimize": True},
        {"quality": 90, "subsampling": 0, "restart_marker_blocks": 5},
        {"quality": 100},
    ],
)
def test_whole_jpegs_show_no_damage(options: dict[str, int]) -> None:
    data = coded(smaller("panel-oak", 0.4), "JPEG", **options)
    assert decode_photo_told(data, "photo")[1] == Damage()


def test_whole_pictures_of_other_kinds_show_no_damage(photo: bytes) -> None:
    assert decode_photo_told(whole_heic(photo), "photo")[1] == Damage()
    for kind in ("WEBP", "PNG"):
        data = coded(smaller("panel-oak", 0.4), kind)
        assert decode_photo_told(data, "photo")[1] == Damage()


@pytest.mark.parametrize("place", [None, "/nowhere/libde265.so"])
def test_a_heic_is_in_doubt_where_its_decoder_cannot_be_asked(
    photo: bytes, monkeypatch: pytest.MonkeyPatch, place: str | None
) -> None:
    monkeypatch.setattr(heic_damage, "_place", lambda: place)
    damage = decode_photo_told(whole_heic(photo), "photo")[1]
    assert damage == Damage(unchecked=True)
    sure = true_reading(scene("full-felt").truth)
    told = with_damage(sure, damage, (100, 80), Rules())
    assert (sure.sure, told.sure, told.sure_without_illegal) == (True, False, False)
    (doubt,) = told.doubts
    assert (doubt.kind, doubt.at_px) == ("table", (50.0, 40.0))
    assert "could not be checked" in sentence(doubt.reason, "en")
    assert "pas pu vérifier" in sentence(doubt.reason, "fr")


def test_a_heic_is_in_doubt_where_its_parts_cannot_be_found(photo: bytes) -> None:
    unknown = whole_heic(photo).replace(b"hvcC", b"????")
    assert heic_damage.heic_damage(unknown) == Damage(unchecked=True)


def test_damage_within_a_tile_of_a_heic_is_noticed() -> None:
    photo = (SCENES / "panel-oak" / "image.jpg").read_bytes()
    whole = tiled_heic(photo, 256)
    image, damage = decode_photo_told(whole, "photo")
    assert damage == Damage()
    shown = decode_photo(photo, "photo")[:512, :512]
    assert np.abs(image.astype(int) - shown).mean() < LEVELS_OF_CODING
    spoiled = bytearray(whole)
    spoiled[-3000:-2700] = np.random.default_rng(0).bytes(300)
    assert heic_damage.heic_damage(bytes(spoiled)).plain


def test_the_decoder_asked_is_the_one_that_libheif_uses(photo: bytes) -> None:
    decode_photo(whole_heic(photo), "photo")
    maps = Path("/proc/self/maps").read_text().splitlines()
    loaded = {line.split(maxsplit=5)[5] for line in maps if "libde265" in line}
    assert Path(str(heic_damage._place())).resolve() in {Path(one).resolve() for one in loaded}


def test_black_or_white_at_the_rim_is_a_frame(photo: bytes) -> None:
    image = decode_photo(photo, "photo")
    for colour in (0, 255):
        framed = cv2.copyMakeBorder(image, 40, 40, 0, 0, cv2.BORDER_CONSTANT, value=[colour] * 3)
        high, wide = framed.shape[:2]
        rim = Area(0, 0, wide, 40), Area(0, high - 40, wide, high)
        assert picture_damage(np.asarray(framed, np.uint8)) == Damage(bars=rim)
    image[300:330] = 0
    band = PlacedSign("a band of one colour", Area(0, 300, image.shape[1], 330))
    assert picture_damage(image) == Damage(placed=(band,))


def test_what_comes_after_the_picture_does_not_matter(photo: bytes) -> None:
    assert jpeg_damage(photo + b"a film") == Damage()


def test_a_quantiser_that_no_encoder_makes_is_damage(photo: bytes) -> None:
    at = photo.index(b"\xff\xdb") + 5
    changed_once = bytearray(photo)
    changed_once[at + 9] ^= 0x10
    assert jpeg_damage(bytes(changed_once)).plain == ("a quantiser's figure is not its encoder's",)
    smooth = bytearray(photo)
    smooth[at : at + 64] = bytes(2 + n // 8 for n in range(64))  # as another encoder might
    assert jpeg_damage(bytes(smooth)) == Damage()


def test_faint_signs_count_where_the_reading_is_odd_as_well() -> None:
    whole = true_reading(scene("two-walnut").truth)
    faint = Damage(faint=("something",))
    doubted = with_damage(whole, faint, (100, 80), Rules())
    assert is_odd(whole) == (len(doubted.doubts) > len(whole.doubts))
    full = true_reading(scene("full-felt").truth)
    assert not is_odd(full)
    assert with_damage(full, faint, (100, 80), Rules()) is full
