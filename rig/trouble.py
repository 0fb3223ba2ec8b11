"""What the world can break, as a small tree of errors that say what to do about it.

Each kind has a key, by which its sentence (`rig.wording`) and the service's answers find it, and
the facts of the case. A programmer's mistake is a ValueError instead, and what a camera cannot see
is a `NotSeen`.
"""

from typing import ClassVar

from rig.wording.catalogue import trouble_sentence


class Trouble(Exception):
    """Something outside the program went wrong. `str` is the English sentence, which `facts` fill
    in.
    """

    key: ClassVar[str] = "trouble"

    def __init_subclass__(cls, *, key: str) -> None:
        cls.key = key

    def __init__(self, **facts: object) -> None:
        self.facts = facts
        super().__init__(trouble_sentence(self.key, facts))


class PhotoTrouble(Trouble, key="photo"):
    """A photo that could not be turned into a picture; `name` is how the person called it."""


class SettingTrouble(Trouble, key="setting"):
    """A file or an option that the person gave beside the photo, and that cannot be used."""
