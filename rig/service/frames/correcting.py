"""From what a thumb says to a correction, checked against the table as it stands."""

from __future__ import annotations

from geometry.layout import Card
from geometry.pose import Pose
from referee.corrections.applied import CorrectedTable, apply
from referee.corrections.kinds import AddCard, Correction, MoveCard, correction_data, correction_of
from referee.corrections.misfits import AnswerUnknown, CardGone, NotInDeck, OffPicture
from referee.corrections.snap import snapped
from referee.rounds.misfits import RoundSigned
from referee.rounds.rounds_json import round_of
from rig.service.frames import requests as wishes
from rig.service.frames.frame_readings import Read
from rig.service.frames.parts import FrameParts
from rig.store.trouble import VersionConflict
from vision.together.places import Places

FARTHEST_MM = 10_000.0


def correct(
    parts: FrameParts, frame: str, wish: wishes.CorrectionRequest, who: str
) -> tuple[Read, int]:
    """Keep a correction: the reading after it, and its id.

    CorrectionRefused, VersionConflict, NotRead, or RoundSigned.
    """
    with parts.changing:
        read = open_reading(parts, frame, wish.version)
        table = parts.readings.table(read)
        if isinstance(wish.correction, wishes.AnswerWish):
            correction: Correction = _answer(wish.correction, parts, read)
        else:
            correction = correction_of_wish(wish.correction, table, _next_card(read, table))
        apply(correction, table)
        data = correction_data(correction)
        made = parts.store.corrections.add(frame, data, who, parts.clock.now(), wish.version)
    parts.meters.count("tacta_corrections_total")
    return parts.readings.read(frame), made


def undo(parts: FrameParts, frame: str, correction: int, version: int, who: str) -> Read:
    """Take a correction back: the reading without it."""
    with parts.changing:
        open_reading(parts, frame, version)
        parts.store.corrections.undo(frame, correction, who, parts.clock.now(), version)
    return parts.readings.read(frame)


def open_reading(parts: FrameParts, frame: str, version: int) -> Read:
    """The reading at this version, if it may be changed. VersionConflict, NotRead, RoundSigned."""
    read = parts.readings.read(frame)
    for kept in parts.store.matches.rounds_of_frame(frame):
        if round_of(kept.data).state == "signed":
            raise RoundSigned(round=kept.number)
    if read.frame.version != version:
        raise VersionConflict(expected=version, found=read.frame.version)
    return read


def _next_card(read: Read, table: CorrectedTable) -> int:
    """An id that no card ever had here, undone additions included."""
    ids = [card.id for card in table.as_seen.layout.cards]
    added = [kept.data["card"] for kept in read.corrections if kept.data["kind"] == AddCard.kind]
    return max([*ids, *added], default=-1) + 1


def _answer(wish: wishes.AnswerWish, parts: FrameParts, read: Read) -> Correction:
    """What a doubt's answer does. DoubtGone, or AnswerUnknown."""
    for answer in parts.readings.answers(read, wish.doubt)[1]:
        named = (answer.answer, answer.value, type(answer.value))
        if named == (wish.answer, wish.value, type(wish.value)) and answer.correction is not None:
            return answer.correction
    raise AnswerUnknown


def correction_of_wish(
    wish: wishes.CorrectionWish, table: CorrectedTable, new_card: int
) -> Correction:
    """The correction that a wish means on this table."""
    if isinstance(wish, wishes.MoveWish):
        return _move(wish, table)
    if isinstance(wish, wishes.AddWish):
        return _add(wish, table, new_card)
    return correction_of(wish.model_dump())


def _move(wish: wishes.MoveWish, table: CorrectedTable) -> MoveCard:
    try:
        card = table.seen.layout.card(wish.card)
    except KeyError:
        raise CardGone(card=wish.card) from None
    here = card.pose
    x_mm = here.x_mm if wish.x_mm is None else wish.x_mm
    y_mm = here.y_mm if wish.y_mm is None else wish.y_mm
    if wish.at_px is not None:
        x_mm, y_mm = _place(wish.at_px, table)
    angle = here.angle_deg if wish.angle_deg is None else wish.angle_deg
    pose = Pose(x_mm, y_mm, angle % 360, here.mirrored)
    if wish.snap:
        pose = snapped(table.seen.layout, Card(card.id, card.colour, card.face, pose), table.rules)
    return MoveCard(card.id, pose.x_mm, pose.y_mm, pose.angle_deg)


def _add(wish: wishes.AddWish, table: CorrectedTable, new_card: int) -> AddCard:
    x_mm, y_mm = (wish.x_mm, wish.y_mm) if wish.at_px is None else _place(wish.at_px, table)
    pose = Pose(x_mm, y_mm, wish.angle_deg % 360, wish.mirrored)
    if wish.snap:
        try:
            card = Card(new_card, wish.colour, wish.face, pose)
            pose = snapped(table.seen.layout, card, table.rules)
        except KeyError:
            raise NotInDeck(colour=wish.colour, face=wish.face) from None
    return AddCard(
        new_card, wish.colour, wish.face, pose.x_mm, pose.y_mm, pose.angle_deg, pose.mirrored
    )


def _place(at_px: list[float], table: CorrectedTable) -> tuple[float, float]:
    try:
        x_mm, y_mm = Places(table.as_seen).to_mm((at_px[0], at_px[1]))
    except ValueError:
        raise OffPicture from None
    if not (abs(x_mm) <= FARTHEST_MM and abs(y_mm) <= FARTHEST_MM):
        raise OffPicture
    return x_mm, y_mm
