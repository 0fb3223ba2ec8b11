"""One sentence in each language."""

from __future__ import annotations

from typing import NamedTuple


class Words(NamedTuple):
    """Templates of the same facts (`rig.wording.languages`)."""

    english: str
    french: str
