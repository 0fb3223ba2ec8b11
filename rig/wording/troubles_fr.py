"""The French sentences, by the trouble's key; the facts in braces are the English ones'."""

from __future__ import annotations

FRENCH: dict[str, str] = {
    "photo-empty": "{name} est vide : copiez la photo à nouveau depuis l'appareil.",
    "photo-unknown": "{name} n'est pas une image : donnez une photo {kinds:either}.",
    "photo-wrong-kind": "{name} est une image {kind} : donnez une photo {kinds:either}.",
    "photo-too-large": (
        "{name} fait {width} x {height} pixels ; {limit} mégapixels au plus sont lus : réduisez-la."
    ),
    "photo-too-many-bytes": (
        "{name} fait {megabytes} Mo ; {limit} Mo au plus sont lus : réduisez-la."
    ),
    "photo-damaged": (
        "{name} est tronquée ou abîmée : copiez la photo à nouveau depuis l'appareil."
    ),
    "photo-too-hard": (
        "{name} demande trop de temps ou de mémoire à décoder ({why}) : enregistrez-la à nouveau "
        "en JPEG simple, ou prenez-en une autre."
    ),
    "lens-fault": "Objectif{file} : {where} : {why}.",
    "lens-other-size": (
        "{name} fait {width} x {height} pixels, mais l'objectif est décrit pour {lens_width} x "
        "{lens_height} : donnez celui de cet appareil à cette taille d'image."
    ),
    "table-not-seen": "{name} n'a pas pu être lue : {why}",
    "reading-too-long": (
        "{name} n'a pas été lue en {seconds} s : {why}. Il n'y a pas de score ; renvoyez-la quand "
        "l'appareil a moins à faire, ou prenez une autre photo d'en haut dans une lumière égale."
    ),
    "reading-failed": (
        "{name} n'a pas pu être lue à cause d'une erreur du programme ({why}) : "
        "signalez-la avec la photo."
    ),
    "card-gone": "La carte {card} n'est plus sur la table.",
    "doubt-gone": "Ce doute est déjà levé, ou n'a jamais existé.",
    "answer-unknown": "Ce doute n'a pas cette réponse : choisissez l'une de celles proposées.",
    "not-in-deck": "Le jeu n'a pas de carte {colour:colour} ({face:face}).",
    "not-neighbours": (
        "Les cartes {card} et {other} ne se chevauchent pas : aucune n'est sur l'autre."
    ),
    "nothing-to-change": "La carte {card} est déjà lue ainsi.",
    "off-picture": "Cet endroit est hors de l'image.",
    "scores-hidden": ("Les scores sont cachés jusqu'à la fin : la partie pourra alors être revue."),
    "coach-off": "Une partie se joue : l'entraîneur attend la fin de la manche.",
    "nothing-followed": "Aucune partie n'est suivie : commencez-en une.",
    "nothing-read": "Aucune photo de cette partie n'a encore été lue : il n'y a rien à terminer.",
    "event-unknown": "Cette partie n'a pas d'événement {event} au sujet d'une carte.",
    "frame-older": (
        "La photo {frame} est plus ancienne que la dernière qui a été suivie : la partie a "
        "continué depuis. Prenez-en une autre."
    ),
    "frame-of-another-table": (
        "La photo {frame} montre d'autres cartes que la partie suivie : prenez une photo de sa "
        "table, ou recommencez à zéro."
    ),
    "game-players": (
        "players : donnez des couleurs différentes du jeu ({known}), dans l'ordre des tours."
    ),
    "match-fault": "{where} : {why}.",
    "match-over": "Cette partie est finie : commencez-en une autre.",
    "round-still-open": "La manche {round} n'est pas finie : terminez-la d'abord.",
    "round-ended": "La manche {round} est déjà finie.",
    "round-not-ended": "La manche {round} n'est pas encore finie.",
    "round-signed": "La manche {round} est signée : son score reste tant qu'on ne la rouvre pas.",
    "round-not-signed": "La manche {round} n'est pas signée.",
    "already-signed": "{player} a déjà signé la manche {round}.",
    "player-unknown": "{player} ne joue pas dans cette partie.",
    "frame-taken": (
        "Cette photo termine déjà la manche {round} de la partie du {begun} : prenez-en une autre."
    ),
    "round-not-last": (
        "La manche {later} vient après la manche {round} : seule la dernière peut être abandonnée."
    ),
    "colours-signed": (
        "Des manches sont signées avec les couleurs {colours} : gardez ces couleurs, ou rouvrez "
        "les manches."
    ),
    "not-your-signature": (
        "Seul le téléphone de {player}, ou un admin, peut signer pour {player}."
    ),
    "seat-taken": (
        "{player} a déjà un téléphone ({phone}) : demandez la place, ou demandez à un admin."
    ),
    "already-seated": "Ce téléphone signe déjà pour {player} : un téléphone, un joueur.",
    "disagreement-unknown": "La manche {round} n'a pas de désaccord {disagreement}.",
    "already-settled": "Ce désaccord de la manche {round} est déjà réglé.",
    "score-missing": (
        "La manche {round} n'a pas de score : sa photo n'est pas lue, ou n'a pas pu l'être."
    ),
    "store-full": ("Il n'y a plus de place pour cela : supprimez des photos ou libérez le disque."),
    "store-newer": (
        "Les données {path} viennent d'une version plus récente (schéma {found}, ce programme "
        "connaît {known}) : mettez le programme à jour."
    ),
    "store-damaged": (
        "Les données {path} sont abîmées ({why}) : mettez le dossier de côté, redémarrez, et "
        "remettez une sauvegarde s'il y en a une."
    ),
    "store-unusable": (
        "Les données {path} sont inutilisables ({why}) : vérifiez le dossier et ses droits."
    ),
    "store-read-only": (
        "La base de données ne connaît pas {unknown:# photo|# photos} sur {photos} à côté d'elle "
        ": elle manque, ou c'est une ancienne. Rien n'est changé ni gardé tant qu'une sauvegarde "
        "n'est pas restaurée (tacta restore) ou ces photos mises de côté (tacta lost --set-aside)."
    ),
    "backup-damaged": (
        "La sauvegarde {file} est abîmée ({why}) : prenez-en une autre. Rien n'a été changé."
    ),
    "backup-newer": (
        "La sauvegarde {file} vient d'une version plus récente (schéma {found}, ce programme "
        "connaît {known}) : mettez le programme à jour. Rien n'a été changé."
    ),
    "backup-unknown": "Il n'y a pas de sauvegarde {file}.",
    "backup-folder-missing": (
        "Le dossier des sauvegardes {folder} n'est pas là : branchez et montez son disque."
    ),
    "backup-without-photos": (
        "La dernière sauvegarde est sans les photos, faute de place : nommez un second disque "
        "(TACTA_BACKUPS)."
    ),
    "backup-failed": "La sauvegarde du jour n'a pas pu être faite : {why}",
    "store-migrated": "Les données sont passées du schéma {before} au schéma {after}.",
    "file-unfinished": (
        "{file} a été enlevé : une photo arrivée en partie seulement quand l'appareil s'est arrêté."
    ),
    "files-lost": (
        "Des fichiers qui n'appartiennent à aucune photo connue sont dans {folder} : {files}. "
        "Regardez-les, puis gardez-les ou supprimez-les ; tacta lost les montre tous."
    ),
    "picture-changed": "L'image {frame} n'est plus celle qui a été gardée.",
    "store-in-use": (
        "Un autre appareil tourne déjà depuis {path} : arrêtez-le, ou donnez un autre dossier."
    ),
    "row-unreadable": (
        "L'entrée {name} de {table} n'est plus lisible ({why}) et est laissée de côté : si elle "
        "compte, remettez une sauvegarde d'avant."
    ),
    "picture-missing": "L'image {frame} a disparu du disque ; sa lecture est toujours là.",
    "frame-unknown": "Il n'y a pas de photo {frame} : supprimée, ou jamais prise.",
    "frame-protected": "La photo {frame} appartient à une manche et reste avec elle.",
    "correction-unknown": "Il n'y a pas de correction {correction} sur la photo {frame}.",
    "correction-undone": "La correction {correction} est déjà annulée.",
    "version-conflict": (
        "Quelqu'un d'autre vient de changer cela (vous aviez la version {expected}, c'est "
        "maintenant la {found}) : regardez à nouveau, puis recommencez."
    ),
    "match-unknown": "Il n'y a pas de partie {match}.",
    "round-unknown": "La partie {match} n'a pas de manche {round}.",
    "camera": "{camera} ne donne pas d'images.",
    "camera-missing": ("{camera} n'est pas là ({why}) : vérifiez son câble et son alimentation."),
    "camera-busy": ("{camera} est utilisée par un autre programme ({why}) : fermez ce programme."),
    "camera-denied": (
        "{camera} est interdite à cet utilisateur ({why}) : ajoutez-le au groupe video."
    ),
    "camera-not-installed": "{camera} a besoin de {what}, qui manque ({why}) : {how}.",
    "camera-silent": "{camera} n'a pas donné d'image en {seconds:.0f} s : on la redémarre.",
    "camera-waiting": "{camera} n'est pas encore prête : réessayez dans quelques secondes.",
    "camera-empty": "{camera} ne contient pas encore de photo : mettez-en une.",
    "camera-garbage": "{camera} a donné des données abîmées ({why}) : vérifiez son câble.",
    "camera-failed": "{camera} est en panne ({why}) : on la redémarre.",
    "camera-unknown": "{camera} n'est pas une caméra : dites l'une de {kinds}.",
    "not-paired": (
        "Ce téléphone n'est pas associé : scannez le code du terminal, ou tapez le PIN."
    ),
    "not-for-programs": (
        "Un programme ne peut pas le faire avec son jeton d'accès : faites-le sur un téléphone "
        "associé."
    ),
    "token-wrong": (
        "Cet appareil ne connaît pas ce jeton d'accès : créez-en un sur la page, ou : tacta tokens."
    ),
    "token-revoked": (
        "Le jeton d'accès {name} a été révoqué le {when} : demandez-en un autre à un admin."
    ),
    "token-expired": (
        "Le jeton d'accès {name} a expiré le {when} : demandez-en un autre à un admin."
    ),
    "token-unknown": "Il n'y a pas de tel jeton d'accès.",
    "not-allowed": "Il faut pour cela le rôle {role:role}.",
    "header-missing": "Une modification exige l'en-tête {header}.",
    "host-refused": "Cet appareil ne répond pas à ce nom : prenez l'adresse du terminal.",
    "secret-wrong": "Ce PIN ou ce code est faux, ou a expiré : demandez-en un autre.",
    "name-taken": (
        "{name} est le nom d'un téléphone associé : choisissez-en un autre, ou demandez à être "
        "son nouveau téléphone."
    ),
    "name-unreadable": "Un nom a besoin d'au moins une lettre visible.",
    "ask-unknown": "Cela n'est plus demandé : demandez de nouveau.",
    "ask-refused": "Refusé : choisissez un autre nom, ou demandez à qui tient la table.",
    "invitation-unknown": "Cette invitation est terminée.",
    "not-your-photo": (
        "Un autre téléphone a envoyé la photo {frame} : lui seul, ou un admin, peut la reprendre."
    ),
    "too-many-tries": "Trop de PIN faux : réessayez dans {seconds} s.",
    "too-slow": "C'est arrivé trop lentement et a été abandonné : réessayez plus près du routeur.",
    "busy": "L'appareil est occupé : réessayez dans {seconds} s.",
    "body-ambiguous": (
        "Une requête qui a Content-Length et Transfer-Encoding à la fois ne reçoit pas de réponse."
    ),
    "headers-too-large": (
        "Les en-têtes de la requête sont trop gros : {most} au plus, {limit} Ko en tout."
    ),
    "request-invalid": "{where} : {why}.",
    "body-too-large": "C'est trop gros : {limit} Mo au plus.",
    "not-found": "Il n'y a rien à cette adresse.",
    "method-not-allowed": "Cette adresse ne s'utilise pas ainsi.",
    "not-read": "La photo {frame} n'a pas de lecture : pas encore, ou impossible.",
    "already-read": "La photo {frame} est déjà lue : un admin peut la supprimer.",
    "no-camera": "Aucune caméra n'est branchée : envoyez une photo.",
    "phone-unknown": "Il n'y a pas de tel téléphone.",
    "webhook-unknown": "Il n'y a pas de tel webhook.",
    "webhook-address": (
        "{url} ne convient pas : donnez une adresse telle que http://192.168.1.20:8123/api/tacta."
    ),
    "broker-unknown": "Il n'y a pas de tel broker.",
    "broker-address": (
        "{url} ne convient pas : donnez une adresse telle que mqtt://192.168.1.20, ou mqtts:// "
        "pour TLS."
    ),
    "broker-certificate": (
        "Ce n'est pas un certificat : donnez celui de l'autorité du broker, en PEM."
    ),
    "mqtt-missing": (
        "MQTT a besoin du paquet paho-mqtt, qui n'est pas installé : installez avec --mqtt."
    ),
    "wiring-wrong": (
        "{word} n'est pas un câblage de lampe : donnez leds:ROUGE,JAUNE,VERT ou "
        "rgb:ROUGE,VERT,BLEU avec trois numéros GPIO différents de 2 à 27, par exemple "
        "leds:5,6,13."
    ),
    "pin-taken": (
        "La broche {pin} est nommée deux fois : donnez au buzzer une broche à lui, de 2 à 27."
    ),
    "lamp-missing": (
        "La lampe des broches {pins} ne peut pas servir ({why}) : laissez-la de côté, ou sur un "
        "Raspberry Pi tapez : sudo apt install python3-gpiozero python3-lgpio"
    ),
    "lens-not-begun": "Aucun calibrage d'objectif n'est en cours ici : commencez-en un.",
    "lens-busy": "L'objectif est en cours de calcul : attendez la fin.",
    "lens-too-few": "{found:# photo de la mire est utilisable|# photos de la mire sont "
    "utilisables} ; il en faut au moins {needed}.",
    "lens-not-computed": (
        "Il n'y a pas encore d'objectif : photographiez la mire, puis lancez le calcul."
    ),
    "lens-of-another-camera": (
        "Ce calibrage est celui de l'autre appareil photo : commencez-en un pour celui-ci."
    ),
    "lens-too-poor": (
        "Pas enregistré : cet objectif est trop mauvais pour s'y fier. Prenez d'autres photos, ou "
        "enregistrez-le quand même."
    ),
    "lens-better-there": (
        "Pas enregistré : l'objectif déjà là est meilleur ({old_px} px et {old_percent} % contre "
        "{px} px et {percent} %). Gardez-le, ou enregistrez l'autre quand même."
    ),
    "lens-board-unknown": "Cette mire est inconnue : {why}.",
    "deck-unknown": "Il n'y a pas de jeu {name} ici.",
    "deck-there": "Il y a déjà un jeu {name} : donnez un autre nom au nouveau.",
    "deck-named-at-start": (
        "L'appareil a été démarré avec un fichier de jeu : démarrez-le sans --deck pour en choisir "
        "un ici."
    ),
    "deck-in-play": (
        "Une partie se joue en {colours} : finissez-la ou supprimez-la avant de changer de jeu."
    ),
    "deck-not-made": (
        "Il n'y a pas encore de jeu à garder : photographiez les cartes, puis faites-en un jeu."
    ),
    "enrolment-not-begun": "Aucun jeu n'est en cours d'ajout ici : commencez-en un.",
    "enrolment-empty": (
        "Aucune carte n'a encore été lue : photographiez-en, côte à côte sur une table unie."
    ),
    "enrolment-full": "Il y a déjà {most} photos, assez pour tout jeu : recommencez.",
    "fault": "Le programme a échoué ici : signalez-le.",
    "table-moved": (
        "L'appareil ou la table a bougé de {millimetres:.1f} mm depuis {since} : remettez-le en "
        "place, ou, si c'est voulu, lancez : tacta doctor --accept-table"
    ),
    "marker-moved": (
        "Le repère {markers} a bougé de {millimetres:.1f} mm depuis {since} : remettez-le en "
        "place, ou, si c'est voulu, lancez : tacta doctor --accept-table"
    ),
}
