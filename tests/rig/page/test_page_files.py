"""The page's files: small, complete in both languages, nothing inline, nothing from elsewhere."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import get_args

import pytest

from geometry.rules import RULE_NAMES
from rig.cameras.camera import Condition, Reason
from rig.service.http.page_files import PAGE
from rig.store.frame import FrameState
from rig.wording.words import FRENCH_NAMES, PAGE_FOLDER
from rig.wording.words import page_words as words
from vision.reading import DoubtKind

MOST_BYTES = 150_000
MODULES = sorted(PAGE.rglob("*.js"))
NAMESPACES = ("http://www.w3.org/2000/svg",)


def files() -> list[Path]:
    return [path for path in PAGE.rglob("*") if path.is_file()]


def facts(sentence: str) -> set[str]:
    return set(re.findall(r"\{(\w+)[:}]", sentence))


def test_small_enough() -> None:
    fetched = [*files(), *PAGE_FOLDER.iterdir()]
    total = sum(len(gzip.compress(path.read_bytes())) for path in fetched)
    assert total < MOST_BYTES


def test_both_languages_say_the_same() -> None:
    english, french = words("en"), words("fr")
    assert len(english) > 200
    assert english.keys() == french.keys()
    for key, sentence in english.items():
        assert facts(sentence) == facts(french[key]), key


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_every_word_is_there(path: Path) -> None:
    english = words("en")
    text = path.read_text("utf-8")
    missing = {key for key in re.findall(r'\bt\("([^"]+)"', text) if key not in english}
    assert not missing
    starts = set(re.findall(r"\b(?:t|known)\(`([\w.-]+)\$\{", text))
    assert all(any(key.startswith(start) for key in english) for start in starts)


def spoken(text: str) -> re.Pattern[str]:
    """The keys that a module's texts name: whole, or put together from what it knows."""
    whole = re.findall(r"""(?:["'`])([\w.-]+)["'`]""", text)
    made = re.findall(r"`((?:[\w.-]*\$\{[^{}`]*\})+[\w.-]*)`", text)
    known = [way for way in made if re.search(r"[\w-]\.", re.sub(r"\$\{[^{}]*\}", "", way))]
    ways = [re.sub(r"\\\$\\\{.*?\\\}", r"[\\w-]+", re.escape(way)) for way in known]
    return re.compile("|".join([*map(re.escape, whole), *ways]))


def test_keys_are_found_whole_and_put_together() -> None:
    found = spoken("t('a.b'); known(`c.${kind}.${value}`); h(`id-${n}`)")
    assert all(found.fullmatch(key) for key in ("a.b", "c.dot.true"))
    assert not any(found.fullmatch(key) for key in ("a.c", "c.dot", "id-7"))


def test_no_word_is_without_somebody_to_say_it() -> None:
    sources = [path for path in files() if path.suffix in {".js", ".html"}]
    found = spoken("\n".join(path.read_text("utf-8") for path in sources))
    assert [key for key in words("en") if not found.fullmatch(key)] == []


def test_page_and_catalogue_know_the_same_colours() -> None:
    """In French a card is feminine and a colour alone is not: each side has its own words."""
    for language in ("en", "fr"):
        page = words(language)
        colours = {key.removeprefix("colour.") for key in page if key.startswith("colour.")}
        assert colours == set(FRENCH_NAMES["colours of cards"])


def test_every_code_word_has_its_sentence() -> None:
    wanted = {f"rule.{name}" for name in (*RULE_NAMES, "ruled")}
    wanted |= {f"doubt.{kind}" for kind in get_args(DoubtKind)}
    wanted |= {f"camera.is.{name}" for name in (*get_args(Condition), "none")}
    wanted |= {f"camera.{reason}" for reason in set(get_args(Reason)) - {"none"}}
    wanted |= {f"frame.{state}" for state in get_args(FrameState)}
    assert wanted <= words("en").keys()


@pytest.mark.parametrize(
    ("key", "english", "french"),
    [
        ("score.lies", "{n} with illegal cards", "{n} avec les cartes illégales"),
        ("rule.ruled", "Ruled illegal by the players", "Jugée illégale par les joueurs"),
        ("same-photo", "You already sent this photo.", "Vous avez déjà envoyé cette photo."),
        ("phone.away", "Remove phone", "Supprimer le téléphone"),
        ("role.admin", "Admin", "Admin"),
        ("target", "target {n}", "cible {n}"),
    ],
)
def test_plain_words(key: str, english: str, french: str) -> None:
    assert (words("en")[key], words("fr")[key]) == (english, french)


def test_one_french_word_for_one_thing() -> None:
    """A lens is an objectif, what is to be reached a cible; a marker is a repère."""
    for key, sentence in words("fr").items():
        if "objectif" in sentence.lower():
            assert key.startswith(("lens", "setup.")) or key == "camera.dark.do", key
        assert "marqueur" not in sentence.lower(), key


def test_nothing_inline_and_nothing_from_elsewhere() -> None:
    page = (PAGE / "index.html").read_text("utf-8")
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", page)
    for path in files():
        text = path.read_text("utf-8")
        for namespace in NAMESPACES:
            text = text.replace(namespace, "")
        assert "://" not in text, path.name
        assert "innerHTML" not in text, path.name


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_contrast(scheme: int) -> None:
    style = (PAGE / "style.css").read_text("utf-8")
    block = re.findall(r":root \{(.*?)\}", style, re.DOTALL)[scheme]
    found = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block))
    for ground in ("ground", "sheet"):
        for ink in ("ink", "faint", "main", "fine", "look", "lost"):
            assert contrast(found[ink], found[ground]) >= 4.5, (ink, ground)
        assert contrast(found["line"], found[ground]) >= 3, ground
    assert contrast(found["on-main"], found["main"]) >= 4.5
    for state in ("fine", "look", "lost"):
        assert contrast(found[state], found[f"{state}-ground"]) >= 4.5, state
