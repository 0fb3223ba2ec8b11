"""Running the service: the store opened and checked, the camera and the reader started, served."""

import contextlib
import gc
import hashlib
import os
import socket
import ssl
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import uvicorn

from geometry.deck import Deck
from geometry.rules import Rules
from rig.cameras.camera import Camera
from rig.cameras.choice import choose_camera
from rig.cameras.live_camera import LiveCamera
from rig.service.access.routes import host_of
from rig.service.app import create_app
from rig.service.assembly import Assembly, Outside, assemble
from rig.service.frames.reader import SECONDS, ReaderProcess
from rig.service.frames.reader_process import READER
from rig.service.game.signalling import SignalLamp
from rig.service.http.connections import GuardedProtocol
from rig.service.http.limits import MOST_AT_BENCH
from rig.service.pictures.picture_maker import MakerBeside
from rig.service.running.log_lines import write_log
from rig.service.running.served import Served, saying
from rig.service.running.settings import ServiceSettings, own_names
from rig.service.running.watching import table_guard, watching
from rig.service.setup.kept_decks import KeptDecks
from rig.service.setup.kept_lens import KeptLens
from rig.store.store import Store, serving
from rig.table_lamp.gpio_lamp import GpioLamp
from rig.table_lamp.wiring import Wiring
from rig.trouble import SettingTrouble
from rig.watcher.watch_state import Habits

_FAREWELL_S = 5
BENCH_S = 240.0
"""A photo of cards for a deck takes a minute on a Pi 4."""
FEW_ARENAS = ("MALLOC_ARENA_MAX", "2")
"""Else each thread keeps memory of its own, which is never given back."""


class PortTaken(SettingTrouble, key="port-taken"):
    """Somebody else listens there, or this user may not."""


class TlsUnusable(SettingTrouble, key="tls-unusable"):
    """A certificate or key that nothing can be served with."""


@dataclass(frozen=True, slots=True)
class Tls:
    """The certificate and the key that the page is served over HTTPS with."""

    cert: Path
    key: Path

    def check(self) -> None:
        """TlsUnusable if nothing can be served with them."""
        try:
            # A password would be asked for at the terminal.
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(
                self.cert, self.key, password=lambda: ""
            )
        except (OSError, ValueError) as error:
            why = getattr(error, "reason", None) or getattr(error, "strerror", None) or error
            raise TlsUnusable(cert=self.cert, key_file=self.key, why=why) from error

    def fingerprint(self) -> str:
        """The SHA-256 of the certificate itself, as browsers show it."""
        pem = self.cert.read_text("utf-8", errors="replace")
        begin, end = ssl.PEM_HEADER, ssl.PEM_FOOTER
        first = f"{begin}{pem.partition(begin)[2].partition(end)[0]}{end}"
        digest = hashlib.sha256(ssl.PEM_cert_to_DER_cert(first)).hexdigest().upper()
        return ":".join(digest[at : at + 2] for at in range(0, len(digest), 2))


@dataclass(frozen=True, slots=True)
class Plan:
    """What to serve. `camera`: a word that names one (docs/cameras.md), or "none".

    `names`: further names to answer to. `reader` names the reading function.
    `by_itself`: a picture is taken when a round seems to be over; `capture`: one
    is taken at the start; `follow`: a game is followed from the start; `button`: at each press of
    the one on that pin. `backups`: the folder for backups, on a second disk. `deck_named`: play
    with `deck`, whatever was chosen on the page. `blur`: what lies round the table in a photo that
    was read, as long as nobody has chosen on the page. `seconds`: after which a reading looks for
    no more. `lamp`: how the lamp and the buzzer that follow the game are wired.
    """

    folder: Path
    deck: Deck
    rules: Rules
    lens: Mapping[str, Any] | None
    network: bool
    port: int
    camera: str
    names: tuple[str, ...] = ()
    by_itself: bool = False
    capture: bool = False
    follow: bool = False
    button: int | None = None
    reader: str = READER
    backups: Path | None = None
    tls: Tls | None = None
    deck_named: bool = False
    blur: bool = False
    seconds: float = SECONDS
    lamp: Wiring | None = None


