"""Names that read alike are one name."""

from __future__ import annotations

import pytest

from referee.rounds.names import reads_like


@pytest.mark.parametrize(
    "name",
    [
        " ada ", "ADA", "A\u200bda", "\uff21da", "\u202eAda", "A\u00adda", "Ada\ufe0f",
        "\u2066Ada\u2069", "\tAda\n", "\u3164Ada", "A\u034fda", "\u0410da",
        "Ad\u0430", "\u0391d\u03b1",
        "\U0001d400da",
        "A\u0501a", "\u0251da", "Ad\u0251", "\u1d00da", "\u13aada", "A\ua4d3a", "\U0001f170da",
        "\U0001f1e6\U0001f1e9\U0001f1e6", "Ada\U00016fe4", "Ada\U0001d159",
        "Ada\u2800", "\ufeffAda", "Ada\U000e0100", "\u2028Ada",
    ],
)  # fmt: skip
def test_names_that_read_like_ada(name: str) -> None:
    assert reads_like(name) == reads_like("Ada") == "ada"


@pytest.mark.parametrize("name", ["Adá", "Ada B", "Adam", "Äda", "Åda", "A da", "Ida", ""])
def test_names_that_do_not(name: str) -> None:
    assert reads_like(name) != reads_like("Ada")


def test_accents_may_be_written_in_two_ways() -> None:
    assert reads_like("Zoe\u0308") == reads_like("ZO\u00cb") == "zoë"


def test_names_of_other_scripts_keep_their_letters() -> None:
    assert reads_like("Вера") == reads_like("ВЕРА") != reads_like("Вара")
    assert reads_like("Ολυμπία") == reads_like("ΟΛΥΜΠΊΑ")
    assert reads_like("李雷") != reads_like("李蕾")


@pytest.mark.parametrize(
    "name", ["O\u2019Neil", "O\u02bcNeil", "O`Neil", "O\u2032Neil", "O\uff07Neil"]
)
def test_apostrophes_are_one(name: str) -> None:
    assert reads_like(name) == reads_like("O'Neil")


@pytest.mark.parametrize("dash", "\u2010\u2011\u2012\u2013\u2212\u02d7\ufe63\uff0d")
def test_hyphens_are_one(dash: str) -> None:
    assert reads_like(f"Jean{dash}Luc") == reads_like("Jean-Luc")


def test_a_dot_over_what_has_one_is_not_seen() -> None:
    assert reads_like("Li\u0307a") == reads_like("Lia")


@pytest.mark.parametrize("name", ["lda", "1da", "|da", "\u04cfda", "\u2223da"])
def test_upright_strokes_are_one(name: str) -> None:
    assert reads_like(name) == reads_like("Ida") != reads_like("Oda")


@pytest.mark.parametrize("name", ["B0", "B\u0585", "B\u2c9f", "B\u03bf"])
def test_rings_are_one(name: str) -> None:
    assert reads_like(name) == reads_like("Bo")


def test_spaces_within_a_name_count_once() -> None:
    assert reads_like("Ada \u3000 Lovelace") == reads_like("ada lovelace")


@pytest.mark.parametrize("name", ["", " ", "\u200b", "\u202e\u3164", "\u2800"])
def test_what_cannot_be_read_is_empty(name: str) -> None:
    assert reads_like(name) == ""


@pytest.mark.parametrize("name", ["Straße", "ﬁn", "İda", "ǰon", "Σίσυφος"])
def test_what_a_name_reads_like_reads_like_itself(name: str) -> None:
    assert reads_like(reads_like(name)) == reads_like(name)
