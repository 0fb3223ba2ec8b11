"""What is refused about a followed game, and why."""

from __future__ import annotations

from rig.trouble import Trouble


class GameRefused(Trouble):
    """Something that does not fit the game that is followed."""

    key = "game-refused"


class NothingFollowed(GameRefused):
    """No game is followed, or it has ended."""

    key = "nothing-followed"
    sentence = "No game is followed: begin one first."


class NothingRead(GameRefused):
    """No picture of the game was read yet."""

    key = "nothing-read"
    sentence = "No picture of this game has been read yet: there is nothing to end."


class EventUnknown(GameRefused):
    """No event with this number, or none that is about a card."""

    key = "event-unknown"
    sentence = "This game has no event {event} about a card."


class FrameOlder(GameRefused):
    """A picture from before the last one that was followed."""

    key = "frame-older"
    sentence = (
        "Frame {frame} is older than the last picture that was followed: the game has gone on "
        "since. Take another."
    )


class OtherTable(GameRefused):
    """A picture on which few of the known cards lie."""

    key = "frame-of-another-table"
    sentence = (
        "Frame {frame} shows other cards than the game that is followed: take a picture of its "
        "table, or start afresh."
    )


class PlayersWrong(GameRefused):
    """Colours that nobody can play."""

    key = "game-players"
    sentence = "players: give different colours of the deck ({known}), in the order of turns."


class ScoresHidden(GameRefused):
    """What would tell the scores, while they are hidden until the end."""

    key = "scores-hidden"
    sentence = "The scores are hidden until the end: then the game can be replayed."
