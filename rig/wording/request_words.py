"""Why a request, a match or a lens file is refused, and the names that go into such sentences."""

from __future__ import annotations

from collections.abc import Mapping

from rig.wording.words import Words

MATCHES: Mapping[str, Words] = {
    "round-has-its-own-suit": Words(
        "each of its rounds has its own suit, so no others can be chosen",
        "chacune de ses manches a son signe, on ne peut pas en choisir d'autres",
    ),
    "two-suits-needed": Words(
        "needs two suits in play, one to keep and one to pass on",
        "il faut deux signes en jeu, l'un à garder et l'autre à passer",
    ),
    "two-colours-needed": Words("needs two colours at least", "il faut au moins deux couleurs"),
    "none-named": Words("name at least one", "donnez-en au moins un"),
    "ends-after-three-rounds": Words(
        "limited space ends after three rounds",
        "l'espace limité finit après trois manches",
    ),
    "not-in-this-deck": Words("this deck has {known}", "ce jeu a {known}"),
    "name-too-long": Words("a name has 1 to {most} letters", "un nom a de 1 à {most} lettres"),
    "name-twice": Words("two have the same name", "deux portent le même nom"),
    "colour-crowded": Words(
        "more than {most} play {colour}", "plus de {most} jouent {colour:colour}"
    ),
    "more-than": Words("more than {other}", "plus que {other}"),
    "expected": Words("expected {what}", "attendu : {what}"),
}
REQUESTS: Mapping[str, Words] = {
    "request-missing": Words("{english}", "ce champ manque"),
    "request-extra_forbidden": Words("{english}", "ce champ est inconnu"),
    "request-literal_error": Words("{english}", "attendu : {expected}"),
    "request-enum": Words("{english}", "attendu : {expected}"),
    "request-string_too_short": Words("{english}", "au moins {min_length:# lettre|# lettres}"),
    "request-string_too_long": Words("{english}", "au plus {max_length:# lettre|# lettres}"),
    "request-string_pattern_mismatch": Words("{english}", "des lettres non permises"),
    "request-string_type": Words("{english}", "attendu : un texte"),
    "request-int_type": Words("{english}", "attendu : un nombre entier"),
    "request-int_parsing": Words("{english}", "attendu : un nombre entier"),
    "request-int_from_float": Words("{english}", "attendu : un nombre entier"),
    "request-float_type": Words("{english}", "attendu : un nombre"),
    "request-float_parsing": Words("{english}", "attendu : un nombre"),
    "request-finite_number": Words("{english}", "attendu : un nombre fini"),
    "request-bool_type": Words("{english}", "attendu : vrai ou faux"),
    "request-bool_parsing": Words("{english}", "attendu : vrai ou faux"),
    "request-list_type": Words("{english}", "attendu : une liste"),
    "request-model_attributes_type": Words("{english}", "attendu : un objet"),
    "request-dict_type": Words("{english}", "attendu : un objet"),
    "request-greater_than": Words("{english}", "attendu : plus de {gt}"),
    "request-greater_than_equal": Words("{english}", "attendu : {ge} au moins"),
    "request-less_than": Words("{english}", "attendu : moins de {lt}"),
    "request-less_than_equal": Words("{english}", "attendu : {le} au plus"),
    "request-too_short": Words("{english}", "attendu : au moins {min_length:# élément|# éléments}"),
    "request-too_long": Words("{english}", "attendu : au plus {max_length:# élément|# éléments}"),
    "request-json_invalid": Words("{english}", "n'est pas du JSON"),
}
"""By pydantic's codes, whose own English is told, with its facts."""
LENS_FILES: Mapping[str, Words] = {
    "lens-missing": Words("is missing", "manque"),
    "lens-not-json": Words("is not JSON", "n'est pas du JSON"),
    "lens-no-object": Words("expected an object", "attendu : un objet"),
    "lens-no-lens": Words(
        "expected an object with size_px, matrix and distortion",
        "attendu : un objet avec size_px, matrix et distortion",
    ),
    "lens-model": Words(
        'expected "fisheye" or no such key', 'attendu : "fisheye", ou rien du tout'
    ),
    "lens-folded": Words(
        "most of the picture would lie over itself; no lens does that",
        "la plus grande partie de l'image se replierait sur elle-même ; aucun objectif ne fait "
        "cela",
    ),
    "lens-size": Words(
        "expected whole numbers of pixels, found {found:g}",
        "attendu : des nombres entiers de pixels, et non {found:g}",
    ),
    "lens-rows": Words("expected 3 rows of 3 numbers", "attendu : 3 lignes de 3 nombres"),
    "lens-focal-zero": Words(
        "the focal lengths (first and fifth number) must be above zero",
        "les focales (premier et cinquième nombre) doivent dépasser zéro",
    ),
    "lens-matrix": Words(
        "expected [[fx, 0, cx], [0, fy, cy], [0, 0, 1]]",
        "attendu : [[fx, 0, cx], [0, fy, cy], [0, 0, 1]]",
    ),
    "lens-focal": Words(
        "no lens has a focal length of {focal_px:g} px in such a picture",
        "aucun objectif n'a une focale de {focal_px:g} px dans une telle image",
    ),
    "lens-middle": Words(
        "the lens's middle (cx, cy) is far outside the picture: {middle_px:g}",
        "le milieu de l'objectif (cx, cy) est loin hors de l'image : {middle_px:g}",
    ),
    "lens-count": Words(
        "expected a list of {counts:either} numbers",
        "attendu : une liste de {counts:either} nombres",
    ),
    "lens-no-numbers": Words("expected numbers only", "attendu : des nombres seulement"),
    "lens-number": Words("no lens has {number}", "aucun objectif n'a {number}"),
}
