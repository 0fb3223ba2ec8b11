"""What every answer is made of; each room has its own documents beside its routes."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

API = "/api/v1"
"""Below which every operation lies."""
Colour = str
Scores = dict[str, int]
Px = tuple[float, float]


class Document(BaseModel):
    """An answer; nothing that is not described is ever in it. It can be made of any value that has
    attributes of its fields' names.
    """

    model_config = ConfigDict(extra="forbid", from_attributes=True)


class Refusal(Document):
    """Why not: a code for programs and a sentence, in the asked-for language, for people."""

    code: str
    message: str
    present: dict[str, Any] | None = Field(
        None, description="For version-conflict: the reading or round as it is now."
    )
