"""What the routes of the followed game are given."""

from __future__ import annotations

from dataclasses import dataclass

from geometry.deck import Deck
from rig.service.frames.parts import FrameParts
from rig.service.game.followed_game import FollowedGame
from rig.service.http.web import parts_of
from rig.service.matches.parts import MatchParts
from rig.service.pictures.picture_maker import PictureMaker


@dataclass(frozen=True, slots=True)
class GameParts:
    """`frames`: for the picture that ends a game; `matches`: for the round that it ends; `films`:
    makes films, which takes longer than other pictures.
    """

    deck: Deck
    followed: FollowedGame
    frames: FrameParts
    matches: MatchParts
    films: PictureMaker


game_parts = parts_of("game", GameParts)
