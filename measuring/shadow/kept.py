"""Records of scenes, kept as JSON lines: what was read before is not read again."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from measuring.scenes.trial import Job
from measuring.scenes.workers import run_each

Record = dict[str, Any]


def kept_records(
    kept: Path, jobs: Sequence[Job], record_of: Callable[[Job], Record], processes: int
) -> list[Record]:
    """All records in the file, those of the jobs that it lacks written to it as they come."""
    done = {record["scene"] for record in read_records(kept)}
    left = [job for job in jobs if job.name not in done]
    with kept.open("a", encoding="utf-8") as file:
        for record in run_each(record_of, left, processes):
            file.write(json.dumps(record) + "\n")
            file.flush()
    return read_records(kept)


def read_records(kept: Path) -> list[Record]:
    """What was written down before; none where there is no such file."""
    if not kept.exists():
        return []
    return [json.loads(line) for line in kept.read_text("utf-8").splitlines()]
