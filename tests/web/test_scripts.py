"""The site's script modules: which way they import each other."""

import posixpath
import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from atoll.web.pages.scripts import FOLDER

IMPORTED = re.compile(r'(?:\bfrom |\bimport\(|^import )"(\.{1,2}/[^"]+)"', re.MULTILINE)
"""What a module imports, at once or where it needs it."""


def imports(folder: Path) -> dict[str, set[str]]:
    """The modules that each module below a folder imports, by their names there."""
    found = {}
    for file in folder.rglob("*.js"):
        name = file.relative_to(folder).as_posix()
        named = IMPORTED.findall(file.read_text("utf-8"))
        found[name] = {posixpath.normpath(posixpath.join(posixpath.dirname(name), other)) for other in named}
    return found


def circle(folder: Path) -> list[str]:
    """Modules that import each other in a circle, if there are any."""
    try:
        TopologicalSorter(imports(folder)).prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


def test_script_modules_import_each_other_without_a_circle() -> None:
    found = imports(FOLDER)
    assert {"socket.js", "update.js", "later/chat.js"} <= found["main.js"] < found.keys()
    assert circle(FOLDER) == []


@pytest.mark.parametrize(
    "back",
    [
        'import { f } from "../top.js";\n',
        'import {\n  f,\n} from "../top.js";\n',
        'import "../top.js";\n',
        'export { f } from "../top.js";\n',
        'const f = () => import("../top.js").then(({ f }) => f());\n',
    ],
)
def test_a_circle_is_noticed(tmp_path: Path, back: str) -> None:
    (tmp_path / "later").mkdir()
    (tmp_path / "top.js").write_text('import("./later/low.js");\n')
    (tmp_path / "later" / "low.js").write_text("export const f = 0;\n")
    assert circle(tmp_path) == []
    (tmp_path / "later" / "low.js").write_text(back)
    assert sorted(set(circle(tmp_path))) == ["later/low.js", "top.js"]
