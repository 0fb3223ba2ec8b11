"""Every code that is told has its sentence in both languages, and the facts that these name."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

from geometry.deck_file import published_deck
from geometry.layout import Card, Layout
from geometry.pose import Pose
from geometry.rules import RULE_NAMES, Rules, Tolerance
from geometry.verdict import Status, Verdict
from measuring.scenes.true_reading import true_reading, true_table
from rig.wording.catalogue import CATALOGUE, filled, sentence
from rig.wording.kept_reasons import reason_data, reason_of
from rig.wording.words import ALSO_TOLD, FOLDER, SUBJECTS, TROUBLES, page_words
from tests.scenes import scene
from vision.assemble import assemble, placement_reason
from vision.reason import CardName, Reason

LANGUAGES = ("en", "fr")
ROOT = Path(__file__).parents[3]
SPEAKERS = sorted(
    path
    for package in ("vision", "calibration", "simulator", "referee", "rig", "measuring")
    for path in (ROOT / package).rglob("*.py")
)

PLACEMENTS, REQUESTS, REFEREE = (SUBJECTS[one] for one in ("placements", "requests", "referee"))
BUILT = {
    *PLACEMENTS, *REQUESTS, *SUBJECTS["cameras"], *SUBJECTS["watching"],
    "camera.waiting.do",
    *SUBJECTS["lens-wishes"], *SUBJECTS["lens-verdicts"], *SUBJECTS["lens-keeping"],
    "in-english", "in-either-language", "place-table-moved", "place-marker-moved",
    *(code for code in REFEREE if code.startswith("event-")),
    "enrol-no-cards-size", "enrol-two-cards-size", "enrol-start-overlaps", "enrol-start-guessed",
}  # fmt: skip
"""Codes that are put together: of rules, of what pydantic found, of outcomes, grades and events, of
what a camera says and what is seen of the table.
"""


def facts_named(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


@cache
def trees() -> tuple[ast.Module, ...]:
    """The whole source but the catalogue's own."""
    return tuple(
        ast.parse(path.read_text("utf-8")) for path in SPEAKERS if path.parent.name != "wording"
    )


@cache
def reasons_told() -> tuple[tuple[str, set[str]], ...]:
    return tuple(_reasons_told())


def _reasons_told() -> Iterator[tuple[str, set[str]]]:
    """The codes of all reasons that stand in the source, and the facts that each comes with."""
    functions = [
        node for tree in trees() for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
    ]
    made = {
        node.name: facts
        for node in functions
        for one in node.body
        if isinstance(one, ast.Return) and (facts := keys_of(one.value, {}))
    }
    in_functions: set[ast.AST] = set()
    for function in functions:
        nodes = list(ast.walk(function))
        in_functions |= set(nodes)
        local = {
            node.targets[0].id: keys_of(node.value, made)
            for node in nodes
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        }
        yield from reasons_in(nodes, {**made, **local})
    outside = [node for tree in trees() for node in ast.walk(tree) if node not in in_functions]
    yield from reasons_in(outside, made)


def reasons_in(
    nodes: Sequence[ast.AST], known: dict[str, set[str]]
) -> Iterator[tuple[str, set[str]]]:
    for node in nodes:
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Reason":
            code, *rest = node.args
            if isinstance(code, ast.Constant):
                yield str(code.value), keys_of(rest[0] if rest else None, known)


def keys_of(facts: ast.expr | None, known: dict[str, set[str]]) -> set[str]:
    """The facts' names in a dictionary, or in what a function or a name here is known to hold."""
    if isinstance(facts, ast.Dict):
        named = {str(key.value) for key in facts.keys if isinstance(key, ast.Constant)}
        more = [value for key, value in zip(facts.keys, facts.values, strict=True) if key is None]
        return named.union(*(keys_of(value, known) for value in more))
    if isinstance(facts, ast.Call):
        return known.get(getattr(facts.func, "id", ""), set())
    return known.get(facts.id, set()) if isinstance(facts, ast.Name) else set()


