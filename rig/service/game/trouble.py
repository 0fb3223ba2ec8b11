"""What is refused about a followed game, and why."""

from rig.trouble import Trouble


class GameRefused(Trouble, key="game-refused"):
    """Something that does not fit the game that is followed."""


class NothingFollowed(GameRefused, key="nothing-followed"):
    """No game is followed, or it has ended."""


class NothingRead(GameRefused, key="nothing-read"):
    """No picture of the game was read yet."""


class EventUnknown(GameRefused, key="event-unknown"):
    """No event with this number, or none that is about a card."""


class FrameOlder(GameRefused, key="frame-older"):
    """A picture from before the last one that was followed."""


class OtherTable(GameRefused, key="frame-of-another-table"):
    """A picture on which few of the known cards lie."""


class PlayersWrong(GameRefused, key="game-players"):
    """Colours that nobody can play."""


class ScoresHidden(GameRefused, key="scores-hidden"):
    """What would tell the scores, while they are hidden until the end."""
