"""The service's description is kept in docs/openapi.json; here it is compared, and fuzzed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance

from rig.service.app import create_app, openapi_document
from tests.rig.service.table_top import TableTop, table_top

COPY = Path(__file__).parents[4] / "docs" / "openapi.json"
ANSWERED_S = 90.0
"""A film is made in a process of its own, which a busy machine may take this long to start."""
EXAMPLES = int(os.environ.get("TACTA_FUZZ_EXAMPLES", "2"))
UPDATE = "TACTA_UPDATE"


def test_the_kept_copy_has_not_drifted(rig: TableTop) -> None:
    text = json.dumps(openapi_document(rig.app), indent=1, sort_keys=True) + "\n"
    if os.environ.get(UPDATE):
        COPY.write_text(text, "utf-8")
    assert COPY.read_text("utf-8") == text, f"run again with {UPDATE}=1, and look at the change"


def test_the_description_is_the_same_each_time(rig: TableTop) -> None:
    assert openapi_document(rig.app) == openapi_document(create_app(rig.assembly))


@dataclass
class Fuzzed:
    url: str
    token: str


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fuzzed]:
    """A rig on a real port with something to find in it, and an admin's token."""
    folder = tmp_path_factory.mktemp("rig")
    with table_top(folder, network=True, stream_s=0.05, serve=True) as rig:
        token = rig.pairing.pair(rig.pairing.invite("admin").code, "fuzz", "2024")[1]
        rig.client.headers["Authorization"] = f"Bearer {token}"
        rig.frame()
        rig.post("/matches", {"players": [{"name": "A", "colour": "red"}]})
        yield Fuzzed(str(rig.client.base_url), token)


# The token above stays in every request; test_access.py tries every identity instead.
SCHEMA: Any = schemathesis.openapi.from_dict(json.loads(COPY.read_text("utf-8")))
OPERATIONS = {found.ok().label: found.ok() for found in SCHEMA.get_all_operations()}


# What only a look into the photo, at the table, the deck or a name's letters can tell is refused
# with 422, as described.
REFUSED: dict[str, list[Any]] = {
    f"{method} /api/v1/{path}": [positive_data_acceptance]
    for method, path in (
        ("POST", "frames"),
        ("POST", "matches"),
        ("POST", "frames/{frame}/corrections"),
        ("POST", "lens"),
        ("POST", "lens/photos"),
        ("POST", "enrolment/photos"),
        ("POST", "webhooks"),
        ("POST", "brokers"),
        ("POST", "pairing"),
        ("POST", "pairing/ask"),
        ("PUT", "game"),
    )
}


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: str(mode.value))
@pytest.mark.parametrize("label", OPERATIONS)
def test_nothing_undocumented_and_no_server_error(
    fuzzed: Fuzzed, label: str, mode: GenerationMode
) -> None:
    operation = OPERATIONS[label]

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def fuzz(case: Any) -> None:
        headers = {"Authorization": f"Bearer {fuzzed.token}"}
        left_out = [ignored_auth, *REFUSED.get(label, [])]
        case.call_and_validate(
            base_url=fuzzed.url, headers=headers, excluded_checks=left_out, timeout=ANSWERED_S
        )

    try:
        fuzz()
    except Unsatisfiable:
        pytest.skip("nothing of this operation can be wrong")
