"""What the printed sheets say, in French and English."""

from __future__ import annotations

from typing import Literal

Language = Literal["en", "fr"]
LANGUAGES: tuple[Language, ...] = ("en", "fr")

_WORDS: dict[str, tuple[str, str]] = {
    "ruler": (
        "Print at 100 % (actual size, not \"fit to page\"). Both rulers must measure 100 mm.",
        ("Imprimer à 100 % (taille réelle, sans « ajuster à la page »). "
        "Les deux règles doivent mesurer 100 mm."),
    ),
    "markers-title": ("Table markers", "Repères de table"),
    "markers-how": (
        ("Cut along the grey lines and fix flat, 0 to 3 clockwise from the top left, each with "
        "its centre 40 mm outside the corner of the play area both ways."),
        ("Découper selon les traits gris et fixer à plat, 0 à 3 dans le sens des aiguilles d'une "
        "montre depuis le coin en haut à gauche,\nle centre à 40 mm à l'extérieur du coin de "
        "l'aire de jeu, dans les deux sens."),
    ),
    "marker-0": ("0 - top left", "0 - en haut à gauche"),
    "marker-1": ("1 - top right", "1 - en haut à droite"),
    "marker-2": ("2 - bottom right", "2 - en bas à droite"),
    "marker-3": ("3 - bottom left", "3 - en bas à gauche"),
    "board-title": ("Lens board", "Mire d'objectif"),
    "board-how": (
        ("Glue flat on stiff cardboard or glass. About 15 photos: each corner, side and middle of "
        "the picture, tilted 15 to 45 degrees each way."),
        ("Coller à plat sur du carton rigide ou du verre. Environ 15 photos : coins, côtés et "
        "centre de l'image, inclinée de 15 à 45 degrés en tous sens."),
    ),
    "card-title": ("Card size", "Taille des cartes"),
    "card-how": (
        ("Lay a card with its top left corner in the black angle. Read its right and lower edges "
        "on the scales:\nthe long mark is the size the program expects, each small one is 0.5 mm."),
        ("Poser une carte, son coin en haut à gauche dans l'équerre noire. Lire ses bords droit et "
        "inférieur sur les échelles :\nle grand trait est la taille attendue, chaque petit trait "
        "vaut 0,5 mm."),
    ),
    "focus-title": ("Focus chart", "Mire de mise au point"),
    "focus-how": (
        ("Lay it in the middle of the table, then in a corner. Turn the lens until the stars are "
        "grey only in their smallest ring\nand the lines of 0.9 mm (a card's white line) stand "
        "apart."),
        ("Poser au milieu de la table, puis dans un coin. Régler l'objectif jusqu'à ce que les "
        "étoiles ne soient grises qu'au centre\net que les traits de 0,9 mm (la ligne blanche "
        "d'une carte) soient bien séparés."),
    ),
    "practice-title": ("Practice cards", "Cartes d'essai"),
    "practice-how": (
        ("Plain cards of our own design, to try a rig with: tacta score --deck practice.json. "
        "Cut along the outlines."),
        ("Cartes simples de notre dessin, pour essayer l'installation : tacta score --deck "
        "practice.json. Découper selon les contours."),
    ),
    "enrolled-title": ("The deck as it was read", "Le jeu tel qu'il a été lu"),
    "enrolled-how": (
        ("Compare each face with the card in your hand; what is wrong can be corrected in the "
        "deck file."),
        ("Comparer chaque face avec la carte en main ; ce qui est faux se corrige dans le fichier "
        "du jeu."),
    ),
    "measures": (
        "{width} x {height} mm, frame {inset} mm in, dots {dot} mm",
        "{width} x {height} mm, cadre à {inset} mm du bord, points de {dot} mm",
    ),
    "width": ("width", "largeur"),
    "height": ("height", "hauteur"),
}  # fmt: skip


def words(key: str, language: Language) -> str:
    """The text for a key. KeyError if there is none."""
    return _WORDS[key][LANGUAGES.index(language)]


def written(value: float, language: Language, digits: int | None = None) -> str:
    """A number as it is written; with so many digits after the point, else no more than needed."""
    text = f"{value:g}" if digits is None else f"{value:.{digits}f}"
    return text.replace(".", ",") if language == "fr" else text
