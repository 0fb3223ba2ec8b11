"""What may be asked of the setup and the lens, as models."""

from typing import Annotated, Any, Literal

from pydantic import Field

from rig.service.http.requests import Wish, Word


class LensRequest(Wish):
    """Begin a lens calibration: of which camera, with which board.

    `board`: `printed` (that of tacta print), `charuco` or `chessboard` (its size is found), or
    its squares, such as `10x7:25`.
    """

    camera: Literal["rig", "phone"]
    board: Annotated[str, Field(min_length=1, max_length=40)] = "printed"


class CheckRequest(Wish):
    """Check everything. `accept_table`: camera and table stay as they are now."""

    accept_table: bool = False


class EnrolmentRequest(Wish):
    """Begin a deck. `card_width_mm`: where no marker lies beside the cards."""

    name: Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[a-z0-9][a-z0-9-]*$")]
    card_width_mm: Annotated[float, Field(ge=20, le=200)] | None = None


class DeckChoice(Wish):
    """Play with this deck."""

    name: Word


class BlurringChoice(Wish):
    """Whether to blur what lies round the table in photos that are kept."""

    blurring: bool


class SaveLensRequest(Wish):
    """Save the lens that was computed. `force`: though it is poor, or a better one is there."""

    force: bool = False


class TakeLensRequest(SaveLensRequest):
    """The lens for the phone itself to keep; `present`: the lens file that it has now."""

    present: dict[str, Any] | None = None
