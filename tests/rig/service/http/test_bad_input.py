"""What people do wrong at the table: each a status and a sentence in their language."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rig.service.http import admission
from rig.service.http.limits import UPLOADS_OF_ONE
from rig.store.store import PICTURES
from tests.rig.service.http.raw_requests import multipart, upload_head
from tests.rig.service.table_top import TableTop, jpeg, table_top

FRENCH = {"Accept-Language": "fr"}
ADA = {"name": "Ada", "colour": "red"}
BEN = {"name": "Ben", "colour": "pink"}


@pytest.mark.parametrize(
    ("wish", "code", "said"),
    [
        ({"players": [{"name": "Ada"}, BEN]}, "request-invalid", "players.0.colour"),
        (
            {"players": [ADA, BEN, {**ADA, "name": "Cleo"}, {**ADA, "name": "Dan"}]},
            "",
            "plus de 2 jouent rouge",
        ),
        ({"players": [ADA, {**BEN, "name": "Ada"}]}, "", "le même nom"),
        ({"players": [ADA, BEN], "way": {"sabotage": True}}, "", "deux signes"),
        (
            {"players": [ADA, BEN], "way": {"sabotage": True, "suits": ["circle"]}},
            "",
            "deux signes",
        ),
        ({"players": [ADA], "way": {"sabotage": True, "suits": ["circle", "square"]}}, "", "deux"),
        ({"players": [{**ADA, "colour": "beige"}, BEN]}, "", "players[0].colour : ce jeu a blue"),
    ],
)
def test_a_match_that_cannot_be(rig: TableTop, wish: Any, code: str, said: str) -> None:
    refused = rig.post("/matches", wish, **FRENCH)
    assert (refused.status_code, refused.json()["code"]) == (422, code or "match-fault")
    assert said in refused.json()["message"]
    assert refused.headers["content-language"] == "fr"
    assert rig.get("/matches").json()["matches"] == []


def test_a_signature_from_a_phone_that_is_not_paired(tmp_path: Path) -> None:
    with table_top(tmp_path / "rig", network=True) as rig:
        refused = rig.post(
            "/matches/0123456789abcdef/rounds/1/sign", {"frame_version": 1}, **FRENCH
        )
        assert (refused.status_code, refused.json()["code"]) == (401, "not-paired")
        assert refused.headers["content-language"] == "fr"


def test_two_phones_that_answer_one_doubt_at_the_same_moment(rig: TableTop) -> None:
    """One is taken; the other is told what the doubt has become, and nothing is done twice."""
    frame = rig.upload().json()
    (doubt,) = frame["reading"]["doubts"]
    begun = threading.Barrier(2)
    said: dict[bool, Any] = {}

    def answer(legal: bool) -> None:
        correction = {"kind": "answer", "doubt": doubt["key"], "answer": "legal", "value": legal}
        body = {"version": frame["version"], "correction": correction}
        begun.wait(20)
        said[legal] = rig.post(f"/frames/{frame['id']}/corrections", body, **FRENCH)

    phones = [threading.Thread(target=answer, args=[legal]) for legal in (True, False)]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join(30)
    assert sorted(one.status_code for one in said.values()) == [201, 409]
    (taken,) = [legal for legal, one in said.items() if one.status_code == 201]
    refused = said[not taken].json()
    assert refused["code"] == "version-conflict"
    assert refused["present"]["doubts"] == []
    assert said[not taken].headers["content-language"] == "fr"
    (kept,) = rig.get(f"/frames/{frame['id']}/corrections").json()["corrections"]
    assert kept["correction"]["value"] is taken


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[TableTop, tuple[str, int]]]:
    """The rig on a real port, with its address."""
    with table_top(tmp_path / "rig", serve=True) as rig:
        yield rig, (rig.client.base_url.host, rig.client.base_url.port or 80)


def test_an_upload_whose_line_is_cut_half_way_leaves_nothing(
    served: tuple[TableTop, tuple[str, int]],
) -> None:
    """More of them than may come in at a time: none keeps its place, and the photo sent again
    is taken as if it had never come.
    """
    rig, address = served
    body = multipart(jpeg())
    for _ in range(UPLOADS_OF_ONE + 1):
        with socket.create_connection(address) as line:
            line.sendall(upload_head(len(body)) + body[: len(body) // 2])
    with socket.create_connection(address) as line:
        line.sendall(upload_head(len(body)) + body[: len(body) // 2])
        line.shutdown(socket.SHUT_WR)
        line.settimeout(20)
        while line.recv(4096):
            pass
    assert rig.get("/frames").json()["frames"] == []
    assert list((rig.store.folder / PICTURES).iterdir()) == []
    sent = rig.upload()
    assert (sent.status_code, sent.json()["is_new"]) == (201, True)


def test_an_upload_that_stops_half_way_is_told(
    served: tuple[TableTop, tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    rig, address = served
    monkeypatch.setattr(admission, "PIECE_S", 0.3)
    body = multipart(jpeg())
    head = upload_head(len(body)).removesuffix(b"\r\n") + b"Accept-Language: fr\r\n\r\n"
    with socket.create_connection(address) as line:
        line.sendall(head + body[: len(body) // 2])
        line.settimeout(20)
        answer = b""
        while piece := line.recv(4096):
            answer += piece
    start, _, said = answer.partition(b"\r\n\r\n")
    assert start.startswith(b"HTTP/1.1 408")
    assert b"content-language: fr" in start.lower()
    refused = json.loads(said)
    assert refused["code"] == "too-slow"
    assert "trop" in refused["message"].lower(), refused["message"]
    assert rig.get("/frames").json()["frames"] == []
    assert rig.upload().json()["is_new"]