@cache
def texts() -> frozenset[str]:
    """All texts in the source but the catalogue's own."""
    return frozenset(
        str(node.value)
        for tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def test_every_code_stands_for_one_sentence() -> None:
    assert len(CATALOGUE) == sum(len(told) for told in SUBJECTS.values())


def test_each_file_of_words_has_the_other_language_s_keys() -> None:
    files = [json.loads((FOLDER / f"{one}.json").read_text("utf-8")) for one in LANGUAGES]
    del files[0]["troubles of commands"]
    english, french = ({(by, code) for by in one for code in one[by]} for one in files)
    assert len(english) > 300
    assert english == french
    assert page_words("en").keys() == page_words("fr").keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_rig_and_the_page_both_say_stands_once(language: str) -> None:
    page = page_words(language)
    told = {words[LANGUAGES.index(language)] for words in CATALOGUE.values()}
    twice = {key for key, text in page.items() if text in told and text.count(" ") > 1}
    assert twice == set(ALSO_TOLD)


@pytest.mark.parametrize("key", TROUBLES["fr"])
def test_a_trouble_says_the_same_facts_in_french(key: str) -> None:
    assert facts_named(TROUBLES["fr"][key]) <= facts_named(TROUBLES["en"][key])


BASES = {"photo", "setting", "store", "refused", "correction-refused", "game-refused"}
"""Kinds of troubles that are never raised themselves."""


def test_every_trouble_has_its_sentence_and_every_sentence_its_trouble() -> None:
    made = {
        ast.literal_eval(keyword.value)
        for tree in trees()
        for one in ast.walk(tree)
        if isinstance(one, ast.ClassDef)
        for keyword in one.keywords
        if keyword.arg == "key"
    }
    assert len(made) > 100
    assert made - BASES <= TROUBLES["en"].keys()
    assert TROUBLES["en"].keys() <= texts()


@pytest.mark.parametrize("code", CATALOGUE)
def test_both_languages_tell_the_same_facts(code: str) -> None:
    english, french = CATALOGUE[code]
    assert english
    assert french
    if code not in {*REQUESTS, "in-either-language"}:  # whose English comes with them
        assert facts_named(french) <= facts_named(english)


def test_what_is_told_is_in_the_catalogue_with_its_facts() -> None:
    told = reasons_told()
    assert len(told) > 30
    lacking = {
        code: facts_named(CATALOGUE[code].english) - facts if code in CATALOGUE else "no sentence"
        for code, facts in told
    }
    assert {code: gap for code, gap in lacking.items() if gap} == {}


def test_what_is_told_by_a_code_alone_has_no_facts() -> None:
    for code in set(CATALOGUE) - BUILT - {code for code, _ in reasons_told()}:
        assert facts_named(CATALOGUE[code].english) == set(), code


def test_no_sentence_is_without_somebody_to_tell_it() -> None:
    assert set(CATALOGUE) - BUILT <= texts()


def test_the_reading_holds_no_sentences() -> None:
    """But what a programmer is told by an error."""
    found = []
    for path in (ROOT / "vision").rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        other: set[ast.AST] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Raise):
                other |= set(ast.walk(node))
            elif isinstance(node, ast.Expr):
                other.add(node.value)
        texts = [n for n in ast.walk(tree) if isinstance(n, ast.Constant) and n not in other]
        found += [n.value for n in texts if isinstance(n.value, str) and n.value.count(" ") > 1]
    assert found == []


def laid(*cards: tuple[str, str]) -> Layout:
    places = (Pose(100.0 * k, 0.0, 0.0) for k in range(len(cards)))
    return Layout(
        published_deck(),
        tuple(
            Card(k, colour, face, pose)
            for k, ((colour, face), pose) in enumerate(zip(cards, places, strict=True))
        ),
        None,
    )


TWO = laid(("blue", "circle-3"), ("red", "square-1"))


