"""What a lens calibration tells: what to photograph next, what is left out, how good it is."""

from __future__ import annotations

from collections.abc import Mapping

from rig.wording.words import Words

WISHES: Mapping[str, Words] = {
    "wish-tilt": Words(
        "tilt the board so that its {what} edge is farther away",
        "penchez la mire pour que son bord {what:edge} soit plus loin",
    ),
    "wish-place": Words(
        "hold the board in the picture's {what}",
        "tenez la mire {what:place} de l'image",
    ),
    "wish-one-more": Words("1 more photo", "encore une photo"),
    "wish-more": Words("{what} more photos", "encore {what} photos"),
}
LEFT_OUT: Mapping[str, Words] = {
    "board-empty": Words(
        "nothing is seen in it: light on, lens cap off?",
        "on n'y voit rien : y a-t-il de la lumière, le bouchon est-il ôté ?",
    ),
    "board-few-corners": Words(
        "only {found:# corner of the board is|# corners of the board are} seen, {needed} are "
        "needed: nothing may cover the board, and more of it must be in the picture.",
        "{found:# coin de la mire se voit|# coins de la mire se voient}, il en faut {needed} : "
        "rien ne doit la couvrir, et il en faut plus dans l'image.",
    ),
    "board-partly-seen": Words(
        "only {columns} x {rows} squares of the chessboard are seen: all of it must be in the "
        "picture, with nothing over it.",
        "seules {columns} x {rows} cases du damier se voient : il doit être tout entier dans "
        "l'image, sans rien dessus.",
    ),
    "board-few-markers": Words(
        "only a few markers of the board are seen: nothing may cover it, and more of it must be in "
        "the picture.",
        "seuls quelques marqueurs de la mire se voient : rien ne doit la couvrir, et il en faut "
        "plus dans l'image.",
    ),
    "board-misfit": Words(
        "what is seen does not fit the board {board}: another board?",
        "ce qui se voit ne va pas avec la mire {board} : une autre mire ?",
    ),
    "board-wrong": Words(
        "this is {seen}, not the board {board}: use that one, or have this one's size found.",
        "c'est {seen}, pas la mire {board} : prenez celle-là, ou faites chercher la taille de "
        "celle-ci.",
    ),
    "board-of-markers": Words("a board of {family} markers", "une mire à marqueurs {family}"),
    "board-of-other-markers": Words(
        "a board of another marker set", "une mire à d'autres marqueurs"
    ),
    "chessboard-of": Words(
        "a chessboard of {columns}x{rows} squares", "un damier de {columns}x{rows} cases"
    ),
    "board-not-there": Words(
        "the board {board} is not in this photo.",
        "la mire {board} n'est pas sur cette photo.",
    ),
    "board-kind-not-there": Words(
        "no {kind} board is seen in it.", "aucune mire de cette sorte ne s'y voit."
    ),
    "board-blurred": Words(
        "it is blurred (edges are soft over {blur_px:.0f} px): hold still, more light, focus.",
        "elle est floue (les bords s'étalent sur {blur_px:.0f} px) : ne bougez pas, plus de "
        "lumière, mise au point.",
    ),
    "size-not-the-first": Words(
        "it has {width} x {height} pixels, the first one {other_width} x {other_height}: a lens "
        "file is for one picture size.",
        "elle fait {width} x {height} pixels, la première {other_width} x {other_height} : un "
        "objectif vaut pour une seule taille d'image.",
    ),
    "size-not-the-others": Words(
        "it has {width} x {height} pixels, most others {other_width} x {other_height}: a lens file "
        "is for one picture size.",
        "elle fait {width} x {height} pixels, les autres {other_width} x {other_height} : un "
        "objectif vaut pour une seule taille d'image.",
    ),
    "board-seen-before": Words(
        "it shows the board where an earlier photo does: hold it elsewhere, or tilt it.",
        "elle montre la mire au même endroit qu'une autre : tenez-la ailleurs, ou penchez-la.",
    ),
    "board-outlier": Words(
        "its corners miss by {off_px:.1f} px where the others miss by {usual_px:.2f} px: shaken, "
        "or the board was bent.",
        "ses coins sont à {off_px:.1f} px de leur place, ceux des autres à {usual_px:.2f} px : "
        "bougée, ou la mire était courbée.",
    ),
}
NO_LENS: Mapping[str, Words] = {
    "lens-too-few-photos": Words(
        "{found:# usable photo|# usable photos} of the board; at least {needed} are needed, "
        "better 15, near and far, tilted each way, up to the picture's corners",
        "{found:# photo utilisable|# photos utilisables} de la mire ; il en faut au moins "
        "{needed}, mieux 15, de près et de loin, penchée de chaque côté, jusqu'aux coins de "
        "l'image",
    ),
    "lens-no-model": Words(
        "no lens model fits these photos", "aucun modèle d'objectif ne va avec ces photos"
    ),
    "lens-photos-alike": Words(
        "all photos show the board in the same place and attitude: move it to the picture's "
        "corners and tilt it each way",
        "toutes les photos montrent la mire au même endroit, pareillement tournée : tenez-la dans "
        "les coins de l'image et penchez-la de chaque côté",
    ),
    "lens-broken-off": Words(
        "the computation broke off: try again, with fewer photos",
        "le calcul s'est interrompu : recommencez, avec moins de photos",
    ),
}
_BOUNDS = (
    "the focal length is right to {focal_percent:.2f} % and the picture to {distortion_px:.2f} px "
    "everywhere, in 95 of 100 calibrations like this; corners of photos left out are met to "
    "{held_out_px:.2f} px."
)
_BOUNDS_FR = (
    "la focale est juste à {focal_percent:.2f} % près et l'image à {distortion_px:.2f} px près "
    "partout, dans 95 calibrages sur 100 comme celui-ci ; les coins de photos mises de côté sont "
    "atteints à {held_out_px:.2f} px près."
)
VERDICTS: Mapping[str, Words] = {
    "lens-good": Words(f"Good: {_BOUNDS}", f"Bon : {_BOUNDS_FR}"),
    "lens-usable": Words(f"Usable: {_BOUNDS} {{advice}}", f"Utilisable : {_BOUNDS_FR} {{advice}}"),
    "lens-poor": Words(
        f"Poor, not worth keeping: {_BOUNDS} {{advice}}",
        f"Mauvais, à ne pas garder : {_BOUNDS_FR} {{advice}}",
    ),
    "lens-sharper": Words(
        "Sharper photos of a flat board (glued to cardboard or glass) will do better.",
        "Des photos plus nettes d'une mire bien plate (collée sur carton ou verre) feront mieux.",
    ),
    "lens-tilt-more": Words(
        "More photos with the board tilted by 30 to 45 degrees each way will do better.",
        "D'autres photos, la mire penchée de 30 à 45 degrés de chaque côté, feront mieux.",
    ),
    "lens-more-corners": Words(
        "More photos with the board in the picture's corners and edges will do better.",
        "D'autres photos, la mire dans les coins et au bord de l'image, feront mieux.",
    ),
}
_WORSE = (
    "the one already there is better ({old_px:.2f} px and {old_percent:.2f} % against {px:.2f} px "
    "and {percent:.2f} %)"
)
_WORSE_FR = (
    "celui qui est là est meilleur ({old_px:.2f} px et {old_percent:.2f} % contre {px:.2f} px et "
    "{percent:.2f} %)"
)
KEEPING: Mapping[str, Words] = {
    "keep-too-poor": Words(
        "Not saved: it is too poor to rely on. --force saves it all the same.",
        "Pas enregistré : il est trop mauvais pour s'y fier. --force l'enregistre quand même.",
    ),
    "keep-first": Words("Saved.", "Enregistré."),
    "keep-other-size-before": Words(
        "Saved; the one it replaces was for pictures of {width} x {height} pixels.",
        "Enregistré ; celui qu'il remplace était pour des images de {width} x {height} pixels.",
    ),
    "keep-unrated-before": Words(
        "Saved; the file it replaces did not say how good it was.",
        "Enregistré ; le fichier qu'il remplace ne disait pas sa qualité.",
    ),
    "keep-better": Words(
        "Saved; it is better than the one it replaces.",
        "Enregistré ; il est meilleur que celui qu'il remplace.",
    ),
    "keep-forced-over-better": Words(
        f"Saved as forced, though {_WORSE}.", f"Enregistré de force, bien que : {_WORSE_FR}."
    ),
    "keep-better-there": Words(
        f"Not saved: {_WORSE}. --force replaces it.",
        f"Pas enregistré : {_WORSE_FR}. --force le remplace.",
    ),
}
BOARDS: Mapping[str, Words] = {
    "board-no-words": Words(
        "{text} is no board; expected squares x squares:square mm, for instance 10x7:25 for a "
        "chessboard or 8x11:22/16:5X5_100 for a ChArUco board",
        "{text} n'est pas une mire ; attendu : cases x cases:mm d'une case, par exemple 10x7:25 "
        "pour un damier, ou 8x11:22/16:5X5_100 pour une mire ChArUco",
    ),
    "board-sides": Words(
        "a board has 3 to 60 squares a side, not {columns}x{rows}",
        "une mire a de 3 à 60 cases de côté, pas {columns}x{rows}",
    ),
    "board-squares": Words(
        "squares must be wider than zero, not {square_mm:g} mm",
        "les cases doivent être plus larges que zéro, pas {square_mm:g} mm",
    ),
    "board-markers": Words(
        "markers of {marker_mm:g} mm do not fit the squares",
        "des marqueurs de {marker_mm:g} mm ne vont pas dans les cases",
    ),
    "board-half-markers": Words(
        "markers need both a width and a dictionary",
        "il faut aux marqueurs une largeur et une famille",
    ),
    "board-dictionary": Words(
        "no marker dictionary is called {dictionary}",
        "aucune famille de marqueurs ne s'appelle {dictionary}",
    ),
    "board-not-old": Words(
        "only a ChArUco board with an even number of rows has an old pattern",
        "seule une mire ChArUco d'un nombre pair de rangées a un ancien dessin",
    ),
}
LENSES: Mapping[str, Words] = {
    **WISHES, **LEFT_OUT, **NO_LENS, **VERDICTS, **KEEPING, **BOARDS,
}  # fmt: skip
