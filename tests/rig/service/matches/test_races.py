"""Every two changes of one match at the same moment: done or refused, and the store is whole."""

from __future__ import annotations

import contextlib
import itertools
import random
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rig.store.backups.row_check import check_rows
from rig.store.database import Database
from rig.store.store import PICTURES
from tests.rig.service.table_top import TableTop, jpeg, table_top

pytestmark = pytest.mark.slow
STATES = ("open", "ended", "disagreed", "signed")
PLAYERS = [{"name": "Ada", "colour": "orange"}, {"name": "Bo", "colour": "pink"}]
SEEDS = itertools.count(1)


@dataclass(frozen=True)
class Table:
    """A match with a first round, the frame that is its end or could be, and another one."""

    rig: TableTop
    match: str
    seed: int
    frame: str
    other: str
    version: int
    frame_version: int

    @property
    def round(self) -> str:
        return f"/matches/{self.match}/rounds/1"


def _correct(table: Table) -> Any:
    return table.rig.correct(table.frame, table.frame_version, kind="remove", card=0)


CHANGES: dict[str, Callable[[Table], Any]] = {
    "begin": lambda t: t.rig.post(f"/matches/{t.match}/rounds"),
    "end": lambda t: t.rig.post(f"{t.round}/end", {"frame": t.frame}),
    "end-other": lambda t: t.rig.post(f"{t.round}/end", {"frame": t.other}),
    "frame": lambda t: t.rig.put(f"{t.round}/frame", {"frame": t.other}),
    "resume": lambda t: t.rig.post(f"{t.round}/resume"),
    "sign": lambda t: t.rig.post(f"{t.round}/sign", {"frame_version": t.frame_version}),
    "sign-ada": lambda t: t.rig.post(
        f"{t.round}/sign", {"frame_version": t.frame_version, "player": "Ada"}
    ),
    "disagree": lambda t: t.rig.post(
        f"{t.round}/disagree", {"frame_version": t.frame_version, "reason": "no"}
    ),
    "settle": lambda t: t.rig.post(f"{t.round}/disagreements/1/settle"),
    "cancel": lambda t: t.rig.delete(t.round),
    "delete-round": lambda t: t.rig.delete(f"{t.round}?for_good=true"),
    "finished": lambda t: t.rig.put(f"{t.round}/finished", {"finished_first": "pink"}),
    "players": lambda t: t.rig.put(
        f"/matches/{t.match}/players",
        {
            "version": t.version,
            "players": [
                {"name": "Cy", "colour": "orange", "was": "Ada"},
                {"name": "Bo", "colour": "pink", "was": "Bo"},
            ],
        },
    ),
    "seat": lambda t: t.rig.put(f"/matches/{t.match}/seat", {"player": "Ada"}),
    "reopen": lambda t: t.rig.post(f"{t.round}/reopen"),
    "delete-match": lambda t: t.rig.delete(f"/matches/{t.match}"),
    "delete-frame": lambda t: t.rig.delete(f"/frames/{t.frame}"),
    "delete-other": lambda t: t.rig.delete(f"/frames/{t.other}"),
    "cancel-frame": lambda t: t.rig.post(f"/frames/{t.frame}/cancel"),
    "keep": lambda t: t.rig.put(f"/frames/{t.frame}/kept", {"kept": True}),
    "correct": _correct,
    "undo": lambda t: t.rig.post(
        f"/frames/{t.frame}/corrections/1/undo", {"version": t.frame_version}
    ),
    "upload": lambda t: t.rig.upload(jpeg(t.seed)),
}
FEW = [
    ("open", "end", "delete-frame"),
    ("ended", "frame", "delete-other"),
    ("open", "begin", "delete-match"),
    ("ended", "begin", "delete-match"),
    ("ended", "resume", "begin"),
    ("ended", "sign", "correct"),
    ("ended", "sign-ada", "players"),
    ("open", "end", "cancel"),
    ("ended", "resume", "delete-frame"),
    ("signed", "reopen", "delete-round"),
]
"""Tried in every run; the others with `make thorough`."""


@pytest.fixture(scope="module")
def busy_rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableTop]:
    with table_top(tmp_path_factory.mktemp("races") / "rig", serve=True) as rig:
        before = sys.getswitchinterval()
        sys.setswitchinterval(1e-5)
        try:
            yield rig
        finally:
            sys.setswitchinterval(before)