@pytest.mark.parametrize("status", sorted(set(get_args(Status)) - {"legal", "free", "start"}))
@pytest.mark.parametrize("rule", RULE_NAMES)
@pytest.mark.parametrize(("mm", "deg"), [(2.5, None), (2.5, 4.0), (1.0, 4.0)])
def test_every_placement_has_its_sentence(
    rule: str, status: Status, mm: float, deg: float | None
) -> None:
    verdict = Verdict(1, status, rule, (0,), mm, deg)  # type: ignore[arg-type]
    told = placement_reason(verdict, TWO, Tolerance())
    assert told.code in PLACEMENTS
    for language in ("en", "fr"):
        said = sentence(told, language)
        assert said.endswith(".")
        assert "{" not in said


def test_a_placement_that_breaks_no_rule_has_none() -> None:
    with pytest.raises(ValueError, match="breaks no rule"):
        placement_reason(Verdict(1, "legal"), TWO, Tolerance())


LIMITS = {"legal_mm": 2.0, "illegal_mm": 3.0, "legal_deg": 3.0, "illegal_deg": 4.5}
OFF = Reason(
    "misaligned-both-borderline",
    {
        "card": CardName("red", "square-1"),
        "on": (CardName("blue", "circle-3"),),
        "offset_mm": 3.2,
        "offset_deg": 4.0,
        **LIMITS,
    },
)
THREE = Reason(
    "two_cards",
    {
        "card": CardName(),
        "on": (CardName("pink", "square-1"), CardName("dark teal", "triangle-2"), CardName()),
        "offset_mm": 5.1,
        **LIMITS,
    },
)
ALONE = Reason("own_colour", {"card": CardName("red", "square-1"), "on": ()})


@pytest.mark.parametrize(
    ("reason", "english", "french"),
    [
        (
            OFF,
            (
                "This red card lies 3.2 mm and 4.0 degrees off the blue 3\xa0● it covers; up to "
                "2 mm and 3 degrees is fine, and from 3 mm or 4.5 degrees it is illegal: look "
                "closely."
            ),
            (
                "Cette carte rouge est décalée de 3,2 mm et 4,0 degrés sur la carte bleue (3\xa0●) "
                "qu'elle couvre ; jusqu'à 2 mm et 3 degrés, c'est permis, et à partir de 3 mm ou "
                "4,5 degrés, illégal : regardez de près."
            ),
        ),
        (
            THREE,
            (
                "The starting card lies on the pink 1\xa0■, the dark teal 2\xa0▲ and the "
                "starting card, 5.1 mm deep; touching a second one by up to 2 mm is fine."
            ),
            (
                "La carte de départ est posée sur la carte rose (1\xa0■), la carte dark teal "
                "(2\xa0▲) et la carte de départ, de 5,1 mm ; en toucher une seconde est permis "
                "jusqu'à 2 mm."
            ),
        ),
        (
            ALONE,
            "This red card covers card below, a card of its own colour.",
            "Cette carte rouge couvre la carte dessous, une carte de sa propre couleur.",
        ),
        (
            Reason("colour-unclear", {"colour": "pink", "rival": "red"}),
            "this card may be pink or red",
            "cette carte peut être rose ou rouge",
        ),
        (
            Reason("too-dark", {"share": 0.07, "needed": 0.15}),
            (
                "The picture is too dark: its brightest parts reach 7% of full scale, white lines "
                "need 15%; add light or a longer exposure."
            ),
            (
                "L'image est trop sombre : ses parties les plus claires atteignent 7 % de "
                "l'échelle, les lignes blanches demandent 15 % ; ajoutez de la lumière ou posez "
                "plus longtemps."
            ),
        ),
        (reason_of("The moon is full."), "The moon is full.", "The moon is full."),
    ],
)
def test_figures_and_names_are_those_of_the_language(
    reason: Reason, english: str, french: str
) -> None:
    assert (sentence(reason), sentence(reason, "fr")) == (english, french)


