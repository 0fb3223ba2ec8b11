"""Access tokens: what a program may do, for how long, and what it hears once that is over."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from rig.command_line import run
from rig.service.access.requests import TokenRequest
from rig.service.access.tokens import PREFIX, make_token
from rig.store.backups.backup import write_backup
from rig.store.backups.restore import restore
from rig.store.store import Store
from tests.rig.service.matches.match_steps import a_round, begin
from tests.rig.service.table_top import API, WRITE, TableTop, jpeg, table_top

DAY_S = 24 * 3600


@pytest.fixture(params=[True, False], ids=["network", "this machine alone"])
def either_rig(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[TableTop]:
    with table_top(tmp_path / "rig", network=request.param) as found:
        yield found


def made(rig: TableTop, role: Any = "player", days: int | None = 30) -> dict[str, str]:
    """A program's header."""
    now = rig.clock.seconds()
    _, secret = make_token(rig.store.tokens, "scoreboard", role, days, "Ada", now)
    return {"Authorization": f"Bearer {secret}"}


def upload(rig: TableTop, bearer: dict[str, str]) -> Any:
    files = {"photo": ("a.jpg", jpeg(), "image/jpeg")}
    return rig.client.post(f"{API}/frames", files=files, headers={**WRITE, **bearer})


def code_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code")


def test_a_token_is_made_on_the_page_and_shown_once(rig: TableTop) -> None:
    wish = {"name": "scoreboard", "role": "viewer", "days": 7.0}
    answer = rig.post("/tokens", wish)
    assert answer.status_code == 201
    token = answer.json()
    assert token["token"].startswith(PREFIX)
    assert (token["made_by"], token["counts"], token["used_at"]) == ("rig", True, None)
    lasts = datetime.fromisoformat(token["expires_at"]) - datetime.fromisoformat(token["made_at"])
    assert lasts == timedelta(days=7)
    bearer = {"Authorization": f"Bearer {token['token']}"}
    me = rig.get("/me", **bearer).json()
    assert (me["name"], me["role"], me["phone"]) == ("scoreboard", "viewer", None)
    (listed,) = rig.get("/tokens").json()["tokens"]
    assert "token" not in listed
    assert listed["used_at"] is not None
    assert rig.delete(f"/tokens/{token['id']}").status_code == 204
    (listed,) = rig.get("/tokens").json()["tokens"]
    assert (listed["counts"], listed["revoked_at"] is None) == (False, False)
    assert code_of(rig.delete("/tokens/abc")) == (404, "token-unknown")


@pytest.mark.parametrize(
    "wish",
    [
        {"name": "a", "role": "admin", "days": 1},
        {"name": "a", "role": "viewer"},
        {"name": "", "role": "viewer", "days": 1},
        {"name": "a", "role": "viewer", "days": 0},
        {"name": "a", "role": "viewer", "days": 3651},
    ],
)
def test_tokens_that_are_refused(wish: dict[str, Any]) -> None:
    TokenRequest.model_validate({"name": "a", "role": "viewer", "days": 1})
    with pytest.raises(ValidationError):
        TokenRequest.model_validate(wish)


def test_a_viewer_looks_on_and_no_more(either_rig: TableTop) -> None:
    rig, bearer = either_rig, made(either_rig, "viewer")
    assert rig.get("/state", **bearer).status_code == 200
    assert code_of(upload(rig, bearer)) == (403, "not-allowed")
    assert code_of(rig.post("/matches", {}, **bearer)) == (403, "not-allowed")


def test_a_player_uploads_and_corrects_but_runs_nothing(either_rig: TableTop) -> None:
    rig, bearer = either_rig, made(either_rig)
    frame = upload(rig, bearer)
    assert frame.status_code == 201
    wish = {"version": frame.json()["version"], "correction": {"kind": "remove", "card": 3}}
    done = rig.post(f"/frames/{frame.json()['id']}/corrections", wish, **bearer)
    assert done.status_code == 201, done.text
    assert done.json()["correction"]["who"] == "scoreboard"
    for path in ("/tokens", "/phones", "/webhooks", "/brokers", "/backups"):
        assert code_of(rig.get(path, **bearer)) == (403, "not-allowed")
    wish_token = {"name": "x", "role": "player", "days": None}
    assert code_of(rig.post("/tokens", wish_token, **bearer)) == (403, "not-allowed")
    without_header = rig.client.post(f"{API}/matches", json={}, headers=bearer)
    assert code_of(without_header) == (403, "header-missing")


