"""The doubts of all photographs, in the joined frame, and what each photograph plainly shows.

What photographs from the same place (a view) doubt, none of them shows plainly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from geometry.deck import CardSize
from geometry.pose import Pose
from vision.doubting.over_doubts import BESIDE_MM, OVER_CARDS
from vision.reading import Doubt, DoubtKind
from vision.together.photographs import Member
from vision.together.places import corners_mm

OF_ITSELF: frozenset[DoubtKind] = frozenset({"card", "colour", "face", "dot"})
"""Kinds of doubts of what a card is, or whether, rather than of what it lies on."""
OF_SCALE = frozenset({"markers-misscaled", "laid-too-far-off"})
"""Codes of doubts of the millimetres themselves, which no other photograph settles."""
COUNTED = frozenset({"cards-too-few", "start-not-seen"})
"""Codes of doubts that say what the whole table lacks: the joined one is asked again."""
GLOWS = frozenset({"glow-beside", "burnt-out-beside", "washed-out"})
"""Codes of doubts about places that are as wide as a lamp's mirror image."""
REACH_MM, GLOW_REACH_MM = 45.0, 200.0
"""What a doubt about a place is about lies so near it: half a card, or a lamp's mirror image."""
NEAR_CARD_MM = 5.0
"""A doubt about a place so near a card is about that card, too."""


@dataclass(frozen=True, slots=True)
class Told:
    """A doubt of one photograph. `card`: the joined table's; `at_mm` (2,) and `area`, what it is
    about, in the joined frame; both None where it is about the whole picture.
    """

    member: int
    doubt: Doubt
    card: int | None
    at_mm: tuple[float, float] | None
    area: shapely.Polygon | None

    @property
    def is_thing(self) -> bool:
        """Whether something lies over the cards there."""
        return self.doubt.reason.code == OVER_CARDS

    @property
    def is_counted(self) -> bool:
        """Whether it is about numbers of cards."""
        return self.doubt.reason.code in COUNTED

    @property
    def is_whole(self) -> bool:
        """Whether it is about the whole picture."""
        return self.area is None and self.card is None and not self.is_counted


def told_by(place: int, member: Member) -> Iterator[Told]:
    """The doubts of a photograph, the `place`th, but those about placements: of these the joined
    table is asked.
    """
    for doubt in member.photo.reading.doubts:
        if doubt.kind == "verdict":
            continue
        if doubt.outline_px:
            area = shapely.Polygon(member.to_joined(doubt.outline_px)).buffer(0)
            at = area.representative_point()
            yield Told(place, doubt, member.joined_id(doubt.card), (at.x, at.y), area)
            continue
        is_whole = doubt.card is None and doubt.kind in ("table", "colour", "face")
        if is_whole or doubt.reason.code in COUNTED or not member.ids:
            yield Told(place, doubt, None, None, None)
            continue
        x, y = member.to_joined([doubt.at_px])[0].tolist()
        card = member.joined_id(doubt.card)
        reach = GLOW_REACH_MM if doubt.reason.code in GLOWS else REACH_MM
        round_about = shapely.Point(x, y).buffer(reach) if card is None else None
        yield Told(place, doubt, card, (x, y), round_about)


@dataclass(frozen=True)
class Sight:
    """All photographs with their views and doubts."""

    members: tuple[Member, ...]
    views: tuple[int, ...]
    told: tuple[Told, ...]
    size: CardSize

    @cached_property
    def _by_view(self) -> Mapping[int, tuple[Told, ...]]:
        out: dict[int, list[Told]] = {view: [] for view in self.views}
        for one in self.told:
            out[self.views[one.member]].append(one)
        return {view: tuple(some) for view, some in out.items()}

    def view_of(self, told: Told) -> int:
        """The view of the photograph that a doubt is of."""
        return self.views[told.member]

    def is_poor(self, view: int) -> bool:
        """Whether what a view shows is doubted as a whole."""
        return any(one.is_whole for one in self._by_view[view])

    def shown_well(self, card: int) -> bool:
        """Whether a photograph that is not doubted as a whole has a card."""
        return any(
            card in member.ids and not self.is_poor(view)
            for member, view in zip(self.members, self.views, strict=True)
        )

    def undoubted(self, place: int, card: int) -> bool:
        """Whether a photograph shows a card whole in the picture, and its view has no doubt about
        it, nor anything over it.
        """
        member = self.members[place]
        if card not in member.ids or self.is_poor(self.views[place]):
            return False
        own = member.photo.reading.seen.layout.card(member.ids[card])
        if own.in_sight_mm is not None:
            return False
        return not self.blocks(self.views[place], self.body(member.poses[card]), card)

    def blocks(self, view: int, area: shapely.Polygon, card: int | None = None) -> bool:
        """Whether a view has a doubt about an area, or about the card that lies there."""
        for one in self._by_view[view]:
            if one.card is not None and one.card == card and one.doubt.kind in OF_ITSELF:
                return True
            if one.card is not None or one.area is None or one.at_mm is None:
                continue
            if one.is_thing:
                near = one.area.distance(area) <= BESIDE_MM
            elif one.doubt.reason.code in GLOWS:
                near = bool(one.area.intersects(area))
            else:
                near = shapely.Point(one.at_mm).distance(area) <= NEAR_CARD_MM
            if near:
                return True
        return False

    def over_things(self, view: int, area: BaseGeometry) -> bool:
        """Whether something lies over an area in a view, or so near that it may."""
        things = [one.area for one in self._by_view[view] if one.is_thing and one.area is not None]
        return any(one.distance(area) <= BESIDE_MM for one in things)

    def shows_plainly(self, place: int, area: shapely.Polygon, whole: Mapping[int, bool]) -> bool:
        """Whether a photograph shows an area without anything in doubt there; `whole`: for each of
        its cards whether it shows that plainly.
        """
        member, view = self.members[place], self.views[place]
        if self.is_poor(view) or self.blocks(view, area):
            return False
        if not member.ids or not member.shows(np.array(area.exterior.coords)):
            return False
        return all(
            whole[card] for card, pose in member.poses.items() if self.body(pose).intersects(area)
        )

    def body(self, pose: Pose) -> shapely.Polygon:
        """A card's outline in the joined frame."""
        return shapely.Polygon(corners_mm(self.size, pose))

    def others(self, view: int) -> Sequence[int]:
        """The photographs, by their places, that were taken from elsewhere."""
        return [place for place, other in enumerate(self.views) if other != view]
