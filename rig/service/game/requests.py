"""What may be asked of a followed game, as models."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from rig.service.http.requests import FrameId, Wish, Word, whole


class FollowRequest(Wish):
    """How to follow; what is not said stays. `players`: colours in the order of turns; `turn_s`:
    how many seconds a turn may last, 0 where that is not asked.
    """

    following: bool | None = None
    players: Annotated[list[Word], Field(max_length=16)] | None = None
    hide_scores: bool | None = None
    turn_s: Annotated[
        Annotated[int, Field(ge=5, le=120)] | Literal[0] | None, BeforeValidator(whole)
    ] = None


class NameRequest(Wish):
    """Which card it was."""

    colour: Word
    face: Word


class StaysRequest(Wish):
    """Whether the card stays, although it lies illegally."""

    stays: bool


class FrameRequest(Wish):
    """A frame of the game that is followed."""

    frame: FrameId


class EndGameRequest(Wish):
    """End the game by a picture that the camera takes now, or by this frame of its table."""

    frame: FrameId | None = None
    finished_first: Word | None = None
