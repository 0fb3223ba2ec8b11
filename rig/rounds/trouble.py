"""What is refused about matches and rounds, and why."""

from __future__ import annotations

from rig.trouble import Trouble


class MatchFault(Trouble):
    """Players or a way to play that do not go together; `where` names the place."""

    key = "match-fault"


class MatchOver(Trouble):
    """No more rounds in this match."""

    key = "match-over"


class RoundStillOpen(Trouble):
    """The round before has to end first."""

    key = "round-still-open"


class RoundEnded(Trouble):
    """A round ends once."""

    key = "round-ended"


class RoundNotEnded(Trouble):
    """Only a round that has ended can be signed."""

    key = "round-not-ended"


class RoundSigned(Trouble):
    """A signed round stands."""

    key = "round-signed"


class RoundNotSigned(Trouble):
    """Only a signed round can be opened again."""

    key = "round-not-signed"


class AlreadySigned(Trouble):
    """Nobody signs twice."""

    key = "already-signed"


class PlayerUnknown(Trouble):
    """Nobody of that name plays in this match."""

    key = "player-unknown"


class ScoreMissing(Trouble):
    """A round whose frame could not be read has no score to sign."""

    key = "score-missing"


class FrameTaken(Trouble):
    """A picture shows how one round ended, and no other."""

    key = "frame-taken"


class RoundNotLast(Trouble):
    """Only the newest round can be cancelled."""

    key = "round-not-last"


class ColoursSigned(Trouble):
    """Signed scores are by colour."""

    key = "colours-signed"


class NotYourSignature(Trouble):
    """A phone signs for the player it is paired as."""

    key = "not-your-signature"


class SeatTaken(Trouble):
    """Another phone is that player's."""

    key = "seat-taken"


class AlreadySeated(Trouble):
    """A phone signs for one player."""

    key = "already-seated"


class DisagreementUnknown(Trouble):
    """No such disagreement."""

    key = "disagreement-unknown"


class AlreadySettled(Trouble):
    """A disagreement is settled once."""

    key = "already-settled"
