"""Frames, readings and corrections as the service's documents."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from referee.corrections.answers import Answer
from referee.corrections.rulings import doubt_key
from referee.rounds.rounds_json import match_of
from rig.reading_json import answer_data, doubt_data, reading_data
from rig.service.frames.documents import (
    CorrectionDocument,
    DoubtDocument,
    FrameAnswer,
    FrameDocument,
    FrameLinks,
    FrameSummary,
    IllegalDocument,
    ReadingDocument,
    RoundName,
    Why,
)
from rig.service.frames.frame_readings import Read
from rig.service.frames.parts import FrameParts
from rig.service.http.documents import API
from rig.store.corrections import KeptCorrection
from rig.store.frame import Frame
from rig.store.matches import KeptRound
from rig.store.trouble import MatchUnknown, RowUnreadable
from rig.wording.troubles import worded
from vision.reading import Doubt


def frame_document(parts: FrameParts, frame: Frame, language: str) -> FrameDocument:
    """A frame without its reading."""
    return FrameDocument(**_frame_values(parts, frame, language))


def frame_answer(
    parts: FrameParts, frame: Frame, language: str, is_new: bool = False
) -> FrameAnswer:
    """A frame with its reading, if it is read."""
    reading = (
        reading_document(parts.readings.read(frame.id), language) if frame.state == "read" else None
    )
    return FrameAnswer(**_frame_values(parts, frame, language), is_new=is_new, reading=reading)


def _round_names(parts: FrameParts, rounds: Iterable[KeptRound]) -> Iterator[RoundName]:
    """The rounds whose match is there and reads."""
    for kept in rounds:
        try:
            match = parts.store.matches.get(kept.match)
        except (MatchUnknown, RowUnreadable):
            continue
        names = [player.name for player in match_of(match.data).players]
        yield RoundName(
            match=kept.match, number=kept.number, begun_at=match.begun_at, players=names
        )


def _frame_values(parts: FrameParts, frame: Frame, language: str) -> dict[str, Any]:
    here = f"{API}/frames/{frame.id}"
    summary = parts.readings.summary(frame) if frame.state == "read" else None
    rounds = parts.store.matches.rounds_of_frame(frame.id)
    return {
        "id": frame.id,
        "name": frame.name,
        "source": frame.source,
        "taken_at": frame.taken_at,
        "kind": frame.photo.kind,
        "width": frame.photo.width,
        "height": frame.photo.height,
        "bytes": frame.size_bytes,
        "sha256": frame.sha256,
        "state": frame.state,
        "version": frame.version,
        "kept": frame.kept,
        "why_unread": _why(frame, language),
        "place": parts.queue.place(frame.id),
        "summary": None
        if summary is None
        else FrameSummary(
            scores_without_illegal=dict(summary.scores), sure=summary.sure, open=summary.open
        ),
        "rounds": list(_round_names(parts, rounds)),
        "links": FrameLinks(
            self=here,
            picture=f"{here}/picture",
            overlay=f"{here}/overlay",
            reading=f"{here}/reading",
            corrections=f"{here}/corrections",
            scene=f"{here}/scene.zip",
        ),
    }


def _why(frame: Frame, language: str) -> Why | None:
    trouble = frame.trouble
    if trouble is None:
        return None
    message = worded(trouble["key"], trouble["facts"], trouble["sentence"], language)
    return Why(code=trouble["key"], message=message)


def reading_document(read: Read, language: str) -> ReadingDocument:
    """A reading as it stands, with the doubts' keys and the version to correct."""
    reading = read.replayed.reading
    replayed = read.replayed
    data = _data(read, language)
    doubts = [
        doubt_document(doubt, answers, language, doubt_key(doubt) not in replayed.unjudged)
        for doubt, answers in zip(reading.doubts, replayed.answers, strict=True)
    ]
    illegal = [
        _illegal(item, read, replayed.placements.get(item["card"])) for item in data["illegal"]
    ]
    standing = [kept for kept in read.corrections if kept.undone_by is None]
    return ReadingDocument.model_validate(
        {
            **data,
            "doubts": doubts,
            "illegal": illegal,
            "together": None if read.joint is None else list(read.joint.frames),
            "frame": read.frame.id,
            "version": read.frame.version,
            "corrections": len(standing),
            "idle_corrections": read.idle,
        }
    )


def illegal_document(
    read: Read, card: int, answers: Sequence[Answer], language: str
) -> IllegalDocument:
    """The illegal placement of this card, with what may be answered."""
    items = _data(read, language)["illegal"]
    (item,) = [one for one in items if one["card"] == card]
    return IllegalDocument.model_validate(_illegal(item, read, answers))


def _data(read: Read, language: str) -> dict[str, Any]:
    replayed = read.replayed
    return reading_data(
        replayed.reading, read.frame.name, language=language, outcomes=replayed.outcomes,
        photos=() if read.joint is None else read.joint.names,
    )  # fmt: skip


def _illegal(item: dict[str, Any], read: Read, answers: Sequence[Answer] | None) -> dict[str, Any]:
    return {
        **item,
        "agreed": item["card"] in read.replayed.agreed,
        "answers": [answer_data(answer) for answer in answers or ()],
        "judged": answers is not None,
    }


def doubt_document(
    doubt: Doubt, answers: Sequence[Answer], language: str, judged: bool = True
) -> DoubtDocument:
    """A doubt with its key; `judged`: whether all its answers were worked out."""
    data = {**doubt_data(doubt, answers, language), "key": doubt_key(doubt), "judged": judged}
    return DoubtDocument.model_validate(data)


def correction_document(kept: KeptCorrection, idle: list[int]) -> CorrectionDocument:
    """A correction as it is kept."""
    return CorrectionDocument(
        id=kept.id,
        correction=dict(kept.data),
        who=kept.who,
        made_at=kept.made_at,
        undone_by=kept.undone_by,
        undone_at=kept.undone_at,
        idle=kept.id in idle,
    )
