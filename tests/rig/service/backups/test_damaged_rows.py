"""One row that no longer reads costs that row: it is listed, and every route goes on answering."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from geometry.deck_file import published_deck
from geometry.rules import Rules
from rig.service.access.tokens import make_token
from rig.service.app import admits
from rig.service.frames.reader import SeenText
from rig.store.schema import TABLES
from rig.store.seen_json import seen_text
from rig.store.store import DATABASE
from tests.rig.service.game.table import taken_in, wait_for
from tests.rig.service.matches.match_steps import begin, sign
from tests.rig.service.quick_rig import read
from tests.rig.service.table_top import API, TableTop, table_top

NOT_UTF8 = "CAST(x'ff7b' AS TEXT)"
DEEP = f"'{'[' * 100_000}'"
BAD = {
    "TEXT": ("'{}'", "'../../x'", NOT_UTF8, DEEP),
    "INTEGER": ("-1", "9223372036854775807"),
    "REAL": ("9e999",),
}
MOST_STATUS = 499
DRAWN = f"{API}/game/replay.webp"
"""Drawing it takes as long as all other answers together; it shows what these tables hold."""
IN_IT = ("frames", "games", "game_steps")
"""Drawn for each third of their columns, for one of the other tables'."""


@dataclass(frozen=True)
class Prepared:
    """A rig's folder with a row in each table, and an address for each GET."""

    folder: Path
    paths: tuple[str, ...]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    folder = tmp_path_factory.mktemp("rows") / "rig"
    with table_top(folder) as rig:
        rig.reader.outcome = SeenText(three_cards())
        match, other = begin(rig), begin(rig)
        signed = _ended(rig, other, 0)
        assert sign(rig, signed).status_code == 200
        assert rig.put("/game", {"following": True}).status_code == 200
        ended = _ended(rig, match, 1)
        frame = str(ended["frame"])
        wait_for(rig, lambda _: taken_in(rig, frame))
        reading = rig.get(f"/frames/{frame}/reading").json()
        assert rig.correct(frame, reading["version"], kind="remove", card=1).status_code == 201
        rig.pairing.invite("player")
        secret = rig.pairing.invite("player").pin
        assert rig.post("/pairing", {"secret": secret, "name": "Ada"}).status_code < MOST_STATUS
        make_token(rig.store.tokens, "door", "player", 30, "Ada", time.time())
        with rig.store.database.transaction() as connection:
            connection.execute("INSERT INTO deletions VALUES ('none')")
        paths = tuple(_paths(frame, match))
    return Prepared(folder, paths)


def three_cards() -> str:
    """What a reader saw that takes no time to judge."""
    image = np.zeros((48, 64, 3), np.uint8)
    return seen_text(read(image, published_deck(), None, Rules()).seen)


def _ended(rig: TableTop, match: str, seed: int) -> Any:
    assert rig.post(f"/matches/{match}/rounds").status_code == 201
    return rig.post(f"/matches/{match}/rounds/1/end", {"frame": rig.frame(seed)}).json()


def _paths(frame: str, match: str) -> Iterator[str]:
    names = {
        "frame": frame,
        "match": match,
        "number": "1",
        "key": "0" * 16,
        "card": "2",
        "name": "tacta-2024.zip",
        "drawing": "views",
        "event": "1000",
    }
    for method, path in admits():
        if method == "GET" and not path.endswith("/events"):
            found = path
            for name, value in names.items():
                found = found.replace(f"{{{name}}}", value)
            if path.endswith("/preview") and "rounds" in path:
                found += f"?frame={frame}"
            yield found
    yield f"{API}/frames?match={match}"


@contextlib.contextmanager
def damaged(prepared: Prepared, folder: Path, statement: str) -> Iterator[TableTop]:
    """The rig served after this was done to its database."""
    shutil.copytree(prepared.folder, folder)
    with contextlib.closing(sqlite3.connect(folder / DATABASE, isolation_level=None)) as database:
        database.executescript(statement)
    with table_top(folder) as rig:
        yield rig


def columns(prepared: Prepared, table: str) -> list[tuple[str, str]]:
    with contextlib.closing(sqlite3.connect(prepared.folder / DATABASE)) as database:
        rows = database.execute(f"PRAGMA table_info({table})").fetchall()
    return [(str(row[1]), str(row[2])) for row in rows]


def test_every_table_is_tried(prepared: Prepared) -> None:
    assert DRAWN in prepared.paths
    assert set(IN_IT) < set(TABLES)
    with contextlib.closing(sqlite3.connect(prepared.folder / DATABASE)) as database:
        names = database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        )
        assert {name for (name,) in names} == set(TABLES)
        for table in TABLES:
            assert database.execute(f"SELECT count(*) FROM {table}").fetchone() > (0,), table


def test_whole_rows_are_no_problem(prepared: Prepared, tmp_path: Path) -> None:
    with damaged(prepared, tmp_path / "rig", "") as rig:
        for path in prepared.paths:
            assert rig.client.get(path).status_code <= MOST_STATUS, path
        assert "row-unreadable" not in problems(rig)


def problems(rig: TableTop) -> list[str]:
    return [one["key"] for one in rig.get("/state").json()["problems"]]


def refused(rig: TableTop, paths: tuple[str, ...]) -> dict[str, int]:
    """The addresses that answer with a fault of the program."""
    found = {path: rig.client.get(path).status_code for path in paths}
    return {path: status for path, status in found.items() if status > MOST_STATUS}


