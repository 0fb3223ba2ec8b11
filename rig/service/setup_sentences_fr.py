"""French for what setting the rig up says: patterns as in `sentences_fr`, in which they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

_N = r"[\d.]+"
_SUITS = {"circle": "rond", "square": "carré", "triangle": "triangle", "none": "sans signe"}
_WHY = {
    "it reaches over the picture's edge": "elle dépasse le bord de l'image",
    "it is no single rectangle: do two cards touch, or is it no card?": (
        "ce n'est pas un seul rectangle : deux cartes se touchent-elles, ou n'est-ce pas une "
        "carte ?"
    ),
    "its frame line is not seen all round": "sa ligne de cadre ne se voit pas tout autour",
}


def _face(text: str) -> str:
    suit, dash, rest = text.partition("-")
    return f"{_SUITS[suit]} {rest}" if dash and suit in _SUITS else text


def _faces(text: str) -> str:
    return ", ".join(_face(one) for one in text.split(", "))


def _why_not(text: str) -> str:
    """Why one card could not be read."""
    if found := re.fullmatch(r"it is (\d+) x (\d+) mm, not a card's size(; do .*)?", text):
        touch = " ; deux cartes se touchent-elles ?" if found[3] else ""
        return f"elle fait {found[1]} x {found[2]} mm, ce n'est pas la taille d'une carte{touch}"
    return _WHY.get(text, text)


GROUPS: Mapping[str, Callable[[str], str]] = {
    "card_face": _face,
    "card_faces": _faces,
    "why_not": _why_not,
    "share": lambda text: text.replace(".", ",").replace("%", " %"),
}
"""How each named part of a pattern is put into French."""
_FREE = "libres, de la place pour environ {count} images."
SENTENCES: Mapping[str, str] = {
    # The disk, and what is kept.
    r"(?P<path>/\S*) may not be written\.": "On ne peut pas écrire dans {path}.",
    r"Give this user the right to write to (?P<path>\S+), or name another (?:folder )?with "
    r"--data\.": (
        "Donnez à cet utilisateur le droit d'écrire dans {path}, ou nommez un autre dossier avec "
        "--data."
    ),
    r"(?P<path>/\S*) cannot be read \((?P<error>.+)\)\.": "{path} ne se lit pas ({error}).",
    r"Check the disk\.": "Vérifiez le disque.",
    rf"(?P<n>{_N}) GB free, room for about (?P<count>\d+) pictures\.": f"{{n}} Go {_FREE}",
    r"Delete what is not needed, or use a larger disk; old pictures go first by themselves\.": (
        "Supprimez ce qui ne sert plus, ou prenez un disque plus grand ; les vieilles images "
        "partent d'elles-mêmes."
    ),
    r"What is kept cannot be looked at \((?P<error>.+)\)\.": (
        "Ce qui est gardé ne peut pas être vérifié ({error})."
    ),
    r"Check the disk; restore a backup with tacta restore\.": (
        "Vérifiez le disque ; restaurez une sauvegarde avec tacta restore."
    ),
    r"(?P<count>\d+) photos are unknown to the database: (?P<list>.+)\.": (
        "{count} photos sont inconnues de la base de données : {list}."
    ),
    r"Restore a backup \(tacta restore\), or set them aside \(tacta lost --set-aside\)\.": (
        "Restaurez une sauvegarde (tacta restore), ou mettez-les de côté (tacta lost --set-aside)."
    ),
    r"(?P<count>\d+) files that belong to no frame lie in (?P<path>\S+): (?P<list>.+)\.": (
        "{count} fichiers qui ne vont avec aucune photo sont dans {path} : {list}."
    ),
    r"Look at them, then keep or delete them; tacta lost lists them all\.": (
        "Regardez-les, puis gardez-les ou supprimez-les ; tacta lost les donne tous."
    ),
    r"Every photo that is kept belongs to a frame\.": "Toutes les photos gardées sont connues.",
    # The clock.
    r"It is (?P<when>[\d :-]+) UTC, which cannot be\.": (
        "Il serait {when} UTC, ce qui est impossible."
    ),
    r"It is (?P<when>[\d :-]+) UTC; whether that is right is not known\.": (
        "Il est {when} UTC ; on ne sait pas si c'est juste."
    ),
    r"It is (?P<when>[\d :-]+) UTC, not set by the network\.": (
        "Il est {when} UTC, sans mise à l'heure par le réseau."
    ),
    r"It is (?P<when>[\d :-]+) UTC, set by the network\.": (
        "Il est {when} UTC, mis à l'heure par le réseau."
    ),
    r"Connect the machine to the network for a minute, or run: (?P<command>.+)": (
        "Connectez la machine au réseau une minute, ou lancez : {command}"
    ),
    r"Compare it with a watch; if it is wrong, run: (?P<command>.+)": (
        "Comparez avec une montre ; si c'est faux, lancez : {command}"
    ),
    r"Connect it to the network, and run: (?P<command>.+)": (
        "Connectez-la au réseau, et lancez : {command}"
    ),
    # Where the table lies.
    r"The table's place could not be learnt\.": "La place de la table n'a pas pu être apprise.",
    r"At least two markers must be seen: print them \(tacta print\), light them\.": (
        "Deux repères au moins doivent se voir : imprimez-les (tacta print), éclairez-les."
    ),
    r"This is now the table's place\.": "C'est maintenant la place de la table.",
    r"Nothing has moved since (?P<when>[\d :-]+)\.": "Rien n'a bougé depuis {when}.",
    r"No markers are seen\.": "Aucun repère ne se voit.",
    r"Print the four markers \(tacta print\), lay them round the table, light them\.": (
        "Imprimez les quatre repères (tacta print), posez-les autour de la table, éclairez-les."
    ),
    rf"(?P<count>\d) of 4 markers, (?P<n>{_N}) pixels per mm at the markers\.": (
        "{count} repères sur 4, {n} pixels par mm aux repères."
    ),
    rf"(?P<n>{_N}) are needed on the cards: lower the camera, or use one with more pixels\.": (
        "Il en faut {n} sur les cartes : baissez la caméra, ou prenez-en une qui a plus de pixels."
    ),
    r"Bring marker (?P<list>[\d, ]+) into the picture; nothing may lie on it\.": (
        "Mettez le repère {list} dans l'image ; rien ne doit être posé dessus."
    ),
    rf"(?P<n>{_N}) and more are safe: lower the camera a little if it can be\.": (
        "À partir de {n}, c'est sûr : baissez un peu la caméra si c'est possible."
    ),
    rf"play area (?P<size>unknown|{_N} x {_N} mm), (?P<count>\d+) markers and (?P<cards>\d+) lone "
    rf"cards agree to (?P<n>{_N}) mm, tilt (?P<most>{_N}) degrees": (
        "{count} repères et {cards} cartes seules s'accordent à {n} mm près ; la caméra penche de "
        "{most} degrés"
    ),
    rf"the markers measure (?P<share>{_N}%) of their size against the cards: print them at 100 %, "
    r"or the deck file's card is of another size": (
        "les repères mesurent {share} de leur taille par rapport aux cartes : imprimez-les à "
        "100 %, ou les cartes du jeu sont d'une autre taille"
    ),
    r"(?P<count>\d+) markers are seen; at least two are needed\.": (
        "{count} repères se voient ; il en faut au moins deux."
    ),
    r"the markers do not fix the table\.": "les repères ne suffisent pas à situer la table.",
    # The light.
    r"White is at (?P<count>\d+) % of full scale, (?P<n>[\d.]+) % is burnt out\.": (
        "Le blanc est à {count} % du maximum, {n} % de l'image est brûlé."
    ),
    r"It is too dark: switch a lamp on\.": "Il fait trop sombre : allumez une lampe.",
    r"A lamp is mirrored in the cards, or shines into the camera: move it to the side; see "
    r"docs/build-the-rig\.md\.": (
        "Une lampe se reflète dans les cartes, ou éclaire la caméra : mettez-la de côté ; voir "
        "docs/build-the-rig.md."
    ),
    r"Move the lamp a little to the side\.": "Poussez un peu la lampe sur le côté.",
    r"More light makes readings surer\.": "Plus de lumière rend les lectures plus sûres.",
    r"First see to the camera\.": "Occupez-vous d'abord de la caméra.",
    r"No camera is connected\.": "Aucune caméra n'est branchée.",
    r"The camera gives no picture\.": "La caméra ne donne pas d'image.",
    # The colours.
    r"the table markers are not seen\.": "les repères de la table ne se voient pas.",
    r"too few white lines are seen that are not burnt out\.": (
        "trop peu de lignes blanches se voient qui ne soient pas brûlées."
    ),
    r"it is too dark to see the white lines\.": (
        "il fait trop sombre pour voir les lignes blanches."
    ),
    r"no colour is seen: lay a card of each on the table\.": (
        "aucune couleur ne se voit : posez une carte de chacune sur la table."
    ),
    r"(?P<colour>\w+) and (?P<rival>\w+) are hard to tell apart in this light \(difference "
    r"(?P<count>\d+), should be (?P<cards>\d+) or more\): their symbols decide; a whiter or "
    r"brighter lamp helps\.": (
        "Les cartes {colour} et {rival} se distinguent mal dans cette lumière (différence "
        "{count}, il faudrait {cards} ou plus) : leurs symboles décident ; une lampe plus blanche "
        "ou plus forte aide."
    ),
    r"(?P<share>\d+%) of what was looked at is burnt out: less exposure, or turn the lamp\.": (
        "{share} de ce qui est regardé est brûlé : moins d'exposition, ou tournez la lampe."
    ),
    r"the light is strongly coloured: use a whiter lamp\.": (
        "la lumière est très colorée : prenez une lampe plus blanche."
    ),
    r"One colour is seen, and it is clear\.": "Une seule couleur se voit, et elle est nette.",
    r"(?P<colour>\w+) and (?P<rival>\w+) are the nearest, and (?P<count>\d+) apart\.": (
        "Les cartes {colour} et {rival} sont les plus proches, à {count} l'une de l'autre."
    ),
    r"No photo was read yet whose lens is known\.": (
        "Aucune photo dont l'objectif est connu n'a encore été lue."
    ),
    r"Calibrate the lens, lay a card of each colour on the table, and take a picture\.": (
        "Calibrez l'objectif, posez une carte de chaque couleur sur la table, et prenez une photo."
    ),
    # A deck being enrolled.
    rf"it has (?P<n>{_N}) pixels per mm; (?P<most>{_N}) are needed: go nearer\.": (
        "elle a {n} pixels par mm ; il en faut {most} : approchez-vous."
    ),
    r"no single cards are seen: lay them apart on a plain ground\.": (
        "aucune carte seule ne se voit : posez-les à l'écart les unes des autres sur un fond uni."
    ),
    r"no card's frame line is seen all round: more light, sharper\.": (
        "aucune ligne de cadre ne se voit tout autour : plus de lumière, plus net."
    ),
    r"no table marker is seen; put one beside the cards, or state a card's width\.": (
        "aucun repère ne se voit ; posez-en un à côté des cartes, ou dites la largeur d'une carte."
    ),
    r"without markers at least two whole cards on a plain ground are needed\.": (
        "sans repère, il faut au moins deux cartes entières sur un fond uni."
    ),
    r"without a lens file lengths can be wrong by a percent\.": (
        "sans fichier d'objectif, les longueurs peuvent être fausses d'un pour cent."
    ),
    r"Photo (?P<count>\d+): at (?P<x>-?\d+), (?P<y>-?\d+) mm (?P<why_not>.+)": (
        "Photo {count} : à {x}, {y} mm : {why_not}"
    ),
    r"rounds with cards of this art \(coloured lines, or only one of coloured dots and no band\) "
    r"are not read reliably yet: check every score": (
        "les manches jouées avec des cartes ainsi dessinées (lignes de couleur, ou seulement "
        "points de couleur ou bord sans bande) ne se lisent pas encore sûrement : vérifiez chaque "
        "score"
    ),
    rf"the cards are (?P<share>{_N}%) as large as those of (?P<deck>\S+): were the markers printed "
    r"at 100 %\? Lay a ruler on them": (
        "les cartes font {share} de la taille de celles de {deck} : les repères sont-ils imprimés "
        "à 100 % ? Posez-y une règle"
    ),
    r"(?P<count>\d+) faces were not photographed and are taken from (?P<deck>\S+): "
    r"(?P<card_faces>.+)": (
        "{count} faces n'ont pas été photographiées et viennent de {deck} : {card_faces}"
    ),
    r"(?P<card_face>\S+): not the face that (?P<deck>\S+) has under this name": (
        "{card_face} : ce n'est pas la face que {deck} a sous ce nom"
    ),
    r"(?P<card_face>\S+): which way is up is not seen; it can stand on its head": (
        "{card_face} : on ne voit pas où est le haut ; elle peut être à l'envers"
    ),
    r"the starting card was not photographed; it is that of (?P<deck>\S+)": (
        "la carte de départ n'a pas été photographiée ; c'est celle de {deck}"
    ),
    r"the starting card": "la carte de départ",
    r"a card of (?P<count>\d+) dots: no colour is seen on it": (
        "une carte de {count} points : on n'y voit pas de couleur"
    ),
    r"the starting card was not read, and that of (?P<deck>\S+) has another art or other "
    r"proportions: photograph it too\.": (
        "la carte de départ n'a pas été lue, et celle de {deck} est autrement dessinée ou "
        "proportionnée : photographiez-la aussi."
    ),
    r"what was read does not fit together \((?P<error>.+)\)\.": (
        "ce qui a été lu ne va pas ensemble ({error})."
    ),
}
