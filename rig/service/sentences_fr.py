"""French for sentences that come in English from where the picture is read and matches are made.

Those places know nothing of languages. Each kind of sentence is a pattern here, its
parameters are the groups; a sentence that no pattern knows stays English.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from rig.service import lens_sentences_fr as lens
from rig.service import listener_sentences_fr as listener
from rig.service import setup_sentences_fr as setup

Words = Callable[[str], str]

COLOURS = {
    "blue": "bleue",
    "green": "verte",
    "orange": "orange",
    "pink": "rose",
    "purple": "violette",
    "red": "rouge",
    "white": "blanche",
    "yellow": "jaune",
    "black": "noire",
    "grey": "grise",
    "brown": "brune",
    "teal": "sarcelle",
    "turquoise": "turquoise",
}
"""Colours as they stand beside "carte"; others keep the deck's name."""
_SUITS = {"circle": "rond", "square": "carré", "triangle": "triangle"}


def _colour(name: str) -> str:
    return COLOURS.get(name, name)


def _face(face: str) -> str:
    suit, dash, value = face.partition("-")
    return f"{_SUITS[suit]} {value}" if dash and suit in _SUITS else face


def _number(text: str) -> str:
    return text.replace(".", ",").replace("%", " %")


def _measures(text: str) -> str:
    """As in: 2.5 mm and 3.1 degrees."""
    words = {"and": "et", "or": "ou", "degrees": "degrés"}
    return " ".join(words.get(word, _number(word)) for word in text.split())


def _card(text: str) -> str:
    """As in: the blue circle-3, This blue card, the starting card, card below."""
    if text == "card below":
        return "la carte dessous"
    if text.lower() == "the starting card":
        return "la carte de départ"
    if found := re.fullmatch(r"This (.+) card", text):
        return f"cette carte {_colour(found[1])}"
    if found := re.fullmatch(r"the (.+) (\S+)", text):
        return f"la carte {_colour(found[1])} ({_face(found[2])})"
    return text


def _cards(text: str) -> str:
    first, _, last = text.rpartition(" and ")
    listed = ", ".join(_card(one) for one in first.split(", ")) if first else ""
    return f"{listed} et {_card(last)}" if listed else _card(last)


_GROUPS: Mapping[str, Words] = {
    "colour": _colour,
    "rival": _colour,
    "face": _face,
    "other": _face,
    "this": _card,
    "below": _cards,
    "off": _measures,
    "fine": _measures,
    "illegal": _measures,
    **dict.fromkeys(("n", "most", "wide", "high", "needed", "found"), _number),
    **lens.GROUPS,
    **setup.GROUPS,
}
"""How each named part of a pattern is put into French; other parts stay."""