@pytest.mark.slow
@pytest.mark.parametrize("in_every_way", [False, pytest.param(True, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("table", TABLES)
def test_every_damaged_column_costs_its_row(
    prepared: Prepared, tmp_path: Path, table: str, in_every_way: bool
) -> None:
    """Every column; in one of the ways, which take turns, unless all are asked for."""
    for place, (column, kind) in enumerate(columns(prepared, table)):
        values = BAD[kind] if in_every_way else (BAD[kind][place % len(BAD[kind])],)
        for number, value in enumerate(values):
            last = f"(SELECT max(rowid) FROM {table})"
            statement = f"UPDATE OR IGNORE {table} SET {column} = {value} WHERE rowid = {last}"
            folder = tmp_path / f"{column}-{number}"
            is_drawn = place % (3 if table in IN_IT else 99) == 0 or in_every_way
            paths = tuple(one for one in prepared.paths if is_drawn or one != DRAWN)
            with damaged(prepared, folder, statement) as rig:
                assert refused(rig, paths) == {}, (column, value)
            shutil.rmtree(folder)


@pytest.mark.parametrize(
    ("table", "column"),
    [("frames", "taken_at"), ("frames", "seen"), ("matches", "data"), ("rounds", "data")],
)
def test_a_row_that_does_not_read_is_told_and_the_rest_is_served(
    prepared: Prepared, tmp_path: Path, table: str, column: str
) -> None:
    last = f"(SELECT max(rowid) FROM {table})"
    statement = f"UPDATE {table} SET {column} = {NOT_UTF8} WHERE rowid = {last}"
    with damaged(prepared, tmp_path / "rig", statement) as rig:
        assert refused(rig, prepared.paths) == {}
        assert "row-unreadable" in problems(rig)
        left = 1 if column in ("taken_at", "data") else 2
        key = {"frames": "frames", "matches": "matches"}.get(table)
        if key is not None:
            assert len(rig.get(f"/{key}").json()[key]) == left
        (told,) = [one for one in rig.get("/state").json()["problems"] if "row" in one["key"]]
        assert table in told["sentence"]


SEEN, HISTORY = '"scale_px_per_mm": ', '"players"'
BY_NOBODY = '{"at": "2024", "who": "x", "what": "x", "facts": {}}'


@pytest.mark.parametrize(
    ("table", "column", "before", "put"),
    [
        ("frames", "seen", SEEN, f'{SEEN}1e999, "more": '),
        ("frames", "seen", SEEN, f'{SEEN}1e300, "more": '),
        ("matches", "data", HISTORY, f'"history": [{BY_NOBODY}], {HISTORY}'),
        ("matches", "data", HISTORY, f'"deleted": {{}}, {HISTORY}'),
        ("matches", "data", HISTORY, f'"deleted": {{}}, "deleted": null, {HISTORY}'),
    ],
)
def test_a_value_that_no_answer_can_have_costs_its_row(
    prepared: Prepared, tmp_path: Path, table: str, column: str, before: str, put: str
) -> None:
    statement = f"UPDATE {table} SET {column} = replace({column}, '{before}', '{put}')"
    with damaged(prepared, tmp_path / "rig", statement) as rig:
        assert refused(rig, prepared.paths) == {}
        assert "row-unreadable" in problems(rig)


def test_a_row_that_reads_again_is_a_problem_no_more(prepared: Prepared, tmp_path: Path) -> None:
    statement = "UPDATE matches SET begun_at = 'never' WHERE rowid = 1"
    with damaged(prepared, tmp_path / "rig", statement) as rig:
        assert len(rig.get("/matches").json()["matches"]) == 1
        assert "row-unreadable" in problems(rig)
        with rig.store.database.transaction() as connection:
            connection.execute("UPDATE matches SET begun_at = '2024-01-01' WHERE rowid = 1")
        assert len(rig.get("/matches").json()["matches"]) == 2
        assert "row-unreadable" not in problems(rig)


def test_without_a_correction_that_counts_no_score_is_shown(
    prepared: Prepared, tmp_path: Path
) -> None:
    with damaged(prepared, tmp_path / "rig", "UPDATE corrections SET data = '{}'") as rig:
        frame = next(path for path in prepared.paths if path.endswith("/reading"))
        answer = rig.client.get(frame)
        assert (answer.status_code, answer.json()["code"]) == (410, "row-unreadable")
        listed = rig.get("/frames").json()["frames"]
        assert sorted(one["summary"] is None for one in listed) == [False, True]
        assert "corrections" in str(rig.get("/state").json()["problems"])


def test_every_row_is_looked_at_soon_after_the_start(prepared: Prepared, tmp_path: Path) -> None:
    statement = "UPDATE tokens SET role = 'owner'"
    with damaged(prepared, tmp_path / "rig", statement) as rig:
        rig.store.look_at_rows()
        assert "row-unreadable" in problems(rig)


def test_a_deletion_that_leads_elsewhere_removes_nothing(
    prepared: Prepared, tmp_path: Path
) -> None:
    (tmp_path / "mine").write_text("mine")
    with damaged(prepared, tmp_path / "rig", "UPDATE deletions SET file = '../../mine'"):
        assert (tmp_path / "mine").read_text() == "mine"
