from __future__ import annotations

import pytest

from measuring.scenes.seeds import TUNED_BELOW, reported_seed


def test_a_commit_names_its_scenes() -> None:
    first, second = reported_seed("00000000"), reported_seed("00000000ab")
    assert first == second == TUNED_BELOW
    assert reported_seed("00000001") - first >= 500  # as many scenes as are read of one preset


@pytest.mark.parametrize("commit", ["HEAD", "1234567", "0000000G", ""])
def test_what_is_no_hash_is_refused(commit: str) -> None:
    with pytest.raises(ValueError, match="commit"):
        reported_seed(commit)
