"""What the reader, the rules and the matches say has its French, with the figures in it."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from rig.scenes.true_reading import true_reading
from rig.service.sentences_fr import in_french
from rig.service.wording import said, worded
from rig.wording.catalogue import sentence
from rig.wording.kept_reasons import facts_data
from tests.rig.service.table_top import TableTop
from tests.scenes import scene
from vision.reason import Reason

ROOT = Path(__file__).parents[3]
SPEAKERS = [ROOT / "rig/rounds/match.py"]
TELLS = frozenset({"_refuse", "append"})
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
    assert len(found) > 3
    assert [text for text in found if in_french(text) is None] == []


@pytest.mark.parametrize(
    ("english", "french"),
    [
        ("expected red, blue", "attendu : red, blue"),
        ("JPEG, PNG, WebP or HEIC", "JPEG, PNG, WebP ou HEIC"),
    ],
)
def test_figures_and_names_stay(english: str, french: str) -> None:
    assert in_french(english) == french


def test_what_is_not_known_stays_english() -> None:
    assert in_french("The moon is full.") is None
    assert said("The moon is full.", "fr") == "The moon is full."
    assert said("needs two colours at least", "en") == "needs two colours at least"


def test_why_a_photo_was_not_read_is_kept_in_every_language() -> None:
    reason = Reason("too-dark", {"share": 0.05, "needed": 0.15})
    kept = facts_data({"name": "a.jpg", "why": reason})
    answer = worded("table-not-seen", json.loads(json.dumps(kept)), "", "fr")
    assert answer == f"a.jpg n'a pas pu être lue : {sentence(reason, 'fr')}"
    before = {"name": "a.jpg", "why": "The picture is too dark."}
    assert worded("table-not-seen", before, "", "fr").endswith(": The picture is too dark.")


def test_a_reading_is_in_the_language_asked_for(rig: TableTop) -> None:
    frame = rig.frame()
    english = rig.get(f"/frames/{frame}/reading").json()
    french = rig.get(f"/frames/{frame}/reading", **{"Accept-Language": "fr"}).json()
    reading = true_reading(scene("two-walnut").truth)
    for told, language in ((english, "en"), (french, "fr")):
        assert [one["message"] for one in told["illegal"]] == [
            sentence(one.reason, language) for one in reading.illegal
        ]
        assert [one["reason"] for one in told["doubts"]] == [
            sentence(one.reason, language) for one in reading.doubts
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
