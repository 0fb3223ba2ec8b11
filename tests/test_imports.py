"""The layers keep their direction: rig -> calibration, vision -> geometry, and no way back; beside
them rig -> simulator, which draws with nothing of the reader, and rig -> referee -> vision.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.import_graph import ROOT, modules_imported, sources

ALLOWED = {
    "geometry": frozenset[str](),
    "vision": frozenset({"geometry"}),
    "calibration": frozenset({"geometry", "vision"}),
    "simulator": frozenset({"geometry", "vision", "calibration"}),
    "referee": frozenset({"geometry", "vision"}),
    "rig": frozenset({"geometry", "vision", "calibration", "simulator", "referee"}),
    "measuring": frozenset({"geometry", "vision", "calibration", "simulator", "referee", "rig"}),
}
GEOMETRY_KNOWS_NOT = frozenset(
    {"cv2", "PIL", "time", "datetime", "socket", "sqlite3", "subprocess", "threading", "asyncio"}
)
VISION_KNOWS_NOT = frozenset({"PIL", "pathlib", "socket", "sqlite3", "subprocess", "asyncio"})
ONE_PLACE = ("picamera2", "fastapi", "paho")
SIMULATOR_KNOWS = frozenset({"vision.lens", "calibration.lens.lens_data"})
"""What the simulator may know of the reader: the form of a lens, which is no drawing."""
VALUES_KNOW_NOT = VISION_KNOWS_NOT | GEOMETRY_KNOWS_NOT - {"cv2"} | {"os", "io", "shutil"}
"""Neither the simulator nor the referee: no disk, no clock, no threads."""
READS_OR_SHOWS = frozenset({"open", "print", "input", "imread", "imwrite", "imshow"})
VISION_IN_ORDER = (
    "observe", "observing", "drawing", "model", "propose", "infer", "likelihood", "naming",
    "printing", "ordering", "finding", "locating", "settling", "heights", "over_cards", "doubting",
    "bare", "posterior", "together",
)  # fmt: skip
"""What the stages of `vision/` are made of: each knows those before it alone."""


def imported(source: str) -> Iterator[str]:
    """Top-level names a module imports."""
    return (name.split(".")[0] for name in modules_imported(source))


def names_in(package: str) -> set[str]:
    return {name for path in sources(package) for name in imported(path.read_text("utf-8"))}


def test_reads_imports_wherever_they_stand() -> None:
    source = "import a.b\ndef f():\n    from c.d import e\n    import g as h\n"
    assert set(imported(source)) == {"a", "c", "g"}


@pytest.mark.parametrize("package", ALLOWED)
def test_layers_import_downwards_only(package: str) -> None:
    assert sources(package), f"no sources under {package}"
    ours = names_in(package) & set(ALLOWED) - {package}
    assert ours <= ALLOWED[package]


def test_no_package_imports_the_tests() -> None:
    for package in ALLOWED:
        assert "tests" not in names_in(package)


def test_parts_of_the_reading_know_only_those_before_them() -> None:
    parts = {path.parent.name for path in (ROOT / "vision").glob("*/__init__.py")}
    assert parts == set(VISION_IN_ORDER)
    for i, part in enumerate(VISION_IN_ORDER):
        known = {
            name.split(".")[1]
            for path in sources(f"vision/{part}")
            for name in modules_imported(path.read_text("utf-8"))
            if name.startswith("vision.")
        }
        assert not known & set(VISION_IN_ORDER[i + 1 :]), part


def test_geometry_is_pure() -> None:
    assert not names_in("geometry") & GEOMETRY_KNOWS_NOT


def test_vision_touches_no_disk_network_or_processes() -> None:
    assert not names_in("vision") & VISION_KNOWS_NOT


def test_the_simulator_knows_a_lens_of_the_reader_and_nothing_else() -> None:
    for path in sources("simulator"):
        names = modules_imported(path.read_text("utf-8"))
        known = {name for name in names if name.split(".")[0] in ("vision", "calibration")}
        assert known <= SIMULATOR_KNOWS, path.name


@pytest.mark.parametrize("package", ["simulator", "referee"])
def test_values_alone_touch_no_disk_camera_or_clock_and_tell_nobody(package: str) -> None:
    assert not names_in(package) & VALUES_KNOW_NOT
    for path in sources(package):
        calls = [n.func for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Call)]
        called = {
            func.id if isinstance(func, ast.Name) else func.attr
            for func in calls
            if isinstance(func, ast.Name | ast.Attribute)
        }
        assert not called & READS_OR_SHOWS, path.name


@pytest.mark.parametrize("library", ONE_PLACE)
def test_imported_in_one_place(library: str) -> None:
    users = {
        path.relative_to(ROOT).as_posix()
        for package in ALLOWED
        for path in sources(package)
        if library in set(imported(path.read_text("utf-8")))
    }
    assert len(users) <= 1, f"{library} is imported in {sorted(users)}"


def test_a_rig_starts_without_what_starts_slowly() -> None:
    """Assignments are sought once a game is followed, sheets are drawn when somebody prints one."""
    code = "import sys, rig.service.running.run; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "rig.service.app" in loaded
    assert not loaded & {"scipy.optimize", "fpdf", "skimage", "pillow_heif"}


def test_scikit_image_is_imported_where_it_is_asked_as_it_starts_slowly() -> None:
    users = {
        path.relative_to(ROOT).as_posix()
        for package in ALLOWED
        for path in sources(package)
        if "skimage" in set(imported(path.read_text("utf-8")))
    }
    assert users == {"calibration/colour_difference.py"}
    tops = ast.parse((ROOT / "calibration/colour_difference.py").read_text("utf-8")).body
    statements = [ast.unparse(top) for top in tops if isinstance(top, ast.Import | ast.ImportFrom)]
    assert statements
    assert not any("skimage" in statement for statement in statements)
