"""Which phone is which player's."""

from __future__ import annotations

from collections.abc import Mapping

from rig.rounds.rounds_json import match_of
from rig.service.desk import Desk
from rig.store.matches import KeptMatch
from rig.store.phones import Phone


def seats(desk: Desk, kept: KeptMatch) -> dict[str, Phone | None]:
    """Each player's phone: the one that took the seat, or else the only one of that name."""
    phones = desk.store.phones.all()
    by_id = {phone.id: phone for phone in phones}
    taken: Mapping[str, str] = kept.data.get("phones", {})
    names = [player.name for player in match_of(kept.data).players]
    return {name: by_id.get(taken.get(name, "")) or _namesake(name, phones) for name in names}


def _namesake(name: str, phones: list[Phone]) -> Phone | None:
    found = [phone for phone in phones if phone.name.strip().casefold() == name.strip().casefold()]
    return found[0] if len(found) == 1 else None