def test_a_program_signs_for_nobody(rig: TableTop) -> None:
    ended = a_round(rig, begin(rig))
    now = rig.clock.seconds()
    _, secret = make_token(rig.store.tokens, "A", "player", 1, "Ada", now)  # as a player
    bearer = {"Authorization": f"Bearer {secret}"}
    round_ = f"/matches/{ended['match']}/rounds/1"
    version = ended["frame_version"]
    for path, wish in (
        ("sign", {"frame_version": version, "player": "A"}),
        ("disagree", {"frame_version": version, "reason": "no"}),
        ("disagreements/1/settle", None),
    ):
        assert code_of(rig.post(f"{round_}/{path}", wish, **bearer)) == (403, "not-for-programs")
    seat = rig.client.put(
        f"{API}/matches/{ended['match']}/seat", json={"player": "A"}, headers={**WRITE, **bearer}
    )
    assert code_of(seat) == (403, "not-for-programs")
    away = rig.client.delete(f"{API}/me", headers={**WRITE, **bearer})
    assert code_of(away) == (403, "not-for-programs")
    assert not rig.get(round_).json()["signatures"]


def test_a_revoked_token_is_told_so(either_rig: TableTop) -> None:
    rig, bearer = either_rig, made(either_rig)
    (token,) = rig.store.tokens.all()
    path, *others = ("/state", "/me", "/health")
    assert rig.get(path, **bearer).status_code == 200
    rig.store.tokens.revoke(token.id, rig.clock.seconds())
    answer = rig.get(path, **bearer)
    assert code_of(answer) == (401, "token-revoked")
    for other in others:
        assert code_of(rig.get(other, **bearer)) == (401, "token-revoked")
    assert answer.headers["www-authenticate"] == "Bearer"
    assert "scoreboard was revoked on 20" in answer.json()["message"]
    french = rig.get(path, **{**bearer, "Accept-Language": "fr"}).json()["message"]
    assert "a été révoqué le 20" in french
    assert code_of(upload(rig, bearer)) == (401, "token-revoked")
    assert rig.store.frames.count() == 0


def test_a_token_lasts_as_long_as_its_maker_said(either_rig: TableTop) -> None:
    rig = either_rig
    short, endless = made(rig, days=2), made(rig, days=None)
    begun = rig.clock.read()

    def later(days: float) -> None:
        rig.clock.read = lambda: begun + timedelta(days=days)

    later(1.9)
    assert rig.get("/state", **short).status_code == 200
    later(2.1)
    answer = rig.get("/state", **short)
    assert code_of(answer) == (401, "token-expired")
    assert "scoreboard expired on 20" in answer.json()["message"]
    later(4000)
    assert rig.get("/state", **endless).status_code == 200


def test_a_token_that_was_never_given_out(either_rig: TableTop) -> None:
    for secret in (PREFIX, f"{PREFIX}x", f"{PREFIX}{'é' * 3}"):
        bearer = {b"Authorization": f"Bearer {secret}".encode()}
        answer = either_rig.client.get(f"{API}/state", headers=bearer)
        assert code_of(answer) == (401, "token-wrong")


def test_only_a_digest_is_kept(tmp_path: Path) -> None:
    with table_top(tmp_path / "rig") as rig:
        secret = rig.post("/tokens", {"name": "a", "role": "viewer", "days": 1}).json()["token"]
        rig.get("/state", Authorization=f"Bearer {secret}")
        kept = b"".join(one.read_bytes() for one in (tmp_path / "rig").glob("rig.db*"))
        assert secret.removeprefix(PREFIX).encode() not in kept


