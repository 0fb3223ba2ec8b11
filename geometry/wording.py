"""How a faulty value is quoted in a sentence to a person."""

from __future__ import annotations


def quoted(value: object) -> str:
    """A decoded JSON value as a sentence can quote it: never long, never many lines."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, int) and abs(value) > 10**12:
        return "a very large number"
    text = "null" if value is None else repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