def test_a_reason_comes_back_as_it_was_kept() -> None:
    inner = Reason("face-unclear", {"face": "circle-1", "rival": "circle-2"})
    whole = Reason("in-english", {"sentence": inner, "count": 3, "share": 0.1})
    assert reason_of(reason_data(whole)) == whole
    assert sentence(whole, "fr") == sentence(inner, "fr")


@pytest.mark.parametrize("change", [{"code": "gone"}, {"facts": {}}, {"facts": {"share": "x"}}])
def test_what_another_version_kept_in_other_words_stays_english(change: dict[str, object]) -> None:
    kept = reason_data(Reason("blurred", {"share": 0.3, "needed": 0.42}))
    found = reason_of({**kept, **change})
    assert sentence(found) == sentence(found, "fr") == kept["english"]
    assert kept["english"].startswith("the picture is blurred: thin lines keep 30%")


@pytest.mark.parametrize(
    ("name", "rule", "words"),
    [
        (
            "lamp-white",
            "misaligned",
            "This pink card lies 4.5 mm off the pink 6\xa0▲ it cover",
        ),
        (
            "two-walnut",
            "misaligned",
            "lies 7.6 mm and 14.3 degrees off the red 4\xa0■",
        ),
        (
            "panel-oak",
            "two_cards",
            "This blue card lies on the blue 4\xa0■ and the pink 3\xa0▲",
        ),
        (
            "dim-navy",
            "mismatched",
            "This purple card covers part of the green 3\xa0▲, but",
        ),
    ],
)
def test_messages_are_plain(name: str, rule: str, words: str) -> None:
    messages = [
        sentence(item.reason)
        for item in true_reading(scene(name).truth).illegal
        if item.rule == rule
    ]
    assert any(words in message for message in messages)
    assert all(message.endswith("fine.") and "\n" not in message for message in messages)


def test_messages_name_the_table_s_own_tolerance() -> None:
    truth = scene("lamp-white").truth
    wide = Rules(Tolerance(legal_mm=2.5, illegal_mm=3.5))
    messages = [sentence(item.reason) for item in true_reading(truth, wide).illegal]
    assert any("up to 2.5 mm is fine" in message for message in messages)


def test_a_card_of_its_own_colour_is_named() -> None:
    own = assemble(true_table(scene("full-felt").truth), Rules(free_for_all=True))
    covered = [item for item in own.illegal if item.rule == "own_colour"]
    assert covered
    assert all("a card of its own colour." in sentence(item.reason) for item in covered)


