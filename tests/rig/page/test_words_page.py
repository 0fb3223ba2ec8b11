"""What the page says of none, one and two, and how cards are read out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rig.service.frames.reader import SeenText
from rig.wording.words import page_words as words
from tests.rig.page.browser import browser_only, shots
from tests.rig.page.chromium import phone
from tests.rig.page.doubted_tables import doubted_table
from tests.rig.service.table_top import jpeg, table_top

pytestmark = browser_only
COUNTED = {
    "en": {
        "check.left": ("0 questions are open.", "1 question is open.", "2 questions are open."),
        "coach.places": ("0 legal places,", "1 legal place,", "2 legal places,"),
        "coach.safe": ("0 dots safe", "1 dot safe", "2 dots safe"),
        "replay.plan.alt": ("0 cards on the", "1 card on the", "2 cards on the"),
        "room": ("0 photos stored, ", "1 photo stored, ", "2 photos stored, "),
        "missing": ("0 cards are missing", "1 card is missing", "2 cards are missing"),
        "missing.which": ("0 cards are missing: ", "1 card is missing: ", "2 cards are missing: "),
        "unexpected": ("0 cards do not", "1 card does not belong", "2 cards do not belong"),
        "illegal": ("0 illegal cards", "1 illegal card", "2 illegal cards"),
        "free": ("0 cards cover no", "1 card covers no other", "2 cards cover no other"),
        "deck.cards": ("0 cards read.", "1 card read.", "2 cards read."),
        "deck.in-use": ("(0 faces).", "(1 face).", "(2 faces)."),
        "deck.read": ("0 faces read,", "1 face read,", "2 faces read,"),
        "lens.cells": ("0 of 0 parts", "1 of 1 parts", "2 of 2 parts"),
        "lens.tilts": ("0 of 4 ways", "1 of 4 ways", "2 of 4 ways"),
        "card.dots": ("0 visible, 0 hidden", "1 visible, 1 hidden", "2 visible, 2 hidden"),
        "backups.restore.sure": (
            "0 photos with their readings, 0 rounds and 0 image files, and replaces 0 things that",
            "1 photo with its reading, 1 round and 1 image file, and replaces 1 thing that is",
            "2 photos with their readings, 2 rounds and 2 image files, and replaces 2 things that",
        ),
    },
    "fr": {
        "check.left": ("0 question est ouv", "1 question est ouv", "2 questions sont ouvertes."),
        "coach.places": ("0 place permise,", "1 place permise,", "2 places permises,"),
        "coach.safe": ("0 point à l'abri", "1 point à l'abri", "2 points à l'abri"),
        "replay.plan.alt": ("0 carte sur", "1 carte sur", "2 cartes sur"),
        "room": ("0 photo enregistrée, ", "1 photo enregistrée, ", "2 photos enregistrées, "),
        "missing": ("0 carte manque", "1 carte manque", "2 cartes manquent"),
        "missing.which": ("0 carte manque :", "1 carte manque :", "2 cartes manquent :"),
        "unexpected": ("0 carte n'est pas", "1 carte n'est pas", "2 cartes ne sont pas"),
        "illegal": ("0 carte illégale", "1 carte illégale", "2 cartes illégales"),
        "free": ("0 carte n'en couvre auc", "1 carte n'en couvre auc", "2 cartes n'en couvrent"),
        "deck.cards": ("0 carte lue.", "1 carte lue.", "2 cartes lues."),
        "deck.in-use": ("(0 face).", "(1 face).", "(2 faces)."),
        "deck.read": ("0 face lue,", "1 face lue,", "2 faces lues,"),
        "lens.cells": (
            "0 partie de la photo couverte sur",
            "1 partie de la photo couverte sur",
            "2 parties de la photo couvertes sur",
        ),
        "lens.tilts": ("de 0 côté sur 4", "de 1 côté sur 4", "de 2 côtés sur 4"),
        "card.dots": ("0 visible, 0 caché.", "1 visible, 1 caché.", "2 visibles, 2 cachés."),
        "backups.restore.sure": (
            "0 photo avec sa lecture, 0 manche et 0 fichier d'image, et remplace 0 élément plus",
            "1 photo avec sa lecture, 1 manche et 1 fichier d'image, et remplace 1 élément plus",
            "2 photos avec leurs lectures, 2 manches et 2 fichiers d'image, et remplace 2 éléments",
        ),
    },
}  # fmt: skip
SAY = """
const [language, keys, done] = arguments;
import('/words.js').then(({ t, chooseLanguage }) => {
  chooseLanguage(language);
  const names = ['n', 'shown', 'hidden', 'frames', 'rounds', 'photos', 'changed', 'seen', 'all'];
  const facts = (count) => Object.fromEntries(names.map((name) => [name, count]));
  done(Object.fromEntries(keys.map((key) => [key, [0, 1, 2].map((n) => t(key, facts(n)))])));
});
"""
A_NUMBER_AND_MANY = re.compile(
    r"\{(?:n|shown|hidden|frames|rounds|photos|changed|seen)\} (?!is|was|has|as|dans)\w+s\b"
)


def test_each_sentence_that_counts_is_looked_at() -> None:
    for language in ("en", "fr"):
        counting = {key for key, text in words(language).items() if re.search(r"\{\w+:", text)}
        assert counting <= COUNTED[language].keys()


def test_no_count_stands_before_a_plural() -> None:
    """One would be told as many; a lens takes some photos, a table has some phones, and
    two photos at least are read as one.
    """
    for language in ("en", "fr"):
        found = {key for key, text in words(language).items() if A_NUMBER_AND_MANY.search(text)}
        assert found <= {"lens.least", "invite.many", "together.of"}


def test_what_the_page_says_of_none_one_and_two(tmp_path: Path) -> None:
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("en") as window,
    ):
        window.open(str(top.client.base_url))
        for language, wanted in COUNTED.items():
            said = window.run_async(SAY, language, list(wanted))
            for key, parts in wanted.items():
                for part, sentence in zip(parts, said[key], strict=True):
                    assert part in sentence, (language, key)


NAMES = """
return [...document.querySelectorAll(arguments[0])].map((one) => {
  const copy = one.cloneNode(true);
  copy.querySelectorAll('[aria-hidden=true]').forEach((part) => part.remove());
  copy.querySelectorAll('[role=img]').forEach((part) => part.replaceWith(part.ariaLabel));
  return copy.textContent.replaceAll('\\u00a0', ' ');
});
"""


@pytest.mark.parametrize(
    ("language", "named", "title", "reason"),
    [
        pytest.param(
            "en",
            "Pink triangle 5",
            "Red square 3",
            "too little to tell square 3 from circle 1",
            marks=pytest.mark.thorough,
        ),
        ("fr", "Rose triangle 5", "Rouge carré 3", "trop peu pour dire si c'est carré 3 ou rond 1"),
    ],
)
def test_a_card_is_read_out_by_its_suit_s_name(
    tmp_path: Path, language: str, named: str, title: str, reason: str
) -> None:
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone(language, shots(f"words-{language}")) as window,
    ):
        top.reader.outcome = SeenText(doubted_table())
        frame = top.upload(jpeg(6, (2592, 1944))).json()["id"]
        window.open(f"{str(top.client.base_url).rstrip('/')}/#/photo/{frame}?tab=cards")
        window.find(".cards .line")
        lines = window.run(NAMES, ".cards .line > span")
        assert any(line.startswith(named) for line in lines)
        assert not any(sign in line for line in lines for sign in "●■▲")
        window.tap("[data-tab='check']")
        window.tap("[data-trouble^='face']")
        window.find(".answers .answer")
        (heading,) = window.run(NAMES, ".notice h2")
        assert heading.startswith(title)
        (said,) = window.run(NAMES, ".notice .faint")
        assert reason in said
        assert "-3" not in window.text(".notice"), "people do not read square-3"
