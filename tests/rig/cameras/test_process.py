"""The camera's process: another Python, what it says of what is wrong, and its end."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rig.cameras.child import serve
from rig.cameras.process import CameraChoice, CameraProcess
from rig.cameras.source import Json
from rig.cameras.trouble import (
    CameraBusy,
    CameraFailed,
    CameraMissing,
    CameraNotInstalled,
    CameraTrouble,
)
from tests.rig.processes.running import ROOT, ends, with_our_paths

STUB = """
class Picamera2:
    @staticmethod
    def global_camera_info():
        return {cameras}
    def __init__(self, number):
        try:
            raise RuntimeError("Failed to acquire camera: {why}")
        except RuntimeError as error:
            raise RuntimeError("Camera __init__ sequence did not complete.") from error
"""


def pi(**changes: object) -> CameraChoice:
    arguments = {"camera": "the Pi's camera", "number": 0}
    return CameraChoice("the Pi's camera", "pi", "rig.cameras.pi:open_pi", arguments, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("cameras", "why", "error"),
    [
        ([], "", CameraMissing),
        ([{"Model": "imx708"}], "Device or resource busy", CameraBusy),
        ([{"Model": "imx708"}], "Input/output error", CameraFailed),
    ],
)
def test_missing_busy_and_broken_are_told_apart(
    tmp_path: Path, cameras: list[object], why: str, error: type[CameraTrouble]
) -> None:
    (tmp_path / "picamera2.py").write_text(STUB.format(cameras=cameras, why=why), "utf-8")
    process = CameraProcess(pi(environment={"PYTHONPATH": str(tmp_path)}))
    with pytest.raises(error, match=why or "finds 0 cameras"):
        process.open(30, 10)
    process.close()


def test_an_extension_for_another_numpy(tmp_path: Path) -> None:
    fault = "raise ValueError('numpy.dtype size changed, may indicate binary incompatibility')"
    (tmp_path / "picamera2.py").write_text(fault, "utf-8")
    process = CameraProcess(pi(environment={"PYTHONPATH": str(tmp_path)}))
    with pytest.raises(CameraNotInstalled, match="leave numpy to the system"):
        process.open(30, 10)
    process.close()


def test_a_python_that_is_not_there() -> None:
    with pytest.raises(CameraNotInstalled, match="TACTA_CAMERA_PYTHON"):
        CameraProcess(pi(python="/nowhere/python3"))


@pytest.mark.slow
def test_a_process_that_is_at_work_ends_in_silence(capfd: pytest.CaptureFixture[str]) -> None:
    """A table that is being laid by another thread must not be torn apart by the end."""
    table: dict[str, Json] = {"camera": "the simulated table", "seed": 7}
    choice = CameraChoice("it", "table", "rig.cameras.table:open_table", table)
    for pause_s in (0.8, 1.1, 1.4, 1.55, 1.7):
        process = CameraProcess(choice)
        process.open(30, 10)
        time.sleep(pause_s)
        process.close()
    assert capfd.readouterr().err == ""


def test_a_process_to_which_nobody_listens_any_more_ends_in_silence() -> None:
    ours, theirs = socket.socketpair()
    ours.close()
    with theirs:
        serve(theirs)


def test_a_python_that_ends_at_once() -> None:
    process = CameraProcess(pi(python="/bin/false"))
    with pytest.raises(CameraTrouble):
        process.open(5, 5)
    assert process.spoilt
    process.close()


def test_another_python_gets_our_package_but_nothing_beside_it(tmp_path: Path) -> None:
    (tmp_path / "picamera2.py").write_text(
        "import sys, rig\n"
        "assert 'cv2' not in sys.modules and 'typer' not in sys.modules\n"
        "raise ImportError(','.join(sys.path) + '|' + rig.__path__[0])\n",
        "utf-8",
    )
    link = tmp_path / "python3"
    link.symlink_to(Path(sys.executable).resolve())
    process = CameraProcess(pi(python=str(link), environment={"PYTHONPATH": str(tmp_path)}))
    with pytest.raises(CameraNotInstalled) as caught:
        process.open(30, 10)
    process.close()
    assert str(ROOT / "rig") in str(caught.value)
    paths = str(caught.value.facts["why"]).split("|")[0].split(",")
    assert str(ROOT) not in paths
    assert not any("site-packages" in path and ".venv" in path for path in paths)


def test_the_process_ends_with_its_parent(tmp_path: Path) -> None:
    """Even killed outright, the parent leaves no process behind that holds the camera."""
    behaviour = tmp_path / "behaviour"
    behaviour.write_text("ok", "utf-8")
    program = f"""
import time
from rig.cameras.process import CameraChoice, CameraProcess
arguments = {{"camera": "it", "behaviour": {str(behaviour)!r}}}
factory = "tests.rig.cameras.fake_camera:open_fake"
process = CameraProcess(CameraChoice("it", "fake", factory, arguments))
process.open(30, 10)
print(process.pid, flush=True)
open({str(behaviour)!r}, "w").write("hang")
process.preview(100)
"""
    command = [sys.executable, "-c", program]
    parent = subprocess.Popen(command, stdout=subprocess.PIPE, env=with_our_paths(), text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    time.sleep(0.3)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    assert ends(child)
