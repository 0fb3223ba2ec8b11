"""A reading as the contract's JSON document, `tacta-reading/1`."""

from collections.abc import Sequence

from referee.corrections.answers import Answer
from referee.corrections.outcomes import Outcome, common_leaders
from rig.trouble import Trouble
from rig.wording.catalogue import sentence
from vision.reading import Doubt, Illegal, ReadCard, Reading

FORMAT = "tacta-reading/1"


def reading_data(
    reading: Reading,
    photo: str,
    answers: Sequence[Sequence[Answer]] | None = None,
    language: str = "en",
    outcomes: Sequence[Outcome] | None = None,
    photos: Sequence[str] = (),
) -> dict[str, object]:
    """The document for a photo that was read; `photo` is its name. docs has its JSON schema.

    `answers`: for each doubt of the reading what it may turn out to be; `outcomes`: what the scores
    may; None: not worked out. Its sentences are in this `language`. `photos`: the names of all
    photos that were read as one, the first among them; none for one alone.
    """
    area = reading.play_area_mm
    return {
        "format": FORMAT,
        "deck": reading.deck,
        "photo": photo,
        **({"photos": list(photos)} if photos else {}),
        "scores": dict(reading.scores),
        "sure": reading.sure,
        "scores_without_illegal": dict(reading.scores_without_illegal),
        "sure_without_illegal": reading.sure_without_illegal,
        "play_area_mm": None if area is None else _rounded(area, 2),
        "scale_px_per_mm": round(reading.scale_px_per_mm, 4),
        "cards": [_card(card) for card in reading.cards],
        "illegal": [_illegal(illegal, language) for illegal in reading.illegal],
        "doubts": _doubts(reading.doubts, answers, language),
        **({} if outcomes is None else _outcomes(outcomes)),
    }


def trouble_data(trouble: Trouble, photo: str) -> dict[str, object]:
    """The document for a photo that could not be read."""
    return {"format": FORMAT, "photo": photo, "error": str(trouble), "error_key": trouble.key}


def _card(card: ReadCard) -> dict[str, object]:
    return {
        "id": card.id,
        "colour": card.colour,
        "face": card.face,
        "mirrored": card.mirrored,
        "x_mm": round(card.x_mm, 3),
        "y_mm": round(card.y_mm, 3),
        "angle_deg": round(card.angle_deg % 360, 3) % 360,
        "outline_px": [_rounded(corner, 2) for corner in card.outline_px],
        "over": list(card.over),
        "free": card.free,
        "visible_dots": card.visible_dots,
        "hidden_dots": card.hidden_dots,
        "confidence": round(card.confidence, 4),
    }


def _illegal(illegal: Illegal, language: str) -> dict[str, object]:
    return {
        "card": illegal.card,
        "rule": illegal.rule,
        "on": list(illegal.on),
        "offset_mm": _rounded_or_none(illegal.offset_mm),
        "offset_deg": _rounded_or_none(illegal.offset_deg),
        "message": sentence(illegal.reason, language),
    }


def _doubts(
    doubts: Sequence[Doubt], answers: Sequence[Sequence[Answer]] | None, language: str
) -> list[dict[str, object]]:
    if answers is None:
        return [_doubt(doubt, language) for doubt in doubts]
    return [
        doubt_data(doubt, found, language) for doubt, found in zip(doubts, answers, strict=True)
    ]


def doubt_data(doubt: Doubt, answers: Sequence[Answer], language: str) -> dict[str, object]:
    """A doubt with what it may turn out to be, its sentence in this `language`."""
    return {**_doubt(doubt, language), "answers": [answer_data(answer) for answer in answers]}


def _doubt(doubt: Doubt, language: str) -> dict[str, object]:
    data: dict[str, object] = {
        "kind": doubt.kind,
        "card": doubt.card,
        "at_px": _rounded(doubt.at_px, 1),
        "reason": sentence(doubt.reason, language),
        "changes_scores_by": dict(doubt.changes_scores_by),
        "changes_scores_without_illegal_by": dict(doubt.changes_scores_without_illegal_by),
    }
    if doubt.kind == "verdict":
        data["offset_mm"] = _rounded_or_none(doubt.offset_mm)
        data["offset_deg"] = _rounded_or_none(doubt.offset_deg)
    if doubt.outline_px:
        data["outline_px"] = [_rounded(point, 1) for point in doubt.outline_px]
    return data


def answer_data(answer: Answer) -> dict[str, object]:
    """One answer: its name, how probable it is (None: an illegal placement, of which nothing is in
    doubt), what follows from it.
    """
    return {
        "answer": answer.answer,
        "value": answer.value,
        "probability": _rounded_or_none(answer.probability),
        "scores": dict(answer.scores),
        "scores_without_illegal": dict(answer.scores_without_illegal),
        "illegal": list(answer.illegal),
    }


def outcome_data(outcome: Outcome) -> dict[str, object]:
    """One whole score that may be right, and how probably."""
    return {
        "scores": dict(outcome.scores),
        "scores_without_illegal": dict(outcome.scores_without_illegal),
        "probability": round(outcome.probability, 3),
    }


def _outcomes(outcomes: Sequence[Outcome]) -> dict[str, object]:
    return {
        "outcomes": [outcome_data(one) for one in outcomes],
        "common_leaders": list(common_leaders(outcomes)),
    }


def _rounded(values: tuple[float, ...], digits: int) -> list[float]:
    return [round(value, digits) for value in values]


def _rounded_or_none(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
