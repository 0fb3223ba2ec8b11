"""What a check found, as data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rig.wording.catalogue import sentence
from vision.reason import Reason

Status = Literal["good", "look", "bad", "unknown"]


@dataclass(frozen=True, slots=True)
class Finding:
    """status: `good`; `look` works, but a person should see to it; `bad`; `unknown` not checked.

    advice: what to do, None where there is nothing to do.
    facts: the numbers behind it, by name with their unit.
    """

    check: str
    status: Status
    found: Reason
    advice: Reason | None = None
    facts: Mapping[str, float | int | str | bool] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The same as plain data, in English."""
        return {
            "check": self.check,
            "status": self.status,
            "found": sentence(self.found),
            "advice": "" if self.advice is None else sentence(self.advice),
            "facts": dict(self.facts),
        }
