"""What does not fit the game, told by a code and facts; its sentences are the rig's."""

from typing import ClassVar


class Misfit(Exception):
    """Something was asked that does not fit the table, the match or the round as it stands.

    Each kind has a key, by which its sentence and its answer are found; `facts` fill it in.
    """

    key: ClassVar[str] = "misfit"

    def __init_subclass__(cls, *, key: str) -> None:
        cls.key = key

    def __init__(self, **facts: object) -> None:
        self.facts = facts
        super().__init__(f"{self.key} {facts}")
