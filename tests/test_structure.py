"""How the sources lie: no circle of imports, no crowded room, nothing frozen that is written to."""

from __future__ import annotations

import ast
import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("geometry", "vision", "calibration", "simulator", "referee", "rig", "measuring")
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


def test_nothing_of_the_rig_stands_unused() -> None:
    """What a module defines is named in it or elsewhere in the program, be it in a text; what a
    decorator takes is used by it.
    """
    trees = {name: ast.parse(path.read_text("utf-8")) for name, path in sources().items()}
    nodes = {name: list(ast.walk(tree)) for name, tree in trees.items()}
    everywhere = {
        node.attr for one in nodes.values() for node in one if isinstance(node, ast.Attribute)
    }
    imported_names = {
        alias.name
        for one in nodes.values()
        for node in one
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    texts = "\n".join(
        node.value
        for one in nodes.values()
        for node in one
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    unused = {
        f"{module}: {name}"
        for module, tree in trees.items()
        if module.startswith(("rig.", "referee."))
        for name in defined(tree)
        - {node.id for node in nodes[module] if isinstance(node, ast.Name) and not stored(node)}
        - everywhere
        - imported_names
        if not re.search(rf"\b{re.escape(name)}\b", texts)
    }
    assert unused == {"rig.doctor.examination: CHECKS"}  # which the docs are compared with


def stored(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


def defined(tree: ast.Module) -> set[str]:
    """What a module defines at its top, without what it says of itself and what is decorated."""
    found = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            if not any(isinstance(one, ast.Call) for one in node.decorator_list) or isinstance(
                node, ast.ClassDef
            ):
                found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {one.id for one in targets if isinstance(one, ast.Name)}
    return found - {"__all__"}


def test_what_a_module_defines_is_found() -> None:
    source = "A = 1\nB: int = 2\n@dataclass(frozen=True)\nclass C: ...\n"
    source += "@app.get('/')\ndef d(): ...\ndef e(): ..."
    assert defined(ast.parse(source)) == {"A", "B", "C", "e"}
