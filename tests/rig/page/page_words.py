"""The page's words, read from its files."""

from __future__ import annotations

import json
import re

from rig.service.http.page_files import PAGE

LINE = re.compile(r'^  ("(?:[^"\\]|\\.)*"): ("(?:[^"\\]|\\.)*"),$', re.MULTILINE)


def words(language: str) -> dict[str, str]:
    text = (PAGE / f"words-{language}.js").read_text("utf-8")
    return {json.loads(key): json.loads(value) for key, value in LINE.findall(text)}
