"""Phones that are paired, and what they send."""

from __future__ import annotations

from typing import Any

from tests.rig.service.table_top import API, WRITE, TableTop


def paired(rig: TableTop, name: str, role: str = "player") -> dict[str, str]:
    """The header by which a phone of this name shows who it is."""
    code = rig.pairing.invite(role).code  # type: ignore[arg-type]
    _, token = rig.pairing.pair(code, name, rig.clock.now())
    return {"Authorization": f"Bearer {token}", **WRITE}


def post(rig: TableTop, headers: dict[str, str], path: str, body: Any = None) -> Any:
    return rig.client.post(f"{API}{path}", json=body, headers=headers)