def serve(plan: Plan, on_ready: Callable[[Assembly], None]) -> None:
    """Serve until a signal says stop. `on_ready` is called once the service is about to answer.

    StoreTrouble or SettingTrouble if it cannot start.
    """
    os.environ.setdefault(*FEW_ARENAS)  # for the processes that decode pictures
    if plan.tls is not None:
        plan.tls.check()
    with contextlib.ExitStack() as stack:
        stack.enter_context(serving(plan.folder))
        camera = stack.enter_context(_camera(plan.camera))
        lamp = None if plan.lamp is None else GpioLamp(plan.lamp)
        if lamp is not None:
            stack.callback(lamp.close)
        again: int | None = plan.port
        while again is not None:
            again = _served(replace(plan, port=again), camera, on_ready, lamp)
            plan, on_ready = replace(plan, capture=False, follow=False), _nothing_to_say


def _served(
    plan: Plan,
    camera: LiveCamera | None,
    on_ready: Callable[[Assembly], None],
    lamp: GpioLamp | None,
) -> int | None:
    """Serve until stopped; the port if it is to be served again, with another deck."""
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(_listener(plan))
        port = int(listener.getsockname()[1])
        store = Store(plan.folder)
        stack.callback(store.close)
        assembly = _assembly(plan, store, camera, port)
        stack.callback(assembly.listeners.outbox.close)
        if lamp is not None:
            assembly.game.followed.listeners.append(SignalLamp(lamp).hear)
        if camera is not None:
            habits = Habits(by_itself=plan.by_itself)
            stack.enter_context(
                watching(
                    assembly.frames, camera, habits, assembly.state.guard, plan.capture, plan.button
                )
            )
        if plan.follow:
            assembly.game.followed.set_up(following=True)
        settings = assembly.state.settings
        served = Served(host_of(settings), settings.port, settings.fingerprint)
        stack.enter_context(saying(plan.folder, served))
        on_ready(assembly)
        with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C, told on by uvicorn at the end
            _run(assembly, listener, plan.tls)
            return port if assembly.setup.again.is_asked else None
    return None


def _nothing_to_say(assembly: Assembly) -> None:
    """The address was said the first time."""
    del assembly


def _assembly(plan: Plan, store: Store, camera: Camera | None, port: int) -> Assembly:
    names = (*plan.names, *own_names()) if plan.network else plan.names
    deck = plan.deck if plan.deck_named else KeptDecks(plan.folder).chosen()
    reader, spare = (ReaderProcess(deck, plan.rules, plan.reader, plan.seconds) for _ in range(2))
    lens = plan.lens or KeptLens(plan.folder).document
    settings = ServiceSettings(
        deck,
        plan.rules,
        plan.lens,
        plan.network,
        port,
        names,
        fingerprint="" if plan.tls is None else plan.tls.fingerprint(),
        deck_named=plan.deck_named,
    )
    outside = Outside(
        reader,
        spare,
        pictures=MakerBeside(),
        bench=MakerBeside("tacta-setup", BENCH_S, MOST_AT_BENCH),
        camera=camera,
        guard=None if camera is None else table_guard(plan.folder, lens),
        backups=plan.backups,
        blur=plan.blur,
    )
    return assemble(settings, store, outside)


def _run(assembly: Assembly, listener: socket.socket, tls: Tls | None) -> None:
    write_log()
    config = uvicorn.Config(
        create_app(assembly),
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        http=GuardedProtocol,
        ws="none",
        log_config=None,
        timeout_graceful_shutdown=_FAREWELL_S,
        ssl_certfile=None if tls is None else tls.cert,
        ssl_keyfile=None if tls is None else tls.key,
    )
    server = _Server(config, assembly)
    # Looking through all that was imported takes the collector a tenth of a second; it stays.
    gc.freeze()
    server.run(sockets=[listener])


class _Server(uvicorn.Server):
    """Ends the streams of events when told to stop, or they would hold it up."""

    def __init__(self, config: uvicorn.Config, assembly: Assembly) -> None:
        super().__init__(config)
        self._events = assembly.frames.events
        assembly.setup.again.stop = self._stop

    def _stop(self) -> None:
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._events.close()
        await super().shutdown(sockets)


def _listener(plan: Plan) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("0.0.0.0" if plan.network else "127.0.0.1", plan.port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise PortTaken(port=plan.port, why=error.strerror or error) from error
    return listener


@contextlib.contextmanager
def _camera(word: str) -> Iterator[LiveCamera | None]:
    if word == "none":
        yield None
        return
    camera = LiveCamera(choose_camera(word))
    try:
        yield camera
    finally:
        camera.close()
