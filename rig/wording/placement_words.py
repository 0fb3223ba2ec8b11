"""What is wrong with a placement, or may be, by the rule it breaks."""

from __future__ import annotations

from collections.abc import Mapping

from rig.wording.words import Words

_FINE = "up to {legal_mm:g} mm is fine"
_FINE_FR = "jusqu'à {legal_mm:g} mm, c'est permis"
_OFF = "{card:this} lies {off} off {on:first} it covers; up to {fine} is fine"
_OFF_FR = (
    "{card:this} est décalée de {off} sur {on:first} qu'elle couvre ; jusqu'à {fine}, c'est permis"
)


def _misaligned(off: str, fine: str, off_fr: str, fine_fr: str) -> Words:
    return Words(
        _OFF.replace("{off}", off).replace("{fine}", fine),
        _OFF_FR.replace("{off}", off_fr).replace("{fine}", fine_fr),
    )


_BREACHES: Mapping[str, Words] = {
    "off_table": Words(
        f"{{card:this}} reaches {{offset_mm:.1f}} mm past the edge of the play area; {_FINE}",
        f"{{card:this}} dépasse de {{offset_mm:.1f}} mm le bord de l'aire de jeu ; {_FINE_FR}",
    ),
    "two_cards": Words(
        "{card:this} lies on {on:listed}, {offset_mm:.1f} mm deep; touching a second one by "
        f"{_FINE}",
        "{card:this} est posée sur {on:listed}, de {offset_mm:.1f} mm ; en toucher une seconde est "
        "permis jusqu'à {legal_mm:g} mm",
    ),
    "mismatched": Words(
        "{card:this} covers part of {on:listed}, but no equal shapes meet; touching by "
        f"{_FINE}",
        "{card:this} couvre une partie de {on:listed}, mais aucune forme n'y rencontre la même ; "
        "toucher est permis jusqu'à {legal_mm:g} mm",
    ),
    "misaligned": _misaligned(
        "{offset_mm:.1f} mm", "{legal_mm:g} mm", "{offset_mm:.1f} mm", "{legal_mm:g} mm"
    ),
    "misaligned-deg": _misaligned(
        "{offset_deg:.1f} degrees", "{legal_deg:g} degrees",
        "{offset_deg:.1f} degrés", "{legal_deg:g} degrés",
    ),
    "misaligned-both": _misaligned(
        "{offset_mm:.1f} mm and {offset_deg:.1f} degrees",
        "{legal_mm:g} mm and {legal_deg:g} degrees",
        "{offset_mm:.1f} mm et {offset_deg:.1f} degrés",
        "{legal_mm:g} mm et {legal_deg:g} degrés",
    ),
    "overhang": Words(
        "{card:this} reaches {offset_mm:.1f} mm past the shape of {on:first} it covers; "
        f"{_FINE}",
        "{card:this} dépasse de {offset_mm:.1f} mm la forme de {on:first} qu'elle couvre ; "
        f"{_FINE_FR}",
    ),
    "own_colour": Words(
        "{card:this} covers {on:first}, a card of its own colour",
        "{card:this} couvre {on:first}, une carte de sa propre couleur",
    ),
}  # fmt: skip
_ILLEGAL_FROM: Mapping[str, Words] = {
    "misaligned-deg": Words("{illegal_deg:g} degrees", "{illegal_deg:g} degrés"),
    "misaligned-both": Words(
        "{illegal_mm:g} mm or {illegal_deg:g} degrees",
        "{illegal_mm:g} mm ou {illegal_deg:g} degrés",
    ),
}
_BY_MM = Words("{illegal_mm:g} mm", "{illegal_mm:g} mm")


def _borderline(rule: str, breach: Words) -> Words:
    since = _ILLEGAL_FROM.get(rule, _BY_MM)
    return Words(
        f"{breach.english}, and from {since.english} it is illegal: look closely.",
        f"{breach.french}, et à partir de {since.french}, illégal : regardez de près.",
    )


PLACEMENTS: Mapping[str, Words] = {
    **{rule: Words(*(f"{words}." for words in breach)) for rule, breach in _BREACHES.items()},
    **{f"{rule}-borderline": _borderline(rule, breach) for rule, breach in _BREACHES.items()},
    "ruled": Words("Ruled illegal by the players.", "Jugée illégale par les joueurs."),
}
