"""JSON as a rig keeps it: what Python's reader takes besides is no JSON, or cannot be sent on.

Rows may be damaged, or come from a backup that somebody prepared.
"""

import json
from typing import Any

_LARGEST = 1e15
"""No figure of a rig is as large; it holds milliseconds since 1970."""


def kept_json(text: str) -> Any:
    """The value of a text.

    ValueError if it is no JSON, has a number that is none or has no bound, a key twice, of which
    SQLite takes the first, or half a character, which no answer can be written with;
    RecursionError if it is nested too deeply.
    """
    value = json.loads(
        text, parse_constant=_no_number, parse_float=_float, parse_int=_int,
        object_pairs_hook=_object,
    )  # fmt: skip
    if "\\ud" in text or "\\uD" in text:
        json.dumps(value, ensure_ascii=False).encode()
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is there twice")
    return found


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number")


def _float(text: str) -> float:
    number = float(text)
    if not abs(number) < _LARGEST:
        raise ValueError(f"no number of a rig is {text[:40]}")
    return number


def _int(text: str) -> int:
    if len(text) > len(str(int(_LARGEST))) or not abs(int(text)) < _LARGEST:
        raise ValueError(f"no number of a rig is {text[:40]}")
    return int(text)
