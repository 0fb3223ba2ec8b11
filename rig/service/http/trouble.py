"""What the service itself refuses, beside what the photo, the store and the rounds refuse."""

from __future__ import annotations

from rig.trouble import Trouble


class Refused(Trouble):
    """A request that is not answered; each kind has its own key."""

    key = "refused"


class NotPaired(Refused):
    """Nobody is known by this request."""

    key = "not-paired"
    sentence = "This phone is not paired: scan the code in the terminal, or type the PIN."


class NotAllowed(Refused):
    """Known, but may not."""

    key = "not-allowed"
    sentence = "This needs the role {role:role}."


class HeaderMissing(Refused):
    """A write without the header that no other site can send."""

    key = "header-missing"
    sentence = "A change needs the header {header}."


class HostRefused(Refused):
    """Asked by a name that is not this rig's."""

    key = "host-refused"
    sentence = "This rig does not answer to that name: use the address in the terminal."


class BodyAmbiguous(Refused):
    """A body whose end is told in two ways: what stands between may read another end than this."""

    key = "body-ambiguous"
    sentence = "A request with both Content-Length and Transfer-Encoding is not answered."


class HeadersTooLarge(Refused):
    """More header lines, or longer ones, than any browser sends."""

    key = "headers-too-large"
    sentence = "The request's headers are too large: at most {most} of them, {limit} KB in all."


class SecretWrong(Refused):
    """A PIN or code that opens nothing."""

    key = "secret-wrong"
    sentence = "That PIN or code is wrong, or has expired: ask for a new one."


class NameTaken(Refused):
    """Another phone has a name that reads like this one."""

    key = "name-taken"
    sentence = "{name} is a paired phone's name: choose another, or ask to be its new phone."


class NameUnreadable(Refused):
    """A name of which nothing is seen."""

    key = "name-unreadable"
    sentence = "A name needs at least one letter that is seen."


class AskUnknown(Refused):
    """Nobody asks, or it was answered already, or ten minutes have passed."""

    key = "ask-unknown"
    sentence = "That is no longer asked for: ask again."


class AskRefused(Refused):
    """The other phone said no."""

    key = "ask-refused"
    sentence = "That was refused: choose another name, or ask who runs the table."


class InvitationUnknown(Refused):
    """No such invitation, or it is over."""

    key = "invitation-unknown"
    sentence = "That invitation is over."


class NotYourPhoto(Refused):
    """A player's phone takes back its own photos only."""

    key = "not-your-photo"
    sentence = "Another phone sent photo {frame}: only it, or an admin, can take it back."


class TooManyTries(Refused):
    """Guessing."""

    key = "too-many-tries"
    sentence = "Too many wrong PINs: try again in {seconds} s."


class TooSlow(Refused):
    """A body that did not come in time."""

    key = "too-slow"
    sentence = "That came too slowly and was given up: try again, nearer to the router."


class Busy(Refused):
    """More at once than the rig can do; whoever comes again in a moment is answered."""

    key = "busy"
    sentence = "The rig is busy: try again in {seconds} s."


class RequestInvalid(Refused):
    """A request that does not say what it must."""

    key = "request-invalid"
    sentence = "{where}: {why}."


class BodyTooLarge(Refused):
    """More bytes than are taken."""

    key = "body-too-large"
    sentence = "That is too large: at most {limit} MB are accepted."


class NotFound(Refused):
    """Nothing at this address."""

    key = "not-found"
    sentence = "There is nothing at this address."


class MethodNotAllowed(Refused):
    """Not this way."""

    key = "method-not-allowed"
    sentence = "This address cannot be used in that way."


class NotRead(Refused):
    """There is no reading yet, or there will be none."""

    key = "not-read"
    sentence = "Photo {frame} has no reading: it has not been read yet, or could not be."


class AlreadyRead(Refused):
    """Only a photo that is on its way can be taken back."""

    key = "already-read"
    sentence = "Photo {frame} has already been read: an admin can delete it."


class NoCamera(Refused):
    """The service runs without a camera."""

    key = "no-camera"
    sentence = "No camera is connected: upload a photo instead."


class NotForPrograms(Refused):
    """What only people do."""

    key = "not-for-programs"
    sentence = "A program may not do this with its access token: do it on a paired phone."


