"""What the service itself refuses, beside what the photo, the store and the rounds refuse."""

from rig.trouble import Trouble


class Refused(Trouble, key="refused"):
    """A request that is not answered; each kind has its own key."""


class NotPaired(Refused, key="not-paired"):
    """Nobody is known by this request."""


class NotAllowed(Refused, key="not-allowed"):
    """Known, but may not."""


class HeaderMissing(Refused, key="header-missing"):
    """A write without the header that no other site can send."""


class HostRefused(Refused, key="host-refused"):
    """Asked by a name that is not this rig's."""


class BodyAmbiguous(Refused, key="body-ambiguous"):
    """A body whose end is told in two ways: what stands between may read another end than this."""


class HeadersTooLarge(Refused, key="headers-too-large"):
    """More header lines, or longer ones, than any browser sends."""


class SecretWrong(Refused, key="secret-wrong"):
    """A PIN or code that opens nothing."""


class NameTaken(Refused, key="name-taken"):
    """Another phone has a name that reads like this one."""


class NameUnreadable(Refused, key="name-unreadable"):
    """A name of which nothing is seen."""


class AskUnknown(Refused, key="ask-unknown"):
    """Nobody asks, or it was answered already, or ten minutes have passed."""


class AskRefused(Refused, key="ask-refused"):
    """The other phone said no."""


class InvitationUnknown(Refused, key="invitation-unknown"):
    """No such invitation, or it is over."""


class NotYourPhoto(Refused, key="not-your-photo"):
    """A player's phone takes back its own photos only."""


class TooManyTries(Refused, key="too-many-tries"):
    """Guessing."""


class TooSlow(Refused, key="too-slow"):
    """A body that did not come in time."""


class Busy(Refused, key="busy"):
    """More at once than the rig can do; whoever comes again in a moment is answered."""


class RequestInvalid(Refused, key="request-invalid"):
    """A request that does not say what it must."""


class BodyTooLarge(Refused, key="body-too-large"):
    """More bytes than are taken."""


class NotFound(Refused, key="not-found"):
    """Nothing at this address."""


class MethodNotAllowed(Refused, key="method-not-allowed"):
    """Not this way."""


class FramesApart(Refused, key="frames-apart"):
    """Photos that are to be read as one, of which one shows another table."""


class NotRead(Refused, key="not-read"):
    """There is no reading yet, or there will be none."""


class AlreadyRead(Refused, key="already-read"):
    """Only a photo that is on its way can be taken back."""


class NoCamera(Refused, key="no-camera"):
    """The service runs without a camera."""


class NotForPrograms(Refused, key="not-for-programs"):
    """What only people do."""


class TokenWrong(Refused, key="token-wrong"):
    """A token that this rig never gave out."""


class TokenRevoked(Refused, key="token-revoked"):
    """A token whose access was ended."""


class TokenExpired(Refused, key="token-expired"):
    """A token that has lasted as long as its maker said."""


class TokenUnknown(Refused, key="token-unknown"):
    """No such token in the list."""


class PhoneUnknown(Refused, key="phone-unknown"):
    """No such phone."""


class WebhookUnknown(Refused, key="webhook-unknown"):
    """No such webhook."""


class BrokerUnknown(Refused, key="broker-unknown"):
    """No such broker."""


class LensNotBegun(Refused, key="lens-not-begun"):
    """No calibration of this phone, or others have begun too many since."""


class LensBusy(Refused, key="lens-busy"):
    """A photo, or a second start, while the lens is computed."""


class LensTooFew(Refused, key="lens-too-few"):
    """Too little to compute a lens from."""


class LensNotComputed(Refused, key="lens-not-computed"):
    """Nothing to save, or to draw."""


class LensOfAnotherCamera(Refused, key="lens-of-another-camera"):
    """A phone's lens for the rig, or the other way round."""


class LensTooPoor(Refused, key="lens-too-poor"):
    """A calibration that is not good enough, and nobody insists."""


class LensBetterThere(Refused, key="lens-better-there"):
    """A calibration that would replace a better one, and nobody insists."""


class DeckUnknown(Refused, key="deck-unknown"):
    """No such deck was enrolled here."""


class DeckThere(Refused, key="deck-there"):
    """A deck is never replaced by another of its name."""


class DeckNamedAtStart(Refused, key="deck-named-at-start"):
    """What the rig was started with goes before what is chosen on the page."""


class DeckInPlay(Refused, key="deck-in-play"):
    """A match goes on in colours that the other deck does not have."""


class EnrolmentNotBegun(Refused, key="enrolment-not-begun"):
    """Photos of cards, but of no deck."""


class EnrolmentEmpty(Refused, key="enrolment-empty"):
    """A deck of no cards."""


class EnrolmentFull(Refused, key="enrolment-full"):
    """More photos than any deck has cards for."""


class DeckNotMade(Refused, key="deck-not-made"):
    """Nothing was made of the photos that could be kept."""


class LensBoardUnknown(Refused, key="lens-board-unknown"):
    """Words that name no board."""


class Fault(Refused, key="fault"):
    """The program's own fault."""


class CoachOff(Refused, key="coach-off"):
    """The coach is asked while a round of a match is played."""
