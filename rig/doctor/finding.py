"""What a check found, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Status = Literal["good", "look", "bad", "unknown"]


@dataclass(frozen=True, slots=True)
class Finding:
    """status: `good`; `look` works, but a person should see to it; `bad`; `unknown` not checked.

    found: one sentence. advice: what to do, empty where there is nothing to do.
    facts: the numbers behind it, by name with their unit.
    """

    check: str
    status: Status
    found: str
    advice: str = ""
    facts: Mapping[str, float | int | str | bool] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {**asdict(self), "facts": dict(self.facts)}