class TokenWrong(Refused):
    """A token that this rig never gave out."""

    key = "token-wrong"
    sentence = "This rig does not know that access token: make one on the page, or: tacta tokens."


class TokenRevoked(Refused):
    """A token whose access was ended."""

    key = "token-revoked"
    sentence = "The access token {name} was revoked on {when}: ask an admin for another."


class TokenExpired(Refused):
    """A token that has lasted as long as its maker said."""

    key = "token-expired"
    sentence = "The access token {name} expired on {when}: ask an admin for another."


class TokenUnknown(Refused):
    """No such token in the list."""

    key = "token-unknown"
    sentence = "There is no such access token."


class PhoneUnknown(Refused):
    """No such phone."""

    key = "phone-unknown"
    sentence = "There is no such phone."


class WebhookUnknown(Refused):
    """No such webhook."""

    key = "webhook-unknown"
    sentence = "There is no such webhook."


class BrokerUnknown(Refused):
    """No such broker."""

    key = "broker-unknown"
    sentence = "There is no such broker."


class LensNotBegun(Refused):
    """No calibration of this phone, or others have begun too many since."""

    key = "lens-not-begun"
    sentence = "No lens calibration is in progress here: begin one."


class LensBusy(Refused):
    """A photo, or a second start, while the lens is computed."""

    key = "lens-busy"
    sentence = "The lens is being computed: wait until it is done."


class LensTooFew(Refused):
    """Too little to compute a lens from."""

    key = "lens-too-few"
    sentence = "{found:# photo|# photos} of the board can be used; at least {needed} are needed."


class LensNotComputed(Refused):
    """Nothing to save, or to draw."""

    key = "lens-not-computed"
    sentence = "There is no lens yet: take photos of the board, then compute it."


class LensOfAnotherCamera(Refused):
    """A phone's lens for the rig, or the other way round."""

    key = "lens-of-another-camera"
    sentence = "This calibration is for the other camera: begin one for this camera."


class LensTooPoor(Refused):
    """A calibration that is not good enough, and nobody insists."""

    key = "lens-too-poor"
    sentence = "Not saved: this lens is too poor to rely on. Take more photos, or save it anyway."


class LensBetterThere(Refused):
    """A calibration that would replace a better one, and nobody insists."""

    key = "lens-better-there"
    sentence = (
        "Not saved: the lens already there is better ({old_px} px and {old_percent} % against "
        "{px} px and {percent} %). Keep it, or save the new one anyway."
    )


class DeckUnknown(Refused):
    """No such deck was enrolled here."""

    key = "deck-unknown"
    sentence = "There is no deck {name} here."


class DeckThere(Refused):
    """A deck is never replaced by another of its name."""

    key = "deck-there"
    sentence = "There is a deck {name} already: give the new one another name."


class DeckNamedAtStart(Refused):
    """What the rig was started with goes before what is chosen on the page."""

    key = "deck-named-at-start"
    sentence = "The rig was started with a deck file: start it without --deck to choose one here."


class DeckInPlay(Refused):
    """A match goes on in colours that the other deck does not have."""

    key = "deck-in-play"
    sentence = "A match is being played in {colours}: finish or delete it before changing the deck."


class EnrolmentNotBegun(Refused):
    """Photos of cards, but of no deck."""

    key = "enrolment-not-begun"
    sentence = "No deck is being enrolled here: begin one."


class EnrolmentEmpty(Refused):
    """A deck of no cards."""

    key = "enrolment-empty"
    sentence = "No card has been read yet: photograph some, side by side on a plain table."


class EnrolmentFull(Refused):
    """More photos than any deck has cards for."""

    key = "enrolment-full"
    sentence = "There are {most} photos already, which is enough for any deck: begin again."


class DeckNotMade(Refused):
    """Nothing was made of the photos that could be kept."""

    key = "deck-not-made"
    sentence = "There is no deck to keep yet: photograph the cards, then have them made into one."


class LensBoardUnknown(Refused):
    """Words that name no board."""

    key = "lens-board-unknown"
    sentence = "That board is unknown: {why}."


class Fault(Refused):
    """The program's own fault."""

    key = "fault"
    sentence = "The program failed here: please report it."


class CoachOff(Refused):
    """The coach is asked while a round of a match is played."""

    key = "coach-off"
    sentence = "A match is being played: the coach is off until its round has ended."
