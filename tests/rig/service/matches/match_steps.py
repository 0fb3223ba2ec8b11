"""Steps of a match: begun, played, signed."""

from __future__ import annotations

from typing import Any

from tests.rig.service.table_top import TableTop

COLOURS = ("orange", "pink", "purple", "red")
PLAYERS = [{"name": name, "colour": colour} for name, colour in zip("ABCD", COLOURS, strict=True)]


def begin(rig: TableTop, **way: Any) -> str:
    answer = rig.post("/matches", {"players": PLAYERS, "way": way})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def a_round(rig: TableTop, match: str, seed: int = 0) -> dict[str, Any]:
    assert rig.post(f"/matches/{match}/rounds").status_code == 201
    number = len(rig.get(f"/matches/{match}").json()["rounds"])
    body = {"frame": rig.frame(seed)}
    ended: dict[str, Any] = rig.post(f"/matches/{match}/rounds/{number}/end", body).json()
    return ended


def sign(rig: TableTop, round_: dict[str, Any], player: str | None = None) -> Any:
    body = {"frame_version": round_["frame_version"], "player": player}
    return rig.post(f"/matches/{round_['match']}/rounds/{round_['number']}/sign", body)
