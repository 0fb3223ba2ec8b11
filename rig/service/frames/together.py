"""Frames of one table, read as one; the first keeps the reading, in its own pixels."""

from collections.abc import Sequence

from rig.service.frames.correcting import open_reading
from rig.service.frames.frame_readings import Read
from rig.service.frames.parts import FrameParts
from rig.service.http.trouble import FramesApart, NotRead
from rig.store.frame import Frame
from rig.store.joint_seen import Joint, alone_text, joint_text
from rig.store.seen_json import deck_digest, deck_of, seen_of, seen_text
from vision.assemble import assemble
from vision.together.joining import joined
from vision.together.photographs import OtherTable, Photograph


def read_together(parts: FrameParts, frame: str, others: Sequence[str], version: int) -> Read:
    """Read a frame as one with others, from what each shows alone; with none it is read alone.

    FramesApart names the one that shows another table; NotRead, FrameUnknown, VersionConflict,
    RoundSigned.
    """
    read = open_reading(parts, frame, version)
    others = [one for one in dict.fromkeys(others) if one != frame]
    frames = [read.frame, *(parts.store.frames.get(one) for one in others)]
    texts = [_alone(parts, one) for one in frames]
    text, deck = texts[0]
    if len(frames) > 1:
        text = _joint(frames, texts, read)
    with parts.changing:
        open_reading(parts, frame, version)
        parts.store.frames.set_seen(frame, text, deck, deck_digest(deck))
    return parts.readings.read(frame)


def _alone(parts: FrameParts, frame: Frame) -> tuple[str, str]:
    """What a frame shows alone, and its deck, as texts. NotRead."""
    texts = parts.store.frames.seen(frame.id)
    if texts is None:
        raise NotRead(frame=frame.id)
    return alone_text(texts[0]), texts[1]


def _joint(frames: Sequence[Frame], texts: Sequence[tuple[str, str]], read: Read) -> str:
    photos = []
    for frame, (seen, deck) in zip(frames, texts, strict=True):
        if deck != texts[0][1]:
            raise FramesApart(name=frame.name)
        reading = assemble(seen_of(seen, deck_of(deck)), read.rules)
        outlines = [point for card in reading.cards for point in card.outline_px]
        photos.append(Photograph(reading, _size(frame, outlines)))
    found = joined(photos, read.rules)
    if isinstance(found, OtherTable):
        raise FramesApart(name=frames[found.index].name)
    joint = Joint(tuple(one.id for one in frames), tuple(one.name for one in frames))
    return joint_text(seen_text(found.seen), joint, texts[0][0])


def _size(frame: Frame, outlines: Sequence[tuple[float, float]]) -> tuple[int, int]:
    """How much of a photo as it is shown is surely picture. A file may be turned by its EXIF: where
    no card tells which way, what both ways have.
    """
    long, short = sorted((frame.photo.width, frame.photo.height), reverse=True)
    if any(x > short for x, _ in outlines):
        return long, short
    if any(y > short for _, y in outlines):
        return short, long
    return short, short
