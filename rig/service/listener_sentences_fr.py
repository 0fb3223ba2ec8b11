"""French for what came of telling a listener."""

from __future__ import annotations

from collections.abc import Mapping

SENTENCES: Mapping[str, str] = {
    r"answered (?P<status>\d+)": "a répondu {status}",
    r"redirects to another address, which is not followed": (
        "renvoie à une autre adresse, qui n'est pas suivie"
    ),
    r"did not answer within (?P<n>[\d.]+) s": "n'a pas répondu en {n} s",
    r"cannot be reached \((?P<why>.+)": "est injoignable ({why}",
    r"answered something else than HTTP \((?P<why>.+)\)": "a répondu autre chose que HTTP ({why})",
    # Brokers.
    r"needs the package paho-mqtt, which is not installed": (
        "a besoin du paquet paho-mqtt, qui n'est pas installé"
    ),
    r"has a certificate that is not trusted \((?P<why>.+)\)": (
        "a un certificat auquel l'appareil ne se fie pas ({why})"
    ),
    r"speaks no TLS there \((?P<why>.+)\)": "ne parle pas TLS à cette adresse ({why})",
    r"is not connected": "n'est pas relié",
    r"broke the connection": "a rompu la liaison",
    r"broke the connection: it has to speak MQTT 5": ("a rompu la liaison : il doit parler MQTT 5"),
    r"refuses the user name or the password \((?P<why>.+)\)": (
        "refuse le nom d'utilisateur ou le mot de passe ({why})"
    ),
    r"refuses the rig \((?P<why>.+)\)": "refuse l'appareil ({why})",
    r"does not let the rig publish (?P<topic>\S+) \((?P<why>.+)\)": (
        "ne laisse pas l'appareil publier {topic} ({why})"
    ),
}
