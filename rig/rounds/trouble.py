"""What is refused about matches and rounds, and why."""

from rig.trouble import Trouble


class MatchFault(Trouble, key="match-fault"):
    """Players or a way to play that do not go together; `where` names the place."""


class MatchOver(Trouble, key="match-over"):
    """No more rounds in this match."""


class RoundStillOpen(Trouble, key="round-still-open"):
    """The round before has to end first."""


class RoundEnded(Trouble, key="round-ended"):
    """A round ends once."""


class RoundNotEnded(Trouble, key="round-not-ended"):
    """Only a round that has ended can be signed."""


class RoundSigned(Trouble, key="round-signed"):
    """A signed round stands."""


class RoundNotSigned(Trouble, key="round-not-signed"):
    """Only a signed round can be opened again."""


class AlreadySigned(Trouble, key="already-signed"):
    """Nobody signs twice."""


class PlayerUnknown(Trouble, key="player-unknown"):
    """Nobody of that name plays in this match."""


class ScoreMissing(Trouble, key="score-missing"):
    """A round whose frame could not be read has no score to sign."""


class FrameTaken(Trouble, key="frame-taken"):
    """A picture shows how one round ended, and no other."""


class RoundNotLast(Trouble, key="round-not-last"):
    """Only the newest round can be cancelled."""


class ColoursSigned(Trouble, key="colours-signed"):
    """Signed scores are by colour."""


class NotYourSignature(Trouble, key="not-your-signature"):
    """A phone signs for the player it is paired as."""


class SeatTaken(Trouble, key="seat-taken"):
    """Another phone is that player's."""


class AlreadySeated(Trouble, key="already-seated"):
    """A phone signs for one player."""


class DisagreementUnknown(Trouble, key="disagreement-unknown"):
    """No such disagreement."""


class AlreadySettled(Trouble, key="already-settled"):
    """A disagreement is settled once."""
