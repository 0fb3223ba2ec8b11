"""French for what the lens calibration says: patterns as in `sentences_fr`, in which they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

_N = r"[\d.]+"
_EDGES = {"left": "gauche", "top": "haut", "right": "droit", "bottom": "bas"}
_PLACES = {
    "top left": "en haut à gauche",
    "top": "dans le haut",
    "top right": "en haut à droite",
    "left": "dans la partie gauche",
    "middle": "au milieu",
    "right": "dans la partie droite",
    "bottom left": "en bas à gauche",
    "bottom": "dans le bas",
    "bottom right": "en bas à droite",
}
_GRADES = {
    "Good": "Bon",
    "Usable": "Utilisable",
    "Poor, not worth keeping": "Mauvais, à ne pas garder",
}


def _seen_board(text: str) -> str:
    """As in: a board of 6X6 markers, a chessboard of 9x7 squares."""
    if found := re.fullmatch(r"a board of (\S+) markers", text):
        return f"une mire à marqueurs {found[1]}"
    if found := re.fullmatch(r"a chessboard of (\S+) squares", text):
        return f"un damier de {found[1]} cases"
    return "une mire à d'autres marqueurs"


def _advice(text: str) -> str:
    return " " + _ADVICE.get(text.strip(), text.strip()) if text else ""


_ADVICE = {
    "Sharper photos of a flat board (glued to cardboard or glass) will do better.": (
        "Des photos plus nettes d'une mire bien plate (collée sur carton ou verre) feront mieux."
    ),
    "More photos with the board tilted by 30 to 45 degrees each way will do better.": (
        "D'autres photos, la mire penchée de 30 à 45 degrés de chaque côté, feront mieux."
    ),
    "More photos with the board in the picture's corners and edges will do better.": (
        "D'autres photos, la mire dans les coins et au bord de l'image, feront mieux."
    ),
}
GROUPS: Mapping[str, Callable[[str], str]] = {
    "seen_board": _seen_board,
    "edge": lambda text: _EDGES[text],
    "place": lambda text: _PLACES[text],
    "grade": lambda text: _GRADES[text],
    "advice": _advice,
}
"""How each named part of a pattern is put into French."""
_EDGE, _PLACE = "|".join(_EDGES), "|".join(_PLACES)
SENTENCES: Mapping[str, str] = {
    # What the next photo should show.
    rf"tilt the board so that its (?P<edge>{_EDGE}) edge is farther away": (
        "penchez la mire pour que son bord {edge} soit plus loin"
    ),
    rf"hold the board in the picture's (?P<place>{_PLACE})": "tenez la mire {place} de l'image",
    r"1 more photo": "encore une photo",
    r"(?P<count>\d+) more photos": "encore {count} photos",
    # Why a photo is left out.
    r"nothing is seen in it: light on, lens cap off\?": (
        "on n'y voit rien : y a-t-il de la lumière, le bouchon est-il ôté ?"
    ),
    r"only (?P<n>\d+) corners of the board are seen, (?P<needed>\d+) are needed: nothing may cover "
    r"the board, and more of it must be in the picture\.": (
        "seuls {n} coins de la mire se voient, il en faut {needed} : rien ne doit la couvrir, et "
        "il en faut plus dans l'image."
    ),
    r"only (?P<n>\d+) x (?P<most>\d+) squares of the chessboard are seen: all of it must be in the "
    r"picture, with nothing over it\.": (
        "seules {n} x {most} cases du damier se voient : il doit être tout entier dans l'image, "
        "sans rien dessus."
    ),
    r"only a few markers of the board are seen: nothing may cover it, and more of it must be in "
    r"the picture\.": (
        "seuls quelques marqueurs de la mire se voient : rien ne doit la couvrir, et il en faut "
        "plus dans l'image."
    ),
    r"what is seen does not fit the board (?P<board>\S+): another board\?": (
        "ce qui se voit ne va pas avec la mire {board} : une autre mire ?"
    ),
    r"this is (?P<seen_board>.+), not the board (?P<board>\S+): use that one, or have this one's "
    r"size found\.": (
        "c'est {seen_board}, pas la mire {board} : prenez celle-là, ou faites chercher la taille "
        "de celle-ci."
    ),
    r"the board (?P<board>\S+) is not in this photo\.": (
        "la mire {board} n'est pas sur cette photo."
    ),
    r"no (?:charuco|chessboard) board is seen in it\.": "aucune mire de cette sorte ne s'y voit.",
    rf"it is blurred \(edges are soft over (?P<n>{_N}) px\): hold still, more light, focus\.": (
        "elle est floue (les bords s'étalent sur {n} px) : ne bougez pas, plus de lumière, "
        "mise au point."
    ),
    r"it has (?P<wide>\d+) x (?P<high>\d+) pixels, (?P<which>the first one|most others) "
    r"(?P<others>\d+ x \d+): a lens file is for one picture size\.": (
        "elle fait {wide} x {high} pixels, les autres {others} : un objectif vaut pour une seule "
        "taille d'image."
    ),
    r"it shows the board where an earlier photo does: hold it elsewhere, or tilt it\.": (
        "elle montre la mire au même endroit qu'une autre : tenez-la ailleurs, ou penchez-la."
    ),
    rf"its corners miss by (?P<n>{_N}) px where the others miss by (?P<most>{_N}) px: shaken, or "
    r"the board was bent\.": (
        "ses coins sont à {n} px de leur place, ceux des autres à {most} px : bougée, ou la mire "
        "était courbée."
    ),
    # Why there is no lens.
    r"(?P<n>\d+) usable photos of the board; at least (?P<needed>\d+) are needed, better 15, near "
    r"and far, tilted each way, up to the picture's corners": (
        "{n} photos utilisables de la mire ; il en faut au moins {needed}, mieux 15, de près et "
        "de loin, penchée de chaque côté, jusqu'aux coins de l'image"
    ),
    r"no lens model fits these photos": "aucun modèle d'objectif ne va avec ces photos",
    r"all photos show the board in the same place and attitude: move it to the picture's corners "
    r"and tilt it each way": (
        "toutes les photos montrent la mire au même endroit, pareillement tournée : tenez-la dans "
        "les coins de l'image et penchez-la de chaque côté"
    ),
    r"the computation broke off: try again, with fewer photos": (
        "le calcul s'est interrompu : recommencez, avec moins de photos"
    ),
    # How good it is.
    rf"(?P<grade>{'|'.join(_GRADES)}): the focal length is right to (?P<n>{_N}) % and the picture "
    rf"to (?P<most>{_N}) px everywhere, in 95 of 100 calibrations like this; corners of photos "
    rf"left out are met to (?P<found>{_N}) px\.(?P<advice>.*)": (
        "{grade} : la focale est juste à {n} % près et l'image à {most} px près partout, dans 95 "
        "calibrages sur 100 comme celui-ci ; les coins de photos mises de côté sont atteints à "
        "{found} px près.{advice}"
    ),
    # Why a board is not known.
    r"(?P<list>'.*') is no board; expected squares x squares:square mm, .+": (
        "{list} n'est pas une mire ; attendu : cases x cases:mm d'une case, par exemple 10x7:25 "
        "pour un damier, ou 8x11:22/16:5X5_100 pour une mire ChArUco"
    ),
    r"a board has 3 to 60 squares a side, not (?P<list>.+)": (
        "une mire a de 3 à 60 cases de côté, pas {list}"
    ),
    r"squares must be wider than zero, not (?P<list>.+)": (
        "les cases doivent être plus larges que zéro, pas {list}"
    ),
    r"markers of (?P<list>.+) do not fit the squares": (
        "des marqueurs de {list} ne vont pas dans les cases"
    ),
    r"no marker dictionary is called (?P<list>.+)": (
        "aucune famille de marqueurs ne s'appelle {list}"
    ),
    r"only a ChArUco board with an even number of rows has an old pattern": (
        "seule une mire ChArUco d'un nombre pair de rangées a un ancien dessin"
    ),
}
