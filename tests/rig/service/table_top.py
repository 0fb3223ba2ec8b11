"""A service for tests: a real store and app, a reader that knows, a camera on a string."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import httpx2
import numpy as np
import uvicorn
from fastapi import FastAPI
from fastapi.testclient import TestClient

from geometry.deck_file import published_deck
from measuring.scenes.true_reading import true_table
from rig.cameras.camera import CameraState, Preview, Still
from rig.cameras.source import Facts
from rig.listeners.outbox import Outbox
from rig.photo.decoding import decode_photo
from rig.service.access.pairing import Pairing
from rig.service.app import create_app
from rig.service.assembly import Assembly, Outside, assemble
from rig.service.frames.blurring import Blurring
from rig.service.frames.reader import Job, OnStage, Outcome, SeenText, Unread
from rig.service.http.connections import GuardedProtocol
from rig.service.pictures.picture_maker import PictureMaker
from rig.service.running.clock import Clock
from rig.service.running.lookout import Lookout
from rig.service.running.settings import ServiceSettings
from rig.service.setup.kept_decks import KeptDecks
from rig.service.setup.lens_desk import LensDesk
from rig.service.state.live_events import LiveEvents
from rig.store.seen_json import seen_text
from rig.store.store import Store
from rig.trouble import Trouble
from tests.scenes import scene

WRITE = {"X-Tacta": "1"}
API = "/api/v1"
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""For clients of plain HTTP: to load whom to trust takes a twentieth of a second for each."""


@cache
def seen(name: str = "two-walnut") -> str:
    return seen_text(true_table(scene(name).truth))


def jpeg(seed: int = 0, size_wh: tuple[int, int] = (64, 48)) -> bytes:
    """A small photo; another one for each seed."""
    noise = np.random.default_rng(seed).integers(0, 255, (size_wh[1], size_wh[0], 3), np.uint8)
    _, data = cv2.imencode(".jpg", noise)
    return data.tobytes()


class KnowingReader:
    """Decodes the photo, and then says what it was told to say, once it may."""

    def __init__(self) -> None:
        self.may_end = threading.Event()
        self.may_end.set()
        self.outcome: Outcome | Exception = SeenText(seen())
        self.read_names: list[str] = []

    def start(self) -> None:
        return None

    def read(self, job: Job, on_stage: OnStage) -> Outcome:
        self.read_names.append(job.name)
        try:
            decode_photo(job.path.read_bytes(), job.name)
        except Trouble as trouble:
            return Unread(trouble.key, dict(trouble.facts), str(trouble))
        for stage in ("locate", "rectify", "observe", "reconstruct", "report"):
            on_stage(stage)
        self.may_end.wait(60)
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome

    def close(self) -> None:
        self.may_end.set()


@dataclass
class HandHeldCamera:
    """Gives a new still each time, or the trouble it was given."""

    trouble: Trouble | None = None
    condition: str = "fresh"
    taken: int = 0
    known: dict[str, Any] = field(default_factory=dict)

    def state(self) -> CameraState:
        return CameraState("hand", self.condition, "none", "Well.", "", 0.1, 0)  # type: ignore[arg-type]

    def facts(self) -> Facts | None:
        return None

    def latest_preview(self) -> Preview | None:
        if not self.taken:
            return None
        return Preview(jpeg(1), np.zeros((48, 64), np.uint8), 0.0, 100.0, 0.0)

    def next_preview(self, after_s: float, wait_s: float) -> Preview | None:
        return self.latest_preview()

    def still(self, deadline_s: float = 8.0) -> Still:
        if self.trouble is not None:
            raise self.trouble
        self.taken += 1
        return Still(jpeg(1000 + self.taken), (64, 48), 0.0, 0.0, True, self.known)

    def close(self) -> None:
        return None


@dataclass
class TableTop:
    """One service and its parts."""

    app: FastAPI
    assembly: Assembly
    reader: KnowingReader
    camera: HandHeldCamera
    client: httpx2.Client

    @property
    def store(self) -> Store:
        return self.assembly.frames.store

    @property
    def pairing(self) -> Pairing:
        return self.assembly.access.pairing

    @property
    def clock(self) -> Clock:
        return self.assembly.access.clock

    @property
    def events(self) -> LiveEvents:
        return self.assembly.frames.events

    @property
    def outbox(self) -> Outbox:
        return self.assembly.listeners.outbox

    @property
    def lenses(self) -> LensDesk:
        return self.assembly.setup.lenses

    @property
    def blurring(self) -> Blurring:
        return self.assembly.setup.blurring

    @property
    def decks(self) -> KeptDecks:
        return self.assembly.setup.setup.decks

    def upload(self, data: bytes | None = None, name: str = "a.jpg", **headers: str) -> Any:
        files = {"photo": (name, jpeg() if data is None else data, "image/jpeg")}
        return self.client.post(f"{API}/frames", files=files, headers={**WRITE, **headers})

    def frame(self, seed: int = 0) -> str:
        answer = self.upload(jpeg(seed))
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    def get(self, path: str, **headers: str) -> Any:
        return self.client.get(f"{API}{path}", headers=headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.client.post(f"{API}{path}", json=body, headers={**WRITE, **headers})

    def put(self, path: str, body: Any) -> Any:
        return self.client.put(f"{API}{path}", json=body, headers=WRITE)

    def delete(self, path: str) -> Any:
        return self.client.delete(f"{API}{path}", headers=WRITE)

    def correct(self, frame: str, version: int, **correction: Any) -> Any:
        body = {"version": version, "correction": correction}
        return self.post(f"/frames/{frame}/corrections", body)


@contextlib.contextmanager
def table_top(
    folder: Path,
    network: bool = False,
    stream_s: float = 0.3,
    serve: bool = False,
    with_spare: bool = False,
    blur: bool = False,
    pictures: PictureMaker | None = None,
    lookout: Lookout | None = None,
) -> Iterator[TableTop]:
    """`serve`: on a real port, in a thread of its own; `with_spare`: and a second reader; `blur`:
    what lies round the table, as long as nobody has chosen.
    """
    settings = ServiceSettings(
        published_deck(), network=network, hosts=("rig.local",), stream_s=stream_s
    )
    store = Store(folder, reserve_bytes=0)
    reader, camera = KnowingReader(), HandHeldCamera()
    spare = KnowingReader() if with_spare else None
    outside = Outside(reader, spare, pictures=pictures, camera=camera, lookout=lookout, blur=blur)
    assembly = assemble(settings, store, outside)
    app = create_app(assembly)
    try:
        if serve:
            with (
                served(app) as url,
                httpx2.Client(base_url=url, timeout=60, verify=NO_TLS) as client,
            ):
                yield TableTop(app, assembly, reader, camera, client)
        else:
            base = "http://rig.local:8000"
            with TestClient(app, base_url=base, raise_server_exceptions=False) as client:
                yield TableTop(app, assembly, reader, camera, client)
    finally:
        store.close()
        assembly.listeners.outbox.close()


@contextlib.contextmanager
def served(app: FastAPI) -> Iterator[str]:
    """The app on a free port of this machine: its address."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(
        uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=2, http=GuardedProtocol)
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
        listener.close()
