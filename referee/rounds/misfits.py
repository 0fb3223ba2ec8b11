"""What is refused about matches and rounds, and why."""

from referee.misfit import Misfit


class MatchFault(Misfit, key="match-fault"):
    """Players or a way to play that do not go together; `where` names the place."""


class MatchOver(Misfit, key="match-over"):
    """No more rounds in this match."""


class RoundStillOpen(Misfit, key="round-still-open"):
    """The round before has to end first."""


class RoundEnded(Misfit, key="round-ended"):
    """A round ends once."""


class RoundNotEnded(Misfit, key="round-not-ended"):
    """Only a round that has ended can be signed."""


class RoundSigned(Misfit, key="round-signed"):
    """A signed round stands."""


class RoundNotSigned(Misfit, key="round-not-signed"):
    """Only a signed round can be opened again."""


class AlreadySigned(Misfit, key="already-signed"):
    """Nobody signs twice."""


class PlayerUnknown(Misfit, key="player-unknown"):
    """Nobody of that name plays in this match."""


class ScoreMissing(Misfit, key="score-missing"):
    """A round whose frame could not be read has no score to sign."""


class FrameTaken(Misfit, key="frame-taken"):
    """A picture shows how one round ended, and no other."""


class RoundNotLast(Misfit, key="round-not-last"):
    """Only the newest round can be cancelled."""


class ColoursSigned(Misfit, key="colours-signed"):
    """Signed scores are by colour."""


class NotYourSignature(Misfit, key="not-your-signature"):
    """A phone signs for the player it is paired as."""


class SeatTaken(Misfit, key="seat-taken"):
    """Another phone is that player's."""


class AlreadySeated(Misfit, key="already-seated"):
    """A phone signs for one player."""


class DisagreementUnknown(Misfit, key="disagreement-unknown"):
    """No such disagreement."""


class AlreadySettled(Misfit, key="already-settled"):
    """A disagreement is settled once."""
