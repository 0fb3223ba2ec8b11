"""Records of one scene's trials, as the figures are made from."""

from __future__ import annotations

from typing import Any


def record(name: str, **rows: Any) -> dict[str, Any]:
    kinds: dict[str, Any] = {
        kind: [] for kind in ("faces", "orders", "inks", "cards", "false", "little")
    }
    return {"scene": name, "group": "some", "seconds": 1.0, **kinds, **rows}
