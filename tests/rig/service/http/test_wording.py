from __future__ import annotations

import pytest

from referee.corrections import misfits as corrections
from referee.misfit import Misfit
from referee.rounds import misfits as rounds
from rig.cameras.trouble import CameraTrouble
from rig.service.http import trouble as service
from rig.service.http.answers import STATUS
from rig.service.http.language import language_of
from rig.store.trouble import StoreTrouble
from rig.trouble import Trouble
from rig.wording.troubles import worded
from rig.wording.words import TROUBLES

IMPORTED = (corrections, rounds, service)  # a class is only found once its module is
BASES = {"trouble", "photo", "setting", "store", "refused", "correction-refused"}


def kinds(of: type[Trouble | Misfit]) -> list[type[Trouble | Misfit]]:
    return [of, *(found for below in of.__subclasses__() for found in kinds(below))]


def test_every_code_is_spoken_in_french() -> None:
    assert set(STATUS) <= set(TROUBLES["fr"])


def test_every_refusal_has_a_status() -> None:
    modules = {one.__name__ for one in IMPORTED}
    known = [*kinds(Trouble), *kinds(Misfit)]
    refusals = {one.key for one in known if one.__module__ in modules and one.key not in BASES}
    assert {one.__module__ for one in known} >= modules
    assert len(refusals) > 50
    assert refusals <= STATUS.keys()


@pytest.mark.parametrize(
    ("header", "language"),
    [
        (None, "en"),
        ("", "en"),
        ("fr", "fr"),
        ("FR-ca", "fr"),
        ("de, fr;q=0.4", "fr"),
        ("en;q=0.3, fr;q=0.9", "fr"),
        ("fr;q=0.3, en;q=0.9", "en"),
        ("fr;q=0", "en"),
        ("fr;q=bad", "en"),
        ("*", "en"),
    ],
)
def test_the_language_is_the_one_asked_for_most(header: str | None, language: str) -> None:
    assert language_of(header) == language


def test_a_sentence_without_its_facts_stays_english() -> None:
    assert worded("card-gone", {}, "Gone.", "fr") == "Gone."
    assert worded("unheard-of", {}, "Odd.", "fr") == "Odd."
    assert worded("card-gone", {"card": 3}, "Gone.", "fr") == "La carte 3 n'est plus sur la table."


def test_a_camera_s_trouble_is_that_it_does_not_deliver_now() -> None:
    assert {STATUS[kind.key] for kind in CameraTrouble.__subclasses__()} == {503}


def test_known_families() -> None:
    assert kinds(CameraTrouble)
    assert kinds(StoreTrouble)
