"""Which language a person reads."""

LANGUAGES = ("en", "fr")


def language_of(accept: str | None) -> str:
    """The language that an Accept-Language header asks for most; English if it names neither."""
    best, wanted = 0.0, LANGUAGES[0]
    for part in (accept or "").split(",")[:20]:
        name, _, rest = part.strip().partition(";")
        language = name.strip().lower().partition("-")[0]
        weight = _weight(rest)
        if language in LANGUAGES and weight > best:
            best, wanted = weight, language
    return wanted


def _weight(rest: str) -> float:
    _, _, text = rest.replace(" ", "").partition("q=")
    try:
        return min(1.0, float(text)) if text else 1.0
    except ValueError:
        return 0.0