COUNTED = {
    "disk-room": (
        ("room for about 0 pictures.", "room for about 1 picture.", "room for about 2 pictures."),
        ("environ 0 photo.", "environ 1 photo.", "environ 2 photos."),
    ),
    "kept-unknown": (
        ("0 photos are unknown", "1 photo is unknown", "2 photos are unknown"),
        ("0 photo est inconnue", "1 photo est inconnue", "2 photos sont inconnues"),
    ),
    "kept-lost": (
        ("0 files that belong ", "1 file that belongs ", "2 files that belong "),
        ("0 fichier qui ne va ", "1 fichier qui ne va ", "2 fichiers qui ne vont "),
    ),
    "table-markers": (
        ("0 of 4 markers", "1 of 4 markers", "2 of 4 markers"),
        ("0 repère sur 4", "1 repère sur 4", "2 repères sur 4"),
    ),
    "fit-on-area": (
        ("0 markers and no lone card agree", "1 marker and 1 lone card agree",
         "2 markers and 2 lone cards agree"),
        ("0 repère et aucune carte seule s'", "1 repère et 1 carte seule s'",
         "2 repères et 2 cartes seules s'"),
    ),
    "fit": (
        ("0 markers and no lone card agree", "1 marker and 1 lone card agree",
         "2 markers and 2 lone cards agree"),
        ("0 repère et aucune carte seule s'", "1 repère et 1 carte seule s'",
         "2 repères et 2 cartes seules s'"),
    ),
    "fit-few-markers": (
        ("no marker is seen;", "only 1 marker is seen;", "2 markers are seen;"),
        ("aucun repère ne se voit ;", "un seul repère se voit ;", "2 repères se voient ;"),
    ),
    "enrol-faces-taken": (
        ("0 faces were not", "1 face was not photographed and is taken", "2 faces were not"),
        ("0 face n'a pas", "1 face n'a pas été photographiée et vient de", "2 faces n'ont pas"),
    ),
    "enrol-no-colour": (
        ("a card of 0 dots:", "a card of 1 dot:", "a card of 2 dots:"),
        ("une carte de 0 point :", "une carte de 1 point :", "une carte de 2 points :"),
    ),
    "board-few-corners": (
        ("0 corners of the board are seen", "1 corner of the board is seen", "2 corners of"),
        ("0 coin de la mire se voit", "1 coin de la mire se voit", "2 coins de la mire se voient"),
    ),
    "lens-too-few-photos": (
        ("0 usable photos of", "1 usable photo of", "2 usable photos of"),
        ("0 photo utilisable de", "1 photo utilisable de", "2 photos utilisables de"),
    ),
    "request-string_too_short": (("", "", ""), ("0 lettre", "1 lettre", "2 lettres")),
    "request-string_too_long": (("", "", ""), ("0 lettre", "1 lettre", "2 lettres")),
    "request-too_short": (("", "", ""), ("0 élément", "1 élément", "2 éléments")),
    "request-too_long": (("", "", ""), ("0 élément", "1 élément", "2 éléments")),
}  # fmt: skip
"""Sentences that count: what each says of none, of one and of two."""
A_VERB = "has|is|was|does|holds|needs|belongs|shows|takes"
BEFORE_A_WORD = re.compile(rf"\{{(\w+)(?::[a-z]{{2,}})?\}} (?!(?:{A_VERB})\b)\w+s\b")
NEVER_ONE = frozenset(
    {"card", "was", "names", "camera", "what", "family", "board", "text", "colour",
     "rows", "height", "counts", "legal_deg", "limit", "most", "photos", "found"}
)  # fmt: skip
"""Facts that are no number of things, or one that is always above one: a picture's height, a
chessboard's rows, a limit, all photos beside a database that does not know them, several tokens of
one name."""
FACTS = {"deck": "tacta", "names": "a", "folder": "f", "faces": ["circle-1"], "english": "-",
         "needed": 3, "width_mm": 1.0, "height_mm": 1.0, "rms_mm": 1.0, "tilt_deg": 1.0,
         "free_gb": 1.0, "px_per_mm": 1.0}  # fmt: skip


def counts(text: str) -> list[str]:
    """The facts that are counted in a template."""
    return [str(name) for _, name, spec, _ in Formatter().parse(text) if "|" in (spec or "")]


def test_each_sentence_that_counts_is_looked_at() -> None:
    found = {code for code, words in CATALOGUE.items() if any(map(counts, words))}
    assert found == set(COUNTED)


@pytest.mark.parametrize("code", COUNTED)
def test_what_is_counted_reads_right_of_none_one_and_two(code: str) -> None:
    names = {name for text in CATALOGUE[code] for name in (*counts(text), "count")}
    for language, text, wanted in zip(("en", "fr"), CATALOGUE[code], COUNTED[code], strict=True):
        for count, part in enumerate(wanted):
            assert part in filled(text, {**FACTS, **dict.fromkeys(names, count)}, language)


def plural_after_a_count(text: str) -> list[str]:
    """The facts of a sentence that may be 1 and stand before a plural."""
    return [name for name in BEFORE_A_WORD.findall(text) if name not in NEVER_ONE]


def test_no_count_stands_before_a_plural() -> None:
    """One thing would be told as many."""
    assert plural_after_a_count("{phones} phones were told, {n} has none") == ["phones"]
    texts = [*chain(*CATALOGUE.values()), *TROUBLES["en"].values(), *TROUBLES["fr"].values()]
    assert len(texts) > 500
    assert {text: found for text in texts if (found := plural_after_a_count(text))} == {}
