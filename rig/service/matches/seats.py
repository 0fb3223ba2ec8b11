"""Which phone is which player's, and how a seat changes hands.

A phone signs for one player. A seat is that of the phone to which it was granted, or else of the
one that is called like the player, or else of the one that took it while it was free.
"""

from collections.abc import Mapping
from typing import Any

from referee.rounds.misfits import AlreadySeated, PlayerUnknown, SeatTaken
from referee.rounds.names import reads_like
from referee.rounds.rounds_json import match_of
from rig.service.access.access import Identity
from rig.service.access.asks import Ask
from rig.service.matches.match_history import note_with
from rig.service.matches.parts import MatchParts
from rig.store.matches import KeptMatch
from rig.store.phones import Phone

FREED = ""
"""In place of a phone's id: the seat was freed, and is nobody's by name."""


def seats(parts: MatchParts, kept: KeptMatch) -> dict[str, Phone | None]:
    """Each player's phone; no phone has two seats."""
    phones = [phone for phone in parts.store.phones.all() if phone.role != "viewer"]
    by_id = {phone.id: phone for phone in phones}
    names = [player.name for player in match_of(kept.data).players]
    granted: Mapping[str, str] = kept.data.get("granted", {})
    taken: Mapping[str, str] = kept.data.get("phones", {})
    ways = (
        {name: by_id.get(granted.get(name, "")) for name in names},
        {name: _namesake(name, phones) for name in names if name not in granted},
        {name: by_id.get(taken.get(name, "")) for name in names if name not in granted},
    )
    found: dict[str, Phone | None] = dict.fromkeys(names)
    for way in ways:
        for name, phone in way.items():
            seated = [one.id for one in found.values() if one is not None]
            if phone is not None and found[name] is None and phone.id not in seated:
                found[name] = phone
    return found


def _namesake(name: str, phones: list[Phone]) -> Phone | None:
    found = [phone for phone in phones if reads_like(phone.name) == reads_like(name)]
    return found[0] if len(found) == 1 else None


def take_seat(parts: MatchParts, match_id: str, player: str, who: Identity) -> KeptMatch:
    """Give a player's free seat to this phone. SeatTaken, unless an admin takes it; AlreadySeated
    for a phone that is another player's by its name.
    """
    with parts.change():
        kept, holder = _holder(parts, match_id, player)
        is_free = holder is None or holder.id == who.phone
        if not is_free and not who.may("admin"):
            raise SeatTaken(player=player, phone="" if holder is None else holder.name)
        if who.phone is None:  # this machine, where nobody has a phone
            return note_with(parts, match_id, {}, who.name, "seat", player=player)
        _check_one_seat(parts, kept, player, who.phone)
        return _seat(parts, kept, player, who.phone, who.name, is_granted=not is_free)


def ask_for_seat(parts: MatchParts, match_id: str, player: str, who: Identity) -> Ask | None:
    """Ask the phone that has a player's seat for it; None if it is free, or this phone's."""
    with parts.change():
        kept, holder = _holder(parts, match_id, player)
        if holder is None or who.phone is None or holder.id == who.phone:
            return None
        _check_one_seat(parts, kept, player, who.phone)
        return parts.asks.for_seat(match_id, player, who.phone, who.name)


def grant_seat(parts: MatchParts, ask: Ask, by: str) -> KeptMatch:
    """Give the seat to the phone that asked for it. AlreadySeated if it has one meanwhile."""
    with parts.change():
        kept, _ = _holder(parts, ask.match or "", ask.of)
        asker = ask.asker or ""
        _check_one_seat(parts, kept, ask.of, asker)
        return _seat(parts, kept, ask.of, asker, by, is_granted=True)


def free_seat(parts: MatchParts, match_id: str, player: str, who: str) -> KeptMatch:
    """Take a player's seat from its phone: any phone may take it then."""
    with parts.change():
        kept, _ = _holder(parts, match_id, player)
        taken = {name: one for name, one in kept.data.get("phones", {}).items() if name != player}
        granted = {**kept.data.get("granted", {}), player: FREED}
        changes = {"phones": taken, "granted": granted}
        return note_with(parts, match_id, changes, who, "seat-freed", player=player)


def holder_of(parts: MatchParts, match_id: str, player: str) -> Phone | None:
    """The phone that has a player's seat. MatchUnknown, PlayerUnknown."""
    return _holder(parts, match_id, player)[1]


def _holder(parts: MatchParts, match_id: str, player: str) -> tuple[KeptMatch, Phone | None]:
    kept = parts.store.matches.get(match_id)
    here = seats(parts, kept)
    if player not in here:
        raise PlayerUnknown(player=player)
    return kept, here[player]


def _check_one_seat(parts: MatchParts, kept: KeptMatch, player: str, phone: str) -> None:
    """A phone that merely took another seat leaves it; one that is called so, or was given it, has
    to be freed from it first.
    """
    taken = kept.data.get("phones", {})
    for name, one in seats(parts, kept).items():
        if one is None or one.id != phone or name == player:
            continue
        if kept.data.get("granted", {}).get(name) == phone or taken.get(name) != phone:
            raise AlreadySeated(player=name)


def _seat(
    parts: MatchParts, kept: KeptMatch, player: str, phone: str, by: str, is_granted: bool
) -> KeptMatch:
    taken = {name: one for name, one in kept.data.get("phones", {}).items() if one != phone}
    granted = dict(kept.data.get("granted", {}))
    if is_granted or player in granted:
        granted[player] = phone
        taken.pop(player, None)
    else:
        taken[player] = phone
    changes: dict[str, Any] = {"phones": taken}
    if granted:
        changes["granted"] = granted
    return note_with(parts, kept.id, changes, by, "seat", player=player)
