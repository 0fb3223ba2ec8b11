"""The seam between pictures and the referee: a picture and what is known, to a reading."""

from pathlib import Path

from referee.known_table import KnownTable
from rig.scoring import Settings, read_photo, read_photo_again
from vision.reading import Reading


def read_from(picture: Path, known: KnownTable, settings: Settings) -> Reading:
    """Read a picture of a table of which `known` is known already.

    Every picture is read as if nothing were known; a reader that goes on from a known table takes
    this function's place. PhotoTrouble if it cannot be read.
    """
    del known
    return read_photo(picture, settings)


def read_again(picture: Path, known: KnownTable, settings: Settings) -> Reading:
    """Read the same picture a second time, as little after the manner of the first as can be had.
    PhotoTrouble if it cannot be read.
    """
    del known
    return read_photo_again(picture, settings)
