"""What is refused about a followed game, and why."""

from __future__ import annotations

from rig.trouble import Trouble


class GameRefused(Trouble):
    """Something that does not fit the game that is followed."""

    key = "game-refused"


class NothingFollowed(GameRefused):
    """No game is followed, or it has ended."""

    key = "nothing-followed"


class NothingRead(GameRefused):
    """No picture of the game was read yet."""

    key = "nothing-read"


class EventUnknown(GameRefused):
    """No event with this number, or none that is about a card."""

    key = "event-unknown"


class FrameOlder(GameRefused):
    """A picture from before the last one that was followed."""

    key = "frame-older"


class OtherTable(GameRefused):
    """A picture on which few of the known cards lie."""

    key = "frame-of-another-table"


class PlayersWrong(GameRefused):
    """Colours that nobody can play."""

    key = "game-players"


class ScoresHidden(GameRefused):
    """What would tell the scores, while they are hidden until the end."""

    key = "scores-hidden"
