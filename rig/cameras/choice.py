"""Which camera: from a word that a person gives, or the one that is there.

auto                      the Pi's camera, else a USB camera, else the simulated table
pi, pi:1                  the Raspberry Pi's camera, by number
usb, usb:1, /dev/video2   a USB camera; usb:0@1920x1080 names a size
rtsp://..., http://...    a network stream
folder:PATH               the newest photo in a folder
table, table:7            the simulated table, from that seed; table:7:held keeps it
game, game:7              a simulated game from that seed on, card by card, with its hands
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from rig.cameras.process import CameraChoice, CameraProcess
from rig.cameras.source import Json
from rig.cameras.trouble import CameraTrouble, CameraUnknown

KINDS = "auto, pi, usb, /dev/video0, rtsp://..., http://..., folder:PATH, table, game"
PYTHON_VARIABLE = "TACTA_CAMERA_PYTHON"
_SYSTEM_PYTHON = "/usr/bin/python3"
_MODEL = Path("/proc/device-tree/model")
_VIDEO = Path("/sys/class/video4linux")
_NO_WEBCAM = ("bcm2835", "rpi", "unicam", "rp1-cfe", "pisp", "hevc")
"""What the Pi's own video devices are called; none of them is a camera one could open."""
_PROBE_S = 15.0
_USB = re.compile(r"usb(?::(?P<number>\d+))?(?:@(?P<width>\d+)x(?P<height>\d+))?")
_GAME = re.compile(r"game(?::(?P<seed>\d+))?")
_TABLE = re.compile(r"table(?::(?P<seed>\d+))?(?P<held>:held)?")


def choose_camera(word: str) -> CameraChoice:
    """The camera that a word names. CameraUnknown if it names none."""
    if word == "auto":
        return next(_found(), _table("table"))
    for choose in (_pi, _usb, _network, _folder, _game, _table_or_none):
        choice = choose(word)
        if choice is not None:
            return choice
    raise CameraUnknown(camera=repr(word), kinds=KINDS)


def usb_devices() -> list[str]:
    """USB cameras that are plugged in, as paths under /dev, in the system's order."""
    devices = []
    for entry in sorted(_VIDEO.glob("video*"), key=lambda path: int(path.name[5:] or 0)):
        name = _text(entry / "name").lower()
        first = _text(entry / "index") in ("", "0")  # further ones carry no pictures
        if first and not name.startswith(_NO_WEBCAM):
            devices.append(f"/dev/{entry.name}")
    return devices


def pi_python() -> str | None:
    """A Python that has picamera2, None if none has.

    The system's comes first: libcamera's bindings are built for it and for its
    numpy, which is older than ours on bookworm.
    """
    named = os.environ.get(PYTHON_VARIABLE)
    if named:
        return named
    for python in (_SYSTEM_PYTHON, sys.executable):
        if Path(python).exists() and _has_picamera2(python):
            return python
    return None


def is_raspberry_pi() -> bool:
    """Whether this machine is a Raspberry Pi."""
    return _text(_MODEL).startswith("Raspberry Pi")


def _found() -> Iterator[CameraChoice]:
    if is_raspberry_pi():
        python = pi_python()
        pi = _pi("pi")
        if python is not None and pi is not None and _answers(pi):
            yield pi
    for device in usb_devices():
        usb = _usb(device)
        if usb is not None and _answers(usb):
            yield usb


def _answers(choice: CameraChoice) -> bool:
    try:
        process = CameraProcess(choice)
    except CameraTrouble:
        return False
    try:
        process.open(_PROBE_S, _PROBE_S)
    except CameraTrouble as trouble:
        # A camera in use is a camera: better to say so than to show a simulated table.
        return trouble.key in ("camera-busy", "camera-denied")
    finally:
        process.close()
    return True


def _pi(word: str) -> CameraChoice | None:
    found = re.fullmatch(r"pi(?::(\d+))?", word)
    if found is None:
        return None
    number = int(found[1] or 0)
    name = "the Pi's camera" if number == 0 else f"the Pi's camera {number}"
    arguments: dict[str, Json] = {"camera": name, "number": number}
    python = pi_python() or sys.executable
    return CameraChoice(name, "pi", "rig.cameras.pi:open_pi", arguments, python)


def _usb(word: str) -> CameraChoice | None:
    found = _USB.fullmatch(word)
    arguments: dict[str, Json]
    if word.startswith("/dev/"):
        name, device, size = f"the USB camera {word}", word, None
    elif found is not None:
        number = int(found["number"] or 0)
        devices = usb_devices()
        name = "the USB camera" if number == 0 else f"the USB camera {number}"
        device = devices[number] if number < len(devices) else f"/dev/video{number}"
        size = [int(found["width"]), int(found["height"])] if found["width"] else None
    else:
        return None
    arguments = {"camera": name, "device": device, "size_wh": size}
    return CameraChoice(name, "usb", "rig.cameras.stream:open_usb", arguments)


def _network(word: str) -> CameraChoice | None:
    parts = urlsplit(word)
    if parts.scheme not in ("rtsp", "rtsps", "http", "https") or not parts.hostname:
        return None
    # Names are shown and logged: a password in the address must not be.
    host = parts.netloc.rpartition("@")[2]
    name = f"the stream {urlunsplit((parts.scheme, host, parts.path, '', ''))}"
    arguments: dict[str, Json] = {"camera": name, "url": word}
    return CameraChoice(name, "stream", "rig.cameras.stream:open_network", arguments)


def _folder(word: str) -> CameraChoice | None:
    kind, _, path = word.partition(":")
    if kind != "folder" or not path:
        return None
    name = f"the folder {path}"
    arguments: dict[str, Json] = {"camera": name, "folder": str(Path(path).expanduser().resolve())}
    return CameraChoice(name, "folder", "rig.cameras.folder:open_folder", arguments)


def _game(word: str) -> CameraChoice | None:
    found = _GAME.fullmatch(word)
    if found is None:
        return None
    arguments: dict[str, Json] = {"camera": "the simulated game", "seed": int(found["seed"] or 0)}
    return CameraChoice("the simulated game", "game", "rig.cameras.game:open_game", arguments)


def _table_or_none(word: str) -> CameraChoice | None:
    return _table(word) if _TABLE.fullmatch(word) else None


def _table(word: str) -> CameraChoice:
    found = _TABLE.fullmatch(word)
    seed = int(found["seed"] or 0) if found else 0
    held = bool(found and found["held"])
    arguments: dict[str, Json] = {"camera": "the simulated table", "seed": seed, "held": held}
    factory = "rig.cameras.table:open_table"
    return CameraChoice("the simulated table", "table", factory, arguments)


def _has_picamera2(python: str) -> bool:
    probe = "import importlib.util as u, sys; sys.exit(u.find_spec('picamera2') is None)"
    try:
        done = subprocess.run([python, "-P", "-c", probe], timeout=_PROBE_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace").strip("\0\n ")
    except OSError:
        return ""
