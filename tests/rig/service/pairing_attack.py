"""Many devices that pair by one PIN, and devices named like a phone that is paired already."""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2

from rig.service.access.pairing import Invited, Pairing
from rig.service.running.served import served_from
from rig.store.store import Store
from tests.rig.service import kills
from tests.rig.service.table_top import WRITE

LONGEST_S = 200.0
DEVICES = 300
LIKE_ADA = (" ada ", "A\u200bda", "\uff21da", "\u202eAda", "ADA", "\u0410da", "Ada\u3000")


def pairing(folder: Path) -> str:
    """Three hundred devices with one PIN, then seven by names that read like a paired phone's."""
    command = [
        sys.executable, "-m", "rig.command_line", "serve", "--data", str(folder),
        "--port", "0", "--camera", "none", "--network",
    ]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        try:
            url = _served_at(folder)
            limits = httpx2.Limits(max_connections=50)
            with (
                httpx2.Client(timeout=LONGEST_S, limits=limits) as client,
                ThreadPoolExecutor(50) as pool,
            ):
                pin = _invited(folder, 1).pin
                names = [f"phone {n}" for n in range(DEVICES)]
                many = list(pool.map(lambda name: _knock(client, url, pin, name), names))
                ada = _knock(client, url, _invited(folder, 1).code, "Ada")
                table = _invited(folder, len(LIKE_ADA)).code  # wrong PINs were counted
                alike = [_knock(client, url, table, name) for name in LIKE_ADA]
        finally:
            process.terminate()
    return (
        f"{many.count(201)} of {DEVICES} paired by one PIN, the others {sorted({*many} - {201})}; "
        f"Ada {ada}, of {len(LIKE_ADA)} named like her {alike.count(201)} paired, the others "
        f"{sorted({*alike} - {201})}"
    )


def _served_at(folder: Path) -> str:
    begun = time.monotonic()
    while (served := served_from(folder)) is None:
        assert time.monotonic() - begun < LONGEST_S, "never served"
        time.sleep(0.05)
    url = f"http://127.0.0.1:{served.port}/api/v1"
    kills.wait_until_ready(url, begun)
    return url


def _invited(folder: Path, phones: int) -> Invited:
    store = Store(folder)
    try:
        return Pairing(store.phones).invite("player", phones)
    finally:
        store.close()


def _knock(client: httpx2.Client, url: str, secret: str, name: str) -> int:
    client.cookies.clear()  # each knock is another device's
    wish = {"secret": secret, "name": name}
    return client.post(f"{url}/pairing", json=wish, headers=WRITE).status_code