def test_a_program_whose_token_is_revoked_hears_nothing_more(tmp_path: Path) -> None:
    with table_top(tmp_path / "rig", network=True, stream_s=60.0, serve=True) as rig:
        bearer = {**made(rig, "viewer"), "Host": "localhost"}
        (token,) = rig.store.tokens.all()
        heard: list[str] = []
        begun = threading.Event()

        def listen() -> None:
            with rig.client.stream("GET", f"{API}/events", headers=bearer) as stream:
                for line in stream.iter_lines():
                    heard.append(line)
                    begun.set()

        listening = threading.Thread(target=listen)
        listening.start()
        assert begun.wait(20)
        rig.store.tokens.revoke(token.id, time.time())
        listening.join(20)
        assert not listening.is_alive()


def test_a_backup_brings_tokens_and_brings_back_none_that_was_revoked(tmp_path: Path) -> None:
    here = Store(tmp_path / "here", reserve_bytes=0)
    kept, _ = make_token(here.tokens, "kept", "viewer", None, "Ada", 1.0)
    gone, _ = make_token(here.tokens, "gone", "viewer", None, "Ada", 1.0)
    before, after = tmp_path / "before.zip", tmp_path / "after.zip"
    write_backup(here.folder, before, "2024", "1")
    here.tokens.revoke(gone.id, 2.0)
    restore(before, here, with_access=True)
    assert [one.revoked_at for one in here.tokens.all()] == [None, 2.0]
    write_backup(here.folder, after, "2024", "1")
    here.close()
    there = Store(tmp_path / "there", reserve_bytes=0)
    assert restore(before, there, with_access=True).rows.tokens == 2
    assert restore(after, there, with_access=True).rows.tokens == 0  # known, and revoked since
    assert [(one.id, one.revoked_at) for one in there.tokens.all()] == [
        (kept.id, None),
        (gone.id, 2.0),
    ]
    there.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    Store(tmp_path / "rig").close()
    return tmp_path / "rig"


def test_tokens_from_the_terminal(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here = ["--data", str(folder)]
    assert run(["tokens", "list", *here]) == 0
    assert "No access token" in capsys.readouterr().out
    assert run(["tokens", "make", "my [b]board", "--role", "player", "--days", "30", *here]) == 0
    printed = capsys.readouterr()
    secret = printed.out.strip()
    assert secret.startswith(PREFIX)
    assert "not shown again" in printed.err
    assert run(["tokens", "make", "other", "--until-revoked", *here]) == 0
    capsys.readouterr()
    store = Store(folder)
    board, other = store.tokens.all()
    by_secret = store.tokens.by_secret(secret)
    store.close()
    assert by_secret is not None
    assert (by_secret.id, board.role, other.role) == (board.id, "player", "viewer")
    assert other.expires_at is None
    assert run(["tokens", "revoke", "my [b]board", *here]) == 0
    capsys.readouterr()
    assert run(["tokens", "list", *here]) == 0
    text = capsys.readouterr().out
    assert all(word in text for word in (board.id, other.id, "[b]", "revoked"))
    assert secret not in text


@pytest.mark.parametrize(
    "arguments",
    [
        ["make", "a"],
        ["make", "a", "--days", "3", "--until-revoked"],
        ["make", "a", "--role", "admin", "--days", "3"],
        ["make", "", "--days", "3"],
        ["revoke", "nothing"],
    ],
)
def test_wrong_usage_is_one_line(
    folder: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["tokens", *arguments, "--data", str(folder)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_two_of_one_name_are_told_apart_by_id(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        run(["tokens", "make", "a", "--days", "3", "--data", str(folder)])
    assert run(["tokens", "revoke", "a", "--data", str(folder)]) == 2
    store = Store(folder)
    first = store.tokens.all()[0]
    store.close()
    assert run(["tokens", "revoke", first.id, "--data", str(folder)]) == 0
    assert run(["tokens", "revoke", "a", "--data", str(folder)]) == 0
    del capsys
