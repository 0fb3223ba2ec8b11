"""How the sources lie: no circle of imports, no crowded room, nothing frozen that is written to."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("geometry", "vision", "calibration", "rig", "measuring")
MOST_FILES = 25
CROWDED = frozenset({"vision"})
"""Folders that hold more; none may be added."""


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def sources() -> dict[str, Path]:
    files = (path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    return {name_of(path): path for path in files}


def imported(source: str, modules: set[str]) -> set[str]:
    """Those of the modules that a source imports, wherever in it, for types alone too."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= inner & modules or {node.module}
    return found & modules


def test_no_import_goes_in_a_circle() -> None:
    modules = sources()
    names = set(modules)
    graph = {
        name: imported(path.read_text("utf-8"), names) - {name} for name, path in modules.items()
    }
    assert len(graph) > 300
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_imports_for_types_alone_count() -> None:
    source = "if TYPE_CHECKING:\n    from a.b import c, D\n"
    assert imported(source, {"a.b", "a.b.c"}) == {"a.b.c"}
    assert imported(source, {"a.b"}) == {"a.b"}


def test_no_folder_holds_more_than_twenty_five_files() -> None:
    folders = {path.parent for package in PACKAGES for path in (ROOT / package).rglob("*.*")}
    crowded = {
        str(folder.relative_to(ROOT))
        for folder in folders
        if folder.name != "__pycache__"
        and sum(one.is_file() for one in folder.iterdir()) > MOST_FILES
    }
    assert crowded <= CROWDED


def test_nothing_frozen_is_written_to() -> None:
    """But in the making of a value, where a frozen class has no other way."""
    for name, path in sources().items():
        for function in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(function, ast.FunctionDef) and function.name != "__post_init__":
                assert "object.__setattr__" not in ast.unparse(function), f"{name}: {function.name}"


def test_no_module_imports_from_a_test_file() -> None:
    """What tests share has modules of its own, so that a test file can be split or go."""
    found = [
        f"{path.relative_to(ROOT)}: {node.module}"
        for folder in ("tests", "measuring")
        for path in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").rpartition(".")[2].startswith("test_")
    ]
    assert found == []
