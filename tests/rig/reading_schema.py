"""The reading's schema, held to."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema

SCHEMA = Path(__file__).parents[2] / "docs" / "tacta-reading-1.schema.json"


@cache
def validator() -> jsonschema.Draft202012Validator:
    schema = json.loads(SCHEMA.read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def check(data: object) -> Any:
    """The document as a reader of the JSON gets it, checked against the schema."""
    decoded = json.loads(json.dumps(data, allow_nan=False))
    validator().validate(decoded)
    return decoded
