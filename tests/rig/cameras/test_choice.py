"""Which camera a word names, and which is taken where none is named."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rig.cameras import choice
from rig.cameras.choice import choose_camera, pi_python, usb_devices
from rig.cameras.trouble import CameraUnknown


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without cameras, whose files can be made up."""
    monkeypatch.setattr(choice, "_MODEL", tmp_path / "model")
    monkeypatch.setattr(choice, "_VIDEO", tmp_path / "video4linux")
    monkeypatch.delenv(choice.PYTHON_VARIABLE, raising=False)
    return tmp_path


def plug_in(machine: Path, number: int, name: str, index: int = 0) -> None:
    folder = machine / "video4linux" / f"video{number}"
    folder.mkdir(parents=True)
    (folder / "name").write_text(f"{name}\n", "utf-8")
    (folder / "index").write_text(f"{index}\n", "utf-8")


@pytest.mark.parametrize(
    ("word", "kind", "arguments"),
    [
        ("pi", "pi", {"number": 0}),
        ("pi:1", "pi", {"number": 1}),
        ("usb", "usb", {"device": "/dev/video0", "size_wh": None}),
        ("usb:3", "usb", {"device": "/dev/video3"}),
        ("usb:0@1920x1080", "usb", {"size_wh": [1920, 1080]}),
        ("/dev/video2", "usb", {"device": "/dev/video2"}),
        ("rtsp://cam.local/1", "stream", {"url": "rtsp://cam.local/1"}),
        ("http://10.0.0.2:8080/video", "stream", {"url": "http://10.0.0.2:8080/video"}),
        ("folder:/srv/photos", "folder", {"folder": "/srv/photos"}),
        ("table", "table", {"seed": 0, "held": False}),
        ("table:7", "table", {"seed": 7, "held": False}),
        ("table:7:held", "table", {"seed": 7, "held": True}),
        ("game", "game", {"seed": 0}),
        ("game:12", "game", {"seed": 12}),
    ],
)
def test_words(machine: Path, word: str, kind: str, arguments: dict[str, object]) -> None:
    chosen = choose_camera(word)
    assert chosen.kind == kind
    assert {key: chosen.arguments[key] for key in arguments} == arguments
    assert chosen.arguments["camera"] == chosen.name


@pytest.mark.parametrize("word", ["", "webcam", "usb:x", "folder:", "http://", "table:x", "pi:"])
def test_other_words_are_refused_with_what_to_say(machine: Path, word: str) -> None:
    with pytest.raises(CameraUnknown, match=r"folder:PATH"):
        choose_camera(word)


def test_a_password_is_not_shown() -> None:
    chosen = choose_camera("rtsp://anna:secret@cam.local:554/one?token=hidden")
    assert chosen.name == "the stream rtsp://cam.local:554/one"
    assert chosen.arguments["url"] == "rtsp://anna:secret@cam.local:554/one?token=hidden"


def test_finds_webcams_and_nothing_else(machine: Path) -> None:
    assert usb_devices() == []
    plug_in(machine, 10, "bcm2835-codec-decode")
    plug_in(machine, 2, "HD Pro Webcam C920")
    plug_in(machine, 3, "HD Pro Webcam C920", index=1)
    plug_in(machine, 20, "rpivid")
    plug_in(machine, 12, "Second Camera")
    assert usb_devices() == ["/dev/video2", "/dev/video12"]
    assert choose_camera("usb:1").arguments["device"] == "/dev/video12"


def test_the_simulated_table_is_the_default(machine: Path) -> None:
    assert choose_camera("auto").kind == "table"


def test_a_webcam_that_does_not_answer_is_passed_over(machine: Path) -> None:
    plug_in(machine, 77, "Webcam that was unplugged just now")
    assert choose_camera("auto").kind == "table"


def test_the_pi_camera_comes_first(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (machine / "model").write_text("Raspberry Pi 5 Model B Rev 1.0\0", "utf-8")
    plug_in(machine, 0, "Webcam")
    monkeypatch.setattr(choice, "_answers", lambda _: True)
    monkeypatch.setattr(choice, "pi_python", lambda: sys.executable)
    assert choose_camera("auto").kind == "pi"
    monkeypatch.setattr(choice, "_answers", lambda chosen: chosen.kind != "pi")
    assert choose_camera("auto").kind == "usb"
    (machine / "model").unlink()
    monkeypatch.setattr(choice, "_answers", lambda _: True)
    assert choose_camera("auto").kind == "usb"


def test_the_python_with_picamera2(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "_has_picamera2", lambda python: True)
    assert pi_python() == "/usr/bin/python3"
    monkeypatch.setattr(choice, "_has_picamera2", lambda python: python == sys.executable)
    assert pi_python() == sys.executable
    monkeypatch.setattr(choice, "_has_picamera2", lambda python: False)
    assert pi_python() is None
    monkeypatch.setenv(choice.PYTHON_VARIABLE, "/opt/python")
    assert pi_python() == "/opt/python"