_N = r"[\d.]+%?"
_THIS = r"(?P<this>This .+? card|The starting card)"
_LIMIT = r"; (?:touching (?:a second one )?by )?up to (?P<fine>.+?) is fine"
_CLOSELY = r"(?P<closely>, and from (?P<illegal>.+) it is illegal: look closely)?\."
_PLACEMENTS: Mapping[str, str] = {
    rf"{_THIS} reaches (?P<off>{_N} mm) past the edge of the play area{_LIMIT}": (
        "{this} dépasse de {off} le bord de l'aire de jeu ; jusqu'à {fine}, c'est permis"
    ),
    rf"{_THIS} lies on (?P<below>.+), (?P<off>{_N} mm) deep{_LIMIT}": (
        "{this} est posée sur {below}, de {off} ; en toucher une seconde est permis jusqu'à {fine}"
    ),
    rf"{_THIS} covers part of (?P<below>.+), but no equal shapes meet{_LIMIT}": (
        "{this} couvre une partie de {below}, mais aucune forme n'y rencontre la même ; toucher "
        "est permis jusqu'à {fine}"
    ),
    rf"{_THIS} lies (?P<off>.+) off (?P<below>.+) it covers{_LIMIT}": (
        "{this} est décalée de {off} sur {below} qu'elle couvre ; jusqu'à {fine}, c'est permis"
    ),
    rf"{_THIS} reaches (?P<off>{_N} mm) past the shape of (?P<below>.+) it covers{_LIMIT}": (
        "{this} dépasse de {off} la forme de {below} qu'elle couvre ; jusqu'à {fine}, c'est permis"
    ),
    rf"{_THIS} covers (?P<below>.+), a card of its own colour": (
        "{this} couvre {below}, une carte de sa propre couleur"
    ),
}
_SENTENCES: Mapping[str, str] = {
    # Doubts.
    r"this card shows too little to tell (?P<face>\S+) from (?P<other>\S+)": (
        "cette carte se voit trop peu pour dire si c'est {face} ou {other}"
    ),
    r"this card shows too little to tell its front from its back": (
        "cette carte se voit trop peu pour distinguer son recto de son verso"
    ),
    r"the starting card shows too little to tell where it lies": (
        "la carte de départ se voit trop peu pour dire où elle est"
    ),
    r"this card does not look as it should": "cette carte n'a pas l'aspect attendu",
    r"a lamp washes this card out: it may be misread": (
        "une lampe délave cette carte : elle est peut-être mal lue"
    ),
    r"this card may touch a higher one with a corner: where it lies is not sure": (
        "cette carte touche peut-être une carte plus haute par un coin : sa place n'est pas sûre"
    ),
    r"this card may be (?P<colour>.+) or (?P<rival>.+)": (
        "cette carte peut être {colour} ou {rival}"
    ),
    r"it is not clear whether these cards are (?P<colour>.+) or (?P<rival>.+)": (
        "on ne voit pas bien si ces cartes sont de la couleur {colour} ou {rival}"
    ),
    r"the starting card is drawn otherwise than in the deck file: "
    r"see whether the cards on it lie right": (
        "la carte de départ n'est pas dessinée comme dans le fichier du jeu : vérifiez que les "
        "cartes posées dessus le sont correctement"
    ),
    r"it is not clear which of these two cards lies on top": (
        "on ne voit pas bien laquelle de ces deux cartes est dessus"
    ),
    r"a white dot that no card explains": "un point blanc qu'aucune carte n'explique",
    r"this dot was counted as (?P<colour>.+) but lies on (?P<rival>.+)": (
        "ce point est compté pour la couleur {colour} mais il est sur une carte {rival}"
    ),
    r"the picture is burnt out where this dot should show": (
        "l'image est brûlée là où ce point devrait se voir"
    ),
    r"no white dot is seen where one should show": (
        "aucun point blanc ne se voit là où il devrait y en avoir un"
    ),
    r"dots of this card lie outside the picture and are not counted": (
        "des points de cette carte sont hors de l'image et ne sont pas comptés"
    ),
    r"the table was hard to find: see whether every card is marked": (
        "la table était difficile à trouver : vérifiez que chaque carte est marquée"
    ),
    r"the photo is damaged and may show what was not there: take it again": (
        "la photo est abîmée et montre peut-être ce qui n'y était pas : reprenez-la"
    ),
    r"this dot is about half hidden": "ce point est à moitié caché, environ",
    r"only (?P<n>\d+) (?P<colour>.+) cards are seen where others have (?P<most>\d+)": (
        "cartes de couleur {colour} : seulement {n} se voient, d'autres couleurs en ont {most}"
    ),
    r"the starting card is not seen": "la carte de départ ne se voit pas",
    r"the starting card seems to lie on another: it may be another card": (
        "la carte de départ semble posée sur une autre : c'est peut-être une autre carte"
    ),
    r"another colour's ink shows on this card: one may have been missed on it": (
        "de l'encre d'une autre couleur se voit sur cette carte : une autre, posée dessus, a pu"
        " être manquée"
    ),
    r"a band of ink shows beside this card: another may lie under it": (
        "une bande d'encre dépasse à côté de cette carte : une autre peut se trouver dessous"
    ),
    r"a badge shows here and no card was read: a card may have been missed here": (
        "un insigne se voit ici sans carte lue : une carte a pu être oubliée ici"
    ),
    r"a lamp's glow lies here beside the cards: one may lie in it unseen": (
        "le reflet d'une lampe brille ici, à côté des cartes : une carte peut s'y trouver sans être"
        " vue"
    ),
    r"the picture is burnt out here beside the cards: one may lie here unseen": (
        "l'image est brûlée ici, à côté des cartes : une carte peut s'y trouver sans être vue"
    ),
    r"what looks like a card here was taken for none: one colour had too many with it": (
        "ce qui ressemble ici à une carte n'a pas été compté : une couleur en aurait eu une de trop"
    ),
    r"white lines that no card accounts for: a card may have been missed here": (
        "des lignes blanches qu'aucune carte n'explique : une carte a pu être oubliée ici"
    ),
    r"this deck's lines are coloured, and such lines are not read reliably": (
        "les lignes de ce jeu sont en couleur, et de telles lignes ne se lisent pas sûrement"
    ),
    rf"the smallest card has only (?P<n>{_N}) pixels per millimetre, (?P<needed>{_N}) are needed "
    r"for a sure count": (
        "la plus petite carte n'a que {n} pixels par millimètre, il en faut {needed} pour un "
        "compte sûr"
    ),
    rf"by the markers the cards measure (?P<n>{_N}) of their true size: "
    r"print the markers again without scaling": (
        "d'après les repères les cartes mesurent {n} de leur vraie taille : "
        "imprimez les repères à nouveau sans mise à l'échelle"
    ),
    rf"the darkest white lines reach only (?P<n>{_N}) of full scale, (?P<needed>{_N}) are needed "
    r"for a sure count": (
        "les lignes blanches les plus sombres n'atteignent que {n} de l'échelle, il faut {needed} "
        "pour un compte sûr"
    ),
    rf"cards seem to lie (?P<n>{_N}) mm beside their places, farther than people lay them: the "
    r"lens file may be another camera's, or the picture was bent or stretched": (
        "les cartes semblent posées à {n} mm de leur place, plus loin que l'on ne pose : le "
        "fichier d'objectif est peut-être celui d'un autre appareil, ou l'image a été déformée"
    ),
    rf"the picture is blurred: thin lines keep (?P<n>{_N}) of the brightness of dots, "
    rf"(?P<needed>{_N}) are needed for a sure count": (
        "l'image est floue : les lignes fines gardent {n} de la clarté des points, il faut "
        "{needed} pour un compte sûr"
    ),
    r"There are two (?P<colour>.+) (?P<face>\S+) now: one of them (?:must be|is) another card\.": (
        "La carte {colour} ({face}) est là deux fois maintenant : l'une doit être une autre carte."
    ),
    r"Ruled illegal by the players\.|The table called this card illegal\.": (
        "Jugée illégale par les joueurs."
    ),
    r"almost fully covered; inferred from the card count": (
        "presque entièrement couverte ; déduite du nombre de cartes"
    ),
    # Why a table was not read.
    rf"The picture is too dark: its brightest parts reach (?P<n>{_N}) of full scale, white lines "
    rf"need (?P<needed>{_N}); add light or a longer exposure\.": (
        "L'image est trop sombre : ses parties les plus claires atteignent {n} de l'échelle, les "
        "lignes blanches demandent {needed} ; ajoutez de la lumière ou posez plus longtemps."
    ),
    r"No table was found: neither two markers together with a lens file nor two cards that "
    r"nothing covers are seen in the (?P<wide>\d+) x (?P<high>\d+) pixels\. Cards need "
    rf"(?P<needed>{_N}) pixels per millimetre and a sharp picture: go closer, focus, or take it "
    r"in better light; another game's or printing's cards need a deck file of their own "
    r"\(tacta enrol\)\.": (
        "Aucune table n'a été trouvée : ni deux repères avec un fichier d'objectif, ni deux "
        "cartes que rien ne couvre, dans les {wide} x {high} pixels. Il faut {needed} pixels par "
        "millimètre et une image nette : approchez-vous, faites la mise au point ou éclairez mieux "
        "; les cartes d'un autre jeu ou d'une autre impression demandent leur propre fichier de "
        "jeu (tacta enrol)."
    ),
    rf"No cards were found: the picture is too dark \(its brightest parts reach (?P<n>{_N}) of "
    rf"full scale, white lines need (?P<needed>{_N})\); add light\.": (
        "Aucune carte n'a été trouvée : l'image est trop sombre (ses parties les plus claires "
        "atteignent {n} de l'échelle, les lignes blanches demandent {needed}) ; ajoutez de la "
        "lumière."
    ),
    r"No cards were found: the picture has no colours, and by these the cards are told from what "
    r"is white; take it in colour\.": (
        "Aucune carte n'a été trouvée : l'image est sans couleurs, et c'est par elles que les "
        "cartes se distinguent de ce qui est blanc ; reprenez la photo en couleurs."
    ),
    r"No cards were found in the picture: check that the table is in view and in focus and fills "
    rf"the picture \(about (?P<n>{_N}) pixels per millimetre were taken for it, (?P<needed>{_N}) "
    r"are needed\), and take it again; another game's or printing's cards need a deck file of "
    r"their own \(tacta enrol\)\.": (
        "Aucune carte n'a été trouvée : vérifiez que la table est dans le champ, nette, et remplit "
        "l'image (environ {n} pixels par millimètre estimés, il en faut {needed}), puis reprenez "
        "la photo ; les cartes d'un autre jeu ou d'une autre impression demandent leur propre "
        "fichier de jeu (tacta enrol)."
    ),
    r"The cards in the picture do not look like those of the deck (?P<deck>.+), but like another "
    r"game's or another printing's: photograph them side by side, make their deck file with tacta "
    r"enrol, and read the picture with it\.": (
        "Les cartes de l'image ne ressemblent pas à celles du jeu {deck}, mais à celles d'un autre "
        "jeu ou d'une autre impression : photographiez-les côte à côte, faites leur fichier de jeu "
        "avec tacta enrol, et relisez l'image avec lui."
    ),
    rf"The cards are too small in the picture to count dots: (?P<n>{_N}) pixels per millimetre, "
    rf"(?P<needed>{_N}) are needed; go closer or use more pixels\.": (
        "Les cartes sont trop petites dans l'image pour compter les points : {n} pixels par "
        "millimètre, il en faut {needed} ; approchez-vous ou prenez plus de pixels."
    ),
    r"The picture has only (?P<wide>\d+) x (?P<high>\d+) pixels; a table needs (?P<needed>[\d.]+) "
    r"pixels per millimetre, about (?P<about>\d+ x \d+) for a small one\.": (
        "L'image n'a que {wide} x {high} pixels ; une table demande {needed} pixels par "
        "millimètre, environ {about} pour une petite."
    ),
    r"The markers disagree with each other or with the cards: print all of them at full size "
    rf"\((?P<n>{_N}) mm\), and lay each flat at its own corner of the table\.": (
        "Les repères ne s'accordent pas entre eux ou avec les cartes : imprimez-les tous à leur "
        "taille ({n} mm) et posez chacun à plat à son coin de la table."
    ),
    # Roles.
    r"viewer": "spectateur",
    r"player": "joueur",
    # Kinds of photo.
    r"(?P<kinds>[A-Z]\w+(?:, [A-Z]\w+)*) or (?P<kind>[A-Z]\w+)": "{kinds} ou {kind}",
    # What does not go together in a match.
    r"each of its rounds has its own suit, so no others can be chosen": (
        "chacune de ses manches a son signe, on ne peut pas en choisir d'autres"
    ),
    r"needs two suits in play, one to keep and one to pass on": (
        "il faut deux signes en jeu, l'un à garder et l'autre à passer"
    ),
    r"needs two colours at least": "il faut au moins deux couleurs",
    r"name at least one": "donnez-en au moins un",
    r"limited space ends after three rounds": "l'espace limité finit après trois manches",
    r"this deck has (?P<list>.+)": "ce jeu a {list}",
    r"a name has 1 to (?P<n>\d+) letters": "un nom a de 1 à {n} lettres",
    r"two have the same name": "deux portent le même nom",
    r"more than (?P<n>\d+) play (?P<list>.+)": "plus de {n} jouent {list}",
    r"more than (?P<list>illegal_\w+)": "plus que {list}",
    r"expected (?P<list>.+)": "attendu : {list}",
    # What a request must hold.
    r"field required": "ce champ manque",
    r"extra inputs are not permitted": "ce champ est inconnu",
    r"input should be (?P<list>.+)": "attendu : {list}",
    r"string should have at least (?P<n>\d+) characters?": "au moins {n} lettre(s)",
    r"string should have at most (?P<n>\d+) characters?": "au plus {n} lettres",
    r"string should match pattern (?P<list>.+)": "des lettres non permises",
    r"list should have at (?:least|most) (?P<n>\d+) items? .+": "attendu : {n} éléments",
    r"is missing": "manque",
    r"is not JSON": "n'est pas du JSON",
}


def _compiled() -> list[tuple[re.Pattern[str], str]]:
    placements = [(rf"{start}{_CLOSELY}", french) for start, french in _PLACEMENTS.items()]
    known = (*placements, *_SENTENCES.items(), *setup.SENTENCES.items())
    known += (*lens.SENTENCES.items(), *listener.SENTENCES.items())
    return [(re.compile(start), french) for start, french in known]


_KNOWN = _compiled()


def in_french(sentence: str) -> str | None:
    """The sentence in French, or None if it is not known here."""
    for pattern, french in _KNOWN:
        if found := pattern.fullmatch(sentence):
            return _filled(french, found.groupdict())
    return None


def _filled(french: str, parts: Mapping[str, str | None]) -> str:
    said = {name: _GROUPS.get(name, str)(part) for name, part in parts.items() if part is not None}
    sentence = french.format(**said)
    if "this" not in said:
        return sentence
    look = ", et à partir de {illegal}, illégal : regardez de près" if "closely" in said else ""
    return f"{sentence[0].upper()}{sentence[1:]}{look.format(**said)}."
