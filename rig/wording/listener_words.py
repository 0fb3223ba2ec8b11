"""What came of telling a listener, said of it."""

from __future__ import annotations

from collections.abc import Mapping

from rig.wording.words import Words

LISTENERS: Mapping[str, Words] = {
    "answered": Words("answered {status}", "a répondu {status}"),
    "redirects": Words(
        "redirects to another address, which is not followed",
        "renvoie à une autre adresse, qui n'est pas suivie",
    ),
    "answered-nothing": Words(
        "did not answer within {longest_s:g} s", "n'a pas répondu en {longest_s:g} s"
    ),
    "cannot-be-reached": Words("cannot be reached ({why})", "est injoignable ({why})"),
    "not-http": Words(
        "answered something else than HTTP ({why})", "a répondu autre chose que HTTP ({why})"
    ),
    "mqtt-not-installed": Words(
        "needs the package paho-mqtt, which is not installed",
        "a besoin du paquet paho-mqtt, qui n'est pas installé",
    ),
    "not-trusted": Words(
        "has a certificate that is not trusted ({why})",
        "a un certificat auquel l'appareil ne se fie pas ({why})",
    ),
    "no-tls": Words("speaks no TLS there ({why})", "ne parle pas TLS à cette adresse ({why})"),
    "not-connected": Words("is not connected", "n'est pas relié"),
    "broke-off": Words("broke the connection", "a rompu la liaison"),
    "not-mqtt-5": Words(
        "broke the connection: it has to speak MQTT 5",
        "a rompu la liaison : il doit parler MQTT 5",
    ),
    "refuses-password": Words(
        "refuses the user name or the password ({why})",
        "refuse le nom d'utilisateur ou le mot de passe ({why})",
    ),
    "refuses": Words("refuses the rig ({why})", "refuse l'appareil ({why})"),
    "refuses-topic": Words(
        "does not let the rig publish {topic} ({why})",
        "ne laisse pas l'appareil publier {topic} ({why})",
    ),
}
