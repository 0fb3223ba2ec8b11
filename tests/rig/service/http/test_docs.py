"""docs/api.md names every route, event, code and kind of correction."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from referee.corrections.kinds import KINDS
from rig.service.http import limits
from rig.service.http.answers import STATUS
from rig.service.state.live_events import EVENTS

DOCS = Path(__file__).parents[4] / "docs"
PAGE = (DOCS / "api.md").read_text("utf-8")
API = "/api/v1"
ROUTES = [one.removeprefix(API) for one in json.loads((DOCS / "openapi.json").read_text())["paths"]]


@pytest.mark.parametrize("word", [*STATUS, *EVENTS, *KINDS])
def test_the_page_names_it(word: str) -> None:
    assert f"`{word}`" in PAGE


@pytest.mark.parametrize("code", STATUS)
def test_codes_stand_beside_their_status(code: str) -> None:
    (line,) = [line for line in PAGE.splitlines() if line.startswith(f"| {STATUS[code]} |")]
    assert f"`{code}`" in line


@pytest.mark.parametrize("route", ROUTES)
def test_the_page_names_the_route(route: str) -> None:
    """Whole, or from some part on behind three dots; a parameter by any name or value."""
    parts = re.findall(r"/[^/]+", route)
    wanted = [re.sub(r"\\{\w+\\}", r"(\\{\\w+\\}|[\\w-]+)", re.escape(part)) for part in parts]
    shortened = [rf"\.\.\.{''.join(wanted[at:])}" for at in range(1, len(wanted))]
    ways = "|".join(["".join(wanted), *shortened])
    assert re.search(rf"[` /](/api/v1)?({ways})[`?\s]", PAGE)


@pytest.mark.parametrize(
    "said",
    [
        f"said within {limits.HEADER_S:g} s",
        f"within {limits.BODY_S:g} s and without gaps of {limits.PIECE_S:g} s",
        f"{limits.MOST_UNREAD} wait to be read",
        f"{limits.MOST_PICTURES} pictures wait to be made",
        f"hold {limits.CONNECTIONS_OF_ONE} connections, all together {limits.MOST_CONNECTIONS}",
        f"{limits.PHOTO_BYTES // 10**6} MB, {limits.PHOTO_PIXELS // 10**6} megapixels",
    ],
)
def test_the_page_names_the_limit(said: str) -> None:
    assert said in " ".join(PAGE.split())
