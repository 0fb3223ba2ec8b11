"""What the service itself refuses, beside what the photo, the store and the rounds refuse."""

from __future__ import annotations

from rig.trouble import Trouble


class Refused(Trouble):
    """A request that is not answered; each kind has its own key."""

    key = "refused"


class NotPaired(Refused):
    """Nobody is known by this request."""

    key = "not-paired"


class NotAllowed(Refused):
    """Known, but may not."""

    key = "not-allowed"


class HeaderMissing(Refused):
    """A write without the header that no other site can send."""

    key = "header-missing"


class HostRefused(Refused):
    """Asked by a name that is not this rig's."""

    key = "host-refused"


class BodyAmbiguous(Refused):
    """A body whose end is told in two ways: what stands between may read another end than this."""

    key = "body-ambiguous"


class HeadersTooLarge(Refused):
    """More header lines, or longer ones, than any browser sends."""

    key = "headers-too-large"


class SecretWrong(Refused):
    """A PIN or code that opens nothing."""

    key = "secret-wrong"


class NameTaken(Refused):
    """Another phone has a name that reads like this one."""

    key = "name-taken"


class NameUnreadable(Refused):
    """A name of which nothing is seen."""

    key = "name-unreadable"


class AskUnknown(Refused):
    """Nobody asks, or it was answered already, or ten minutes have passed."""

    key = "ask-unknown"


class AskRefused(Refused):
    """The other phone said no."""

    key = "ask-refused"


class InvitationUnknown(Refused):
    """No such invitation, or it is over."""

    key = "invitation-unknown"


class NotYourPhoto(Refused):
    """A player's phone takes back its own photos only."""

    key = "not-your-photo"


class TooManyTries(Refused):
    """Guessing."""

    key = "too-many-tries"


class TooSlow(Refused):
    """A body that did not come in time."""

    key = "too-slow"


class Busy(Refused):
    """More at once than the rig can do; whoever comes again in a moment is answered."""

    key = "busy"


class RequestInvalid(Refused):
    """A request that does not say what it must."""

    key = "request-invalid"


class BodyTooLarge(Refused):
    """More bytes than are taken."""

    key = "body-too-large"


class NotFound(Refused):
    """Nothing at this address."""

    key = "not-found"


class MethodNotAllowed(Refused):
    """Not this way."""

    key = "method-not-allowed"


class NotRead(Refused):
    """There is no reading yet, or there will be none."""

    key = "not-read"


class AlreadyRead(Refused):
    """Only a photo that is on its way can be taken back."""

    key = "already-read"


class NoCamera(Refused):
    """The service runs without a camera."""

    key = "no-camera"


class NotForPrograms(Refused):
    """What only people do."""

    key = "not-for-programs"


class TokenWrong(Refused):
    """A token that this rig never gave out."""

    key = "token-wrong"


class TokenRevoked(Refused):
    """A token whose access was ended."""

    key = "token-revoked"


class TokenExpired(Refused):
    """A token that has lasted as long as its maker said."""

    key = "token-expired"


class TokenUnknown(Refused):
    """No such token in the list."""

    key = "token-unknown"


class PhoneUnknown(Refused):
    """No such phone."""

    key = "phone-unknown"


class WebhookUnknown(Refused):
    """No such webhook."""

    key = "webhook-unknown"


class BrokerUnknown(Refused):
    """No such broker."""

    key = "broker-unknown"


class LensNotBegun(Refused):
    """No calibration of this phone, or others have begun too many since."""

    key = "lens-not-begun"


class LensBusy(Refused):
    """A photo, or a second start, while the lens is computed."""

    key = "lens-busy"


class LensTooFew(Refused):
    """Too little to compute a lens from."""

    key = "lens-too-few"


class LensNotComputed(Refused):
    """Nothing to save, or to draw."""

    key = "lens-not-computed"


class LensOfAnotherCamera(Refused):
    """A phone's lens for the rig, or the other way round."""

    key = "lens-of-another-camera"


class LensTooPoor(Refused):
    """A calibration that is not good enough, and nobody insists."""

    key = "lens-too-poor"


class LensBetterThere(Refused):
    """A calibration that would replace a better one, and nobody insists."""

    key = "lens-better-there"


class DeckUnknown(Refused):
    """No such deck was enrolled here."""

    key = "deck-unknown"


class DeckThere(Refused):
    """A deck is never replaced by another of its name."""

    key = "deck-there"


class DeckNamedAtStart(Refused):
    """What the rig was started with goes before what is chosen on the page."""

    key = "deck-named-at-start"


class DeckInPlay(Refused):
    """A match goes on in colours that the other deck does not have."""

    key = "deck-in-play"


class EnrolmentNotBegun(Refused):
    """Photos of cards, but of no deck."""

    key = "enrolment-not-begun"


class EnrolmentEmpty(Refused):
    """A deck of no cards."""

    key = "enrolment-empty"


class EnrolmentFull(Refused):
    """More photos than any deck has cards for."""

    key = "enrolment-full"


class DeckNotMade(Refused):
    """Nothing was made of the photos that could be kept."""

    key = "deck-not-made"


class LensBoardUnknown(Refused):
    """Words that name no board."""

    key = "lens-board-unknown"


class Fault(Refused):
    """The program's own fault."""

    key = "fault"


class CoachOff(Refused):
    """The coach is asked while a round of a match is played."""

    key = "coach-off"
