"""What the service answers is in the language asked for."""

from __future__ import annotations

import json
from enum import Enum
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from measuring.scenes.true_reading import true_reading
from rig.photo.claims import KINDS
from rig.photo.trouble import PhotoUnknown
from rig.service.http.answers import why_invalid
from rig.service.http.trouble import NotAllowed
from rig.wording.catalogue import sentence
from rig.wording.kept_reasons import facts_data
from rig.wording.troubles import worded
from tests.rig.service.table_top import TableTop
from tests.scenes import scene
from vision.reason import Reason


def test_why_a_photo_is_none_names_the_kinds_that_are() -> None:
    trouble = PhotoUnknown(name="a.txt", kinds=KINDS)
    assert str(trouble) == "a.txt is not a picture: give a photo as JPEG, PNG, WebP, HEIC or AVIF."
    kept = json.loads(json.dumps(facts_data(trouble.facts)))
    french = "a.txt n'est pas une image : donnez une photo JPEG, PNG, WebP, HEIC ou AVIF."
    assert worded(trouble.key, kept, str(trouble), "fr") == french
    before = {**kept, "kinds": "JPEG, PNG, WebP or HEIC"}
    assert "donnez une photo JPEG, PNG, WebP or HEIC." in worded(trouble.key, before, "", "fr")


def test_roles_are_named_in_the_language() -> None:
    trouble = NotAllowed(role="player")
    assert str(trouble) == "This needs the role player."
    assert worded(trouble.key, trouble.facts, "", "fr") == "Il faut pour cela le rôle joueur."


class RuleKind(Enum):
    """A choice among names."""

    NEAR = "near"
    FAR = "far"


class Sample(BaseModel):
    """A value of every kind that a request may lack or have wrong."""

    model_config = ConfigDict(extra="forbid", from_attributes=True)
    chosen: Literal["red", "blue"] = "red"
    text: Annotated[str, Field(min_length=2, max_length=3, pattern="^[a-z]+$")] = "abc"
    count: Annotated[int, Field(ge=1, le=9)] = 1
    share: Annotated[float, Field(gt=0, lt=1, allow_inf_nan=False)] = 0.5
    flag: bool = True
    names: Annotated[list[str], Field(min_length=1, max_length=2)] = Field(default=["a"])
    by_name: dict[str, int] = Field(default={})
    sort: RuleKind | None = None
    inner: Sample | None = None
    needed: int


WRONG: list[tuple[dict[str, object], str]] = [
    ({}, "ce champ manque"),
    ({"more": 1}, "ce champ est inconnu"),
    ({"chosen": "pink"}, "attendu : 'red' or 'blue'"),
    ({"sort": "pink"}, "attendu : 'near' or 'far'"),
    ({"text": "a"}, "au moins 2 lettres"),
    ({"text": "abcd"}, "au plus 3 lettres"),
    ({"text": "AB"}, "des lettres non permises"),
    ({"text": 1}, "attendu : un texte"),
    ({"count": "a"}, "attendu : un nombre entier"),
    ({"count": None}, "attendu : un nombre entier"),
    ({"count": 1.5}, "attendu : un nombre entier"),
    ({"count": 0}, "attendu : 1 au moins"),
    ({"count": 10}, "attendu : 9 au plus"),
    ({"share": "a"}, "attendu : un nombre"),
    ({"share": None}, "attendu : un nombre"),
    ({"share": 0}, "attendu : plus de 0,0"),
    ({"share": 1}, "attendu : moins de 1,0"),
    ({"share": float("nan")}, "attendu : un nombre fini"),
    ({"flag": "maybe"}, "attendu : vrai ou faux"),
    ({"flag": []}, "attendu : vrai ou faux"),
    ({"names": 1}, "attendu : une liste"),
    ({"names": []}, "attendu : au moins 1 élément"),
    ({"names": ["a"] * 3}, "attendu : au plus 2 éléments"),
    ({"by_name": 1}, "attendu : un objet"),
    ({"inner": 1}, "attendu : un objet"),
]


@pytest.mark.parametrize(("values", "french"), WRONG, ids=lambda one: str(one)[:40])
def test_why_a_request_is_refused_is_told_by_its_code(
    values: dict[str, object], french: str
) -> None:
    values = values if values == {} else {"needed": 1, **values}
    with pytest.raises(ValidationError) as caught:
        Sample.model_validate(values)
    found = caught.value.errors()[0]
    reason = why_invalid(found)
    assert sentence(reason, "fr") == french
    assert sentence(reason) == found["msg"][:1].lower() + found["msg"][1:]


def test_what_pydantic_says_beside_these_stays_english() -> None:
    odd = {"type": "moon_full", "msg": "The moon is full"}
    assert sentence(why_invalid(odd), "fr") == "the moon is full"


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
