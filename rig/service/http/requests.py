"""What every request is made of; each room has its own requests beside its routes."""

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from referee.rounds.match import LONGEST_NAME, TARGET


def whole(value: object) -> object:
    """JSON knows no whole numbers: 5.0 is 5."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


CardId = Annotated[int, Field(ge=0, le=2**31), BeforeValidator(whole)]
Version = Annotated[int, Field(ge=0, le=2**53), BeforeValidator(whole)]
Target = Annotated[int, Field(ge=1, le=100_000, examples=[TARGET]), BeforeValidator(whole)]
Mm = Annotated[float, Field(ge=-10_000, le=10_000, allow_inf_nan=False)]
Degrees = Annotated[float, Field(ge=-3600, le=3600, allow_inf_nan=False)]
Px = Annotated[float, Field(ge=-100_000, le=100_000, allow_inf_nan=False)]
Word = Annotated[str, Field(min_length=1, max_length=40)]
Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, pattern=r"^[^\x00-\x1f\x7f]+$")]
FrameId = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[0-9a-f]+$")]
Topic = Annotated[
    str, Field(min_length=1, max_length=100, pattern=r"^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$")
]
Amount = Annotated[float, Field(ge=0, le=180, allow_inf_nan=False)]


class Wish(BaseModel):
    """A request's body; an unknown key is a mistake, and text is not a number."""

    model_config = ConfigDict(extra="forbid", strict=True)
