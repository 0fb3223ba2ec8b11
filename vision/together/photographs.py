"""Photographs of one table, each with its reading: how their frames lie to the first one's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from geometry.pose import Pose
from vision.reading import ReadCard, Reading
from vision.together.alignment import Alignment
from vision.together.matching import away, match, pose_of
from vision.together.places import Places

Floats = NDArray[np.float64]
FEWEST_IN_COMMON = 3
"""Cards of the same name that lie alike in two photographs of one table; all of a smaller one."""
SHARE_IN_COMMON = 0.5
"""Of the cards that lie where both photographs look, so many are the same in both."""
ALIKE_MM, ALIKE_DEG = 8.0, 5.0
"""So far do readings of two cameras differ across a table, at most."""
EDGE_SHARE = 0.01
"""Of a picture's longer side: what is nearer to its edge is not surely in the picture."""


@dataclass(frozen=True, slots=True)
class Photograph:
    """A photograph's reading, and its picture's width and height in pixels."""

    reading: Reading
    size_wh: tuple[int, int]


@dataclass(frozen=True, slots=True)
class OtherTable:
    """The photograph, by its place among all, that shows another table than the others, or too few
    of the same cards to tell.
    """

    index: int


@dataclass(frozen=True, slots=True)
class OneCard:
    """A card of the joined table, by the name and at the pose of the first photograph with it."""

    id: int
    name: tuple[str, str]
    pose: Pose


@dataclass(frozen=True)
class Member:
    """A photograph whose frame is known. `ids`: its own card's id by that of the joined table;
    `alignment` takes its millimetres to those of the first photograph.
    """

    index: int
    photo: Photograph
    alignment: Alignment
    ids: Mapping[int, int]

    @cached_property
    def places(self) -> Places:
        """Between its own millimetres and its pixels."""
        return Places(self.photo.reading.seen)

    @cached_property
    def read(self) -> Mapping[int, ReadCard]:
        """Its cards, by the ids of the joined table."""
        own = {card.id: card for card in self.photo.reading.cards}
        return {joined: own[card] for joined, card in self.ids.items()}

    @cached_property
    def poses(self) -> Mapping[int, Pose]:
        """Where its cards lie in the first photograph's frame, by the ids of the joined table."""
        return {one: self.alignment.moved(pose_of(card)) for one, card in self.read.items()}

    def joined_id(self, own: int | None) -> int | None:
        """The joined table's id of one of its cards."""
        return next((one for one, card in self.ids.items() if card == own), None)

    def to_joined(self, at_px: Sequence[tuple[float, float]]) -> Floats:
        """Pixels (N) of it in the first photograph's millimetres (N, 2)."""
        own = np.array([self.places.to_mm(one) for one in at_px])
        return self.alignment.places(own)

    def to_px(self, joined_mm: Floats) -> Floats:
        """Places (N, 2), mm of the first photograph's frame near each other, in its pixels (N, 2);
        nan where a place lies beyond the horizon.
        """
        return self.places.to_px(self.alignment.back(joined_mm))

    def shows(self, joined_mm: Floats) -> bool:
        """Whether all of some places (N, 2), near each other, are surely in the picture."""
        px, edge = self.to_px(joined_mm), EDGE_SHARE * max(self.photo.size_wh)
        last = np.array(self.photo.size_wh) - 1
        return bool(((px >= edge) & (px <= last - edge)).all())


def brought_together(photos: Sequence[Photograph]) -> tuple[Member, ...] | OtherTable:
    """All photographs in the frame of the first, each card with one id: those of the first keep
    theirs. Of photographs that do not go together the fewer are of another table.
    """
    groups: list[tuple[Member, ...]] = []
    for seed in range(len(photos)):
        if all(seed not in {one.index for one in group} for group in groups):
            groups.append(_around(seed, photos))
    most = max(groups, key=len)
    indices = {one.index for one in most}
    for index in range(len(photos)):
        if index not in indices:
            return OtherTable(index)
    return most


def _around(seed: int, photos: Sequence[Photograph]) -> tuple[Member, ...]:
    """The photographs that go together with one, in its frame, by their places among all."""
    own = photos[seed].reading.cards
    cards = [OneCard(card.id, (card.colour, card.face), pose_of(card)) for card in own]
    members = [Member(seed, photos[seed], Alignment(), {card.id: card.id for card in own})]
    left = [index for index in range(len(photos)) if index != seed]
    found = True
    while found:
        found = False
        for index in tuple(left):
            member = _placed(index, photos[index], cards, members)
            if member is None:
                continue
            known = {card.id for card in cards}
            cards += [
                OneCard(one, (card.colour, card.face), member.poses[one])
                for one, card in member.read.items()
                if one not in known
            ]
            members.append(member)
            left.remove(index)
            found = True
    return tuple(sorted(members, key=lambda one: one.index))


def _placed(
    index: int, photo: Photograph, cards: Sequence[OneCard], members: Sequence[Member]
) -> Member | None:
    """A photograph in the frame of the cards known so far; None where it is of another table."""
    read = photo.reading.cards
    if not cards or not read:
        bare = not cards and not read
        return Member(index, photo, Alignment(), {}) if bare else None
    fewest = min(FEWEST_IN_COMMON, len(cards), len(read))
    found = match(cards, read, fewest)
    next_id = max(card.id for card in cards) + 1
    ids = {**found.pairs, **{next_id + k: own for k, own in enumerate(found.new)}}
    member = Member(index, photo, found.alignment, ids)
    alike = sum(_alike(card, member) for card in cards)
    if alike < fewest:
        return None
    here = sum(member.shows(_middle(card.pose)) for card in cards)
    there = sum(_is_shown(pose, members) for pose in member.poses.values())
    return member if alike >= SHARE_IN_COMMON * min(here, there) else None


def _alike(card: OneCard, member: Member) -> bool:
    """Whether a photograph has a card of the same name at the same place."""
    read = member.read.get(card.id)
    if read is None or (read.colour, read.face) != card.name:
        return False
    mm, deg = away(card.pose, member.poses[card.id])
    return mm <= ALIKE_MM and deg <= ALIKE_DEG


def _is_shown(pose: Pose, members: Sequence[Member]) -> bool:
    return any(one.shows(_middle(pose)) for one in members)


def _middle(pose: Pose) -> Floats:
    return np.array([[pose.x_mm, pose.y_mm]])


def card_ids(members: Sequence[Member]) -> Iterator[int]:
    """The ids of all cards of the joined table, each once."""
    yield from dict.fromkeys(one for member in members for one in member.ids)