def laid(rig: TableTop, state: str) -> Table:
    """A new match whose first round is in this state."""
    match = str(rig.post("/matches", {"players": PLAYERS}).json()["id"])
    seed = next(SEEDS)
    frame, other = rig.frame(seed), rig.frame(100_000 + seed)
    assert rig.post(f"/matches/{match}/rounds").status_code == 201
    table = Table(rig, match, seed, frame, other, 1, rig.get(f"/frames/{frame}").json()["version"])
    steps = {
        "open": (),
        "ended": ("end",),
        "disagreed": ("end", "disagree"),
        "signed": ("end", "sign"),
    }
    for step in steps[state]:
        answer = CHANGES[step](table)
        assert answer.status_code == 200, answer.text
    return table


def raced(table: Table, *changes: str) -> list[int]:
    """The statuses of changes that set out together."""
    start = threading.Barrier(len(changes))

    def one(change: str) -> int:
        start.wait(20)
        return int(CHANGES[change](table).status_code)

    with ThreadPoolExecutor(len(changes)) as pool:
        return list(pool.map(one, changes))


def check_whole(rig: TableTop) -> None:
    """Rows that name rows that are there, files that rows name, and every page is served."""
    database = rig.store.database
    assert database.rows("PRAGMA foreign_key_check") == []
    check_rows(database.path)
    orphans = "SELECT 1 FROM rounds JOIN matches ON matches.id = rounds.match WHERE {} IS NOT NULL"
    assert database.rows(orphans.format("json_extract(matches.data, '$.deleted')")) == []
    assert database.rows("SELECT * FROM deletions") == []
    named = {f"{row[0]}.{row[1]}" for row in database.rows("SELECT sha256, kind FROM frames")}
    assert {file.name for file in (database.path.parent / PICTURES).glob("*.jpeg")} == named
    for path in ("/matches", "/frames", "/state", "/statistics", "/export.csv", "/export.json"):
        assert rig.get(path).status_code == 200, path


def check_consistent(table: Table) -> None:
    found = table.rig.get(f"/matches/{table.match}")
    assert found.status_code in {200, 404}
    if found.status_code == 404:
        return
    states = [round_["state"] for round_ in found.json()["rounds"]]
    assert states.count("open") <= 1, states
    for round_ in found.json()["rounds"]:
        assert (round_["frame"] is None) == (round_["state"] == "open"), round_
        if round_["frame"] is not None:
            assert table.rig.get(f"/frames/{round_['frame']}").status_code == 200


def race(rig: TableTop, state: str, first: str, second: str) -> None:
    table = laid(rig, state)
    statuses = raced(table, first, second)
    assert all(200 <= status < 500 for status in statuses), (state, first, second, statuses)
    check_consistent(table)
    table.rig.delete(f"/matches/{table.match}")
    for frame in (table.frame, table.other):
        table.rig.delete(f"/frames/{frame}")


@pytest.mark.parametrize(("state", "first", "second"), FEW)
def test_two_changes_at_once(busy_rig: TableTop, state: str, first: str, second: str) -> None:
    for _ in range(4):
        race(busy_rig, state, first, second)
    check_whole(busy_rig)


@pytest.mark.thorough
@pytest.mark.parametrize("state", STATES)
def test_every_two_changes_at_once(busy_rig: TableTop, state: str) -> None:
    pairs = list(itertools.combinations_with_replacement(CHANGES, 2))
    random.Random(state).shuffle(pairs)
    for first, second in pairs:
        race(busy_rig, state, first, second)
    check_whole(busy_rig)


def test_all_changes_at_once(busy_rig: TableTop) -> None:
    for state in STATES:
        table = laid(busy_rig, state)
        statuses = raced(table, *CHANGES)
        assert all(200 <= status < 500 for status in statuses), statuses
        check_consistent(table)
    check_whole(busy_rig)


def test_a_transaction_within_another_is_part_of_it(tmp_path: Path) -> None:
    with table_top(tmp_path) as rig:
        database = rig.store.database
        _marked(database, "kept", within=("taken-back",), inner_fails=True)
        with pytest.raises(RuntimeError):
            _marked(database, "outer", within=("inner",), outer_fails=True)
        assert {row[0] for row in database.rows("SELECT name FROM marks")} == {"kept"}


def _marked(
    database: Database,
    name: str,
    within: tuple[str, ...],
    inner_fails: bool = False,
    outer_fails: bool = False,
) -> None:
    insert = "INSERT INTO marks VALUES (?)"
    with database.transaction() as outer:
        outer.execute(insert, (name,))
        with contextlib.suppress(RuntimeError), database.transaction() as inner:
            inner.execute(insert, within)
            if inner_fails:
                raise RuntimeError
        database.fold_log()
        if outer_fails:
            raise RuntimeError
