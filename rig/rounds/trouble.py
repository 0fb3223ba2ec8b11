"""What is refused about matches and rounds, and why."""

from __future__ import annotations

from rig.trouble import Trouble


class MatchFault(Trouble):
    """Players or a way to play that do not go together; `where` names the place."""

    key = "match-fault"
    sentence = "{where}: {why}."


class MatchOver(Trouble):
    """No more rounds in this match."""

    key = "match-over"
    sentence = "This match is over: begin another."


class RoundStillOpen(Trouble):
    """The round before has to end first."""

    key = "round-still-open"
    sentence = "Round {round} is not over yet: end it first."


class RoundEnded(Trouble):
    """A round ends once."""

    key = "round-ended"
    sentence = "Round {round} has already ended."


class RoundNotEnded(Trouble):
    """Only a round that has ended can be signed."""

    key = "round-not-ended"
    sentence = "Round {round} has not ended yet."


class RoundSigned(Trouble):
    """A signed round stands."""

    key = "round-signed"
    sentence = "Round {round} is signed: its score stands until the round is reopened."


class RoundNotSigned(Trouble):
    """Only a signed round can be opened again."""

    key = "round-not-signed"
    sentence = "Round {round} is not signed."


class AlreadySigned(Trouble):
    """Nobody signs twice."""

    key = "already-signed"
    sentence = "{player} has already signed round {round}."


class PlayerUnknown(Trouble):
    """Nobody of that name plays in this match."""

    key = "player-unknown"
    sentence = "{player} does not play in this match."


class ScoreMissing(Trouble):
    """A round whose frame could not be read has no score to sign."""

    key = "score-missing"
    sentence = "Round {round} has no score yet: its photo has not been read yet, or could not be."


class FrameTaken(Trouble):
    """A picture shows how one round ended, and no other."""

    key = "frame-taken"
    sentence = "That photo already ends round {round} of the match of {begun}: use another photo."


class RoundNotLast(Trouble):
    """Only the newest round can be cancelled."""

    key = "round-not-last"
    sentence = "Round {later} came after round {round}: only the newest round can be cancelled."


class ColoursSigned(Trouble):
    """Signed scores are by colour."""

    key = "colours-signed"
    sentence = (
        "Rounds are signed with the colours {colours}: keep these colours, or reopen the rounds."
    )


class NotYourSignature(Trouble):
    """A phone signs for the player it is paired as."""

    key = "not-your-signature"
    sentence = "Only the phone of {player}, or an admin, can sign for {player}."


class SeatTaken(Trouble):
    """Another phone is that player's."""

    key = "seat-taken"
    sentence = "{player} already has a phone ({phone}): ask for the seat, or ask an admin."


class AlreadySeated(Trouble):
    """A phone signs for one player."""

    key = "already-seated"
    sentence = "This phone signs for {player} already, and a phone signs for one player."


class DisagreementUnknown(Trouble):
    """No such disagreement."""

    key = "disagreement-unknown"
    sentence = "Round {round} has no disagreement {disagreement}."


class AlreadySettled(Trouble):
    """A disagreement is settled once."""

    key = "already-settled"
    sentence = "That disagreement in round {round} is already settled."
