"""What of a known card tells where a reading of the same table lies."""

from __future__ import annotations

from typing import Protocol

from geometry.pose import Pose


class NamedCard(Protocol):
    """A card of a known table: its id, its colour and face, and where it lies, in mm."""

    @property
    def id(self) -> int:
        """Unique in the table."""

    @property
    def name(self) -> tuple[str, str]:
        """Colour and face, of which a deck has one each (C1)."""

    @property
    def pose(self) -> Pose:
        """In the known table's frame."""
