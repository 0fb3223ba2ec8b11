"""What the reader, the rules and the matches say has its French, with the figures in it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from geometry.rules import Rules
from rig.scenes.true_reading import true_reading
from rig.service.sentences_fr import in_french
from rig.service.wording import said, worded
from tests.rig.service.table_top import TableTop
from tests.scenes import SCENES, scene

ROOT = Path(__file__).parents[3]
SPEAKERS = [
    *sorted({*(ROOT / "vision").rglob("*.py")} - {ROOT / "vision/placement_wording.py"}),
    *(
        ROOT / "rig" / name
        for name in ("corrections/rulings.py", "corrections/twins.py", "photo_damage.py")
    ),
    ROOT / "rig/rounds/match.py",
]
TELLS = frozenset({"NotSeen", "Doubt", "Illegal", "_refuse", "append"})
LEAST_LETTERS = 12


def sentences(path: Path) -> list[str]:
    """What a module says to people, with a figure or a colour in each gap."""
    tree = ast.parse(path.read_text("utf-8"))
    texts = [_text(node) for node in _spoken(tree)]
    return sorted({text for text in texts if len(text) >= LEAST_LETTERS and " " in text})


def _spoken(tree: ast.AST) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and _is_reason(node.targets[0]):
            yield from _branches(node.value)
        elif isinstance(node, ast.FunctionDef) and node.name.endswith("_reason"):
            yield from (
                one.value for one in ast.walk(node) if isinstance(one, ast.Return) and one.value
            )
        elif isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            yield from node.args if name in TELLS else ()
            yield from (word.value for word in node.keywords if word.arg == "reason")


def _is_reason(target: ast.expr) -> bool:
    return isinstance(target, ast.Name) and target.id == "reason"


def _branches(value: ast.expr) -> list[ast.expr]:
    if isinstance(value, ast.IfExp):
        return [*_branches(value.body), *_branches(value.orelse)]
    return [value]


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if not isinstance(node, ast.JoinedStr):
        return ""
    return "".join(
        _gap(part) if isinstance(part, ast.FormattedValue) else _text(part) for part in node.values
    )


def _gap(part: ast.FormattedValue) -> str:
    name = ast.unparse(part.value)
    if name.endswith("face"):
        return "circle-3"
    words = ("colour", "rival", "owner", "looks", "name", "join", "crowded")
    if any(word in name for word in words):
        return "blue"
    return "7%" if part.format_spec and "%" in ast.unparse(part.format_spec) else "7"


def test_every_sentence_has_its_french() -> None:
    found = [text for path in SPEAKERS for text in sentences(path)]
    assert len(found) > 25
    assert [text for text in found if in_french(text) is None] == []


@pytest.mark.parametrize("name", sorted(path.name for path in SCENES.iterdir()))
def test_placements_have_their_french(name: str) -> None:
    reading = true_reading(scene(name).truth, Rules(free_for_all=True))
    spoken = [one.message for one in reading.illegal]
    spoken += [doubt.reason for doubt in reading.doubts if doubt.kind == "verdict"]
    assert [text for text in spoken if in_french(text) is None] == []


OFF = (
    "This red card lies 3.2 mm and 4.0 degrees off the blue circle-3 it covers; up to 2 mm "
    "and 3 degrees is fine, and from 3 mm or 4.5 degrees it is illegal: look closely."
)
OFF_FR = (
    "Cette carte rouge est décalée de 3,2 mm et 4,0 degrés sur la carte bleue (rond 3) "
    "qu'elle couvre ; jusqu'à 2 mm et 3 degrés, c'est permis, et à partir de 3 mm ou 4,5 "
    "degrés, illégal : regardez de près."
)
THREE = (
    "The starting card lies on the pink square-1, the dark teal triangle-2 and the starting "
    "card, 5.1 mm deep; touching a second one by up to 2 mm is fine."
)
THREE_FR = (
    "La carte de départ est posée sur la carte rose (carré 1), la carte dark teal (triangle 2) "
    "et la carte de départ, de 5,1 mm ; en toucher une seconde est permis jusqu'à 2 mm."
)


@pytest.mark.parametrize(
    ("english", "french"),
    [
        (OFF, OFF_FR),
        (THREE, THREE_FR),
        (
            "This red card covers card below, a card of its own colour.",
            "Cette carte rouge couvre la carte dessous, une carte de sa propre couleur.",
        ),
        ("this card may be pink or red", "cette carte peut être rose ou rouge"),
        ("expected red, blue", "attendu : red, blue"),
        ("JPEG, PNG, WebP or HEIC", "JPEG, PNG, WebP ou HEIC"),
    ],
)
def test_figures_and_names_stay(english: str, french: str) -> None:
    assert in_french(english) == french


def test_what_is_not_known_stays_english() -> None:
    assert in_french("The moon is full.") is None
    assert said("The moon is full.", "fr") == "The moon is full."
    assert said("this dot is about half hidden", "en") == "this dot is about half hidden"
    facts = {"name": "a.jpg", "why": "the starting card is not seen"}
    answer = worded("table-not-seen", facts, "", "fr")
    assert answer == "a.jpg n'a pas pu être lue : la carte de départ ne se voit pas"


def test_a_reading_is_in_the_language_asked_for(rig: TableTop) -> None:
    frame = rig.frame()
    english = rig.get(f"/frames/{frame}/reading").json()
    french = rig.get(f"/frames/{frame}/reading", **{"Accept-Language": "fr"}).json()
    assert [one["message"] for one in french["illegal"]] == [
        in_french(one["message"]) for one in english["illegal"]
    ]
    assert english["illegal"]
    made = rig.post(
        f"/frames/{frame}/corrections",
        {
            "version": english["version"],
            "correction": {"kind": "verdict", "card": 5, "legal": False},
        },
        **{"Accept-Language": "fr"},
    )
    messages = [one["message"] for one in made.json()["reading"]["illegal"]]
    assert "Jugée illégale par les joueurs." in messages
