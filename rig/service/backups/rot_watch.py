"""Looking for photos that the disk has changed: all of them, a few an hour."""

import asyncio

from starlette.concurrency import run_in_threadpool

from rig.store.checkup import Finding
from rig.store.store import Store
from rig.trouble import Trouble

EVERY_S = 180.0
"""Twenty an hour: 5000 photos in eleven days, and nobody notices the reading."""


async def watch_for_rot(store: Store, findings: list[Finding], every_s: float = EVERY_S) -> None:
    """Look for ever; what is found is added to the findings once."""
    before: int | None = None
    while True:
        await asyncio.sleep(every_s)
        try:
            before, finding = await run_in_threadpool(store.next_rot, before)
        except Trouble as trouble:
            finding = Finding(trouble.key, "", trouble.facts)
        if finding is not None and finding not in findings:
            findings.append(finding)
