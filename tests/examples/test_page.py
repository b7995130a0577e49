"""docs/adding-a-game.md teaches what `atoll new-game` writes: its code is that of this game or of an example, and all
rules of the former stand there.
"""

import ast
import re

from tests.examples.packages import EXAMPLES, ROOT, new_game, texts

PAGE = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def test_the_code_on_the_page_is_that_of_a_new_game_or_of_an_example() -> None:
    folders = (new_game("reef"), *EXAMPLES)
    written = [
        text.decode()
        for folder in folders
        for path, text in texts(folder).items()
        if path.endswith(("py", "toml"))
    ]
    shown = [code for language, code in BLOCKS if language in ("python", "toml")]
    assert len(shown) > 10
    for code in shown:
        assert any(code in text for text in written), code


def test_every_rule_of_a_new_game_is_on_the_page() -> None:
    rules = ast.parse((new_game("reef") / "src" / "reef" / "rules.py").read_text())
    for node in rules.body:
        if isinstance(node, ast.FunctionDef):
            assert f"def {node.name}(" in PAGE


def test_what_the_page_points_at_is_there() -> None:
    for file in re.findall(r"`((?:examples|docs)/[\w./-]+)`", PAGE):
        assert (ROOT / file).exists(), file
    for picture in re.findall(r"\]\((\S+\.png)\)", PAGE):
        assert (ROOT / "docs" / picture).is_file(), picture
    assert [folder.name for folder in EXAMPLES] == re.findall(r"`examples/([\w-]+)`", PAGE)


def test_the_page_counts_the_lines_of_the_examples() -> None:
    for name in ("privateers", "lantern-bay"):
        lines = sum(
            text.count(b"\n")
            for path, text in texts(ROOT / "examples" / name).items()
            if path.endswith(".py")
        )
        assert f"{name.replace('-', ' ').title()}, in {lines} lines of Python" in PAGE
