"""Stylesheets and scripts as they are sent: what they say stays, they come compressed, and a table's are few."""

import gzip
import re
from html.parser import HTMLParser

import pytest

from atoll.web import STATIC
from atoll.web.pages.static_files import minified, minify_css, minify_script
from tests.web.conftest import Browser

MOST = {"costa-ruana": 97_900, "karuba": 99_000, "cast-away": 98_400}
"""Bytes of the modules and stylesheets of a table that is opened for the first time, unpacked and without the game's
drawings; at 145ab28 they were 98,377, 91,991 and 94,926. `python -m bench.first_load` measures all of it."""


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("/* a\n b */\n.a { color: red; }\n", ".a{color:red}\n"),
        (".a,\n.b > .c:is(.d, .e) {\n  margin: 0 auto;\n}\n", ".a,.b>.c:is(.d,.e){margin:0 auto}\n"),
        ('.a::after { content: "; {  } /"; }', '.a::after{content:"; {  } /"}\n'),
        (".a :hover, .b:has(> .c) { margin: -1px; }", ".a :hover,.b:has(>.c){margin:-1px}\n"),
        ("@media (max-width: 9px) { p { color: red } }", "@media (max-width:9px){p{color:red}}\n"),
        ("p { width: calc(100% - 2px); }", "p{width:calc(100% - 2px)}\n"),
        ('p { grid: "a  b" auto\n    "c d" auto; }', 'p{grid:"a  b" auto "c d" auto}\n'),
    ],
)
def test_a_stylesheet_loses_what_says_nothing(written: str, meant: str) -> None:
    assert minify_css(written) == meant


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("// a\n/** b\n * c */\nconst a = 1; // d\n\n  f(a);\n", "const a = 1;\nf(a);\n"),
        ('const a = "// b";\n', 'const a = "// b";\n'),
        ("const a = `http://${b}`; // c\n", "const a = `http://${b}`;\n"),
        ('f(a, // "b"\n', 'f(a, // "b"\n'),
    ],
)
def test_a_script_loses_comments_and_indentation(written: str, meant: str) -> None:
    assert minify_script(written) == meant


def test_no_script_of_ours_has_lines_in_quotes() -> None:
    """What stands between back quotes over several lines would lose its indentation."""
    for file in STATIC.rglob("*.js"):
        if file.parent.name != "vendor":
            for number, line in enumerate(file.read_text("utf-8").splitlines()):
                assert line.count("`") % 2 == 0, f"{file}:{number}"


def test_every_rule_of_a_stylesheet_is_closed_once() -> None:
    """A brace too many takes the rule after it away, and no browser says so."""
    for path in STATIC.parents[1].rglob("*.css"):
        depth = 0
        for brace in re.findall("[{}]", re.sub(r"/\*.*?\*/|\"[^\"]*\"", "", path.read_text(), flags=re.S)):
            depth += 1 if brace == "{" else -1
            assert depth >= 0, path
        assert depth == 0, path


def test_files_of_others_are_sent_as_they_are() -> None:
    for file in (STATIC / "vendor").glob("*.js"):
        assert minified(str(file), 0) == file.read_bytes()


def test_files_come_compressed_to_whoever_takes_that_and_once(browser: Browser) -> None:
    plain = browser.get("/static/site.css", headers={"Accept-Encoding": "identity"})
    packed = browser.get("/static/site.css", headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.content == plain.content
    assert int(packed.headers["content-length"]) == len(gzip.compress(plain.content, 9, mtime=0))
    assert packed.headers["vary"] == "Accept-Encoding"
    again = browser.get("/static/site.css", headers={"If-None-Match": packed.headers["etag"]})
    assert again.status_code == 304


class Named(HTMLParser):
    """The stylesheets and scripts that a page names."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.paths: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "script" and "src" in values:
            self.paths.add(values["src"])
        elif tag == "link" and values["rel"] in ("stylesheet", "modulepreload"):
            self.paths.add(values["href"])


@pytest.mark.parametrize("game", MOST)
def test_the_first_load_of_a_table_is_small(browser: Browser, game: str) -> None:
    html = browser.get(browser.make_table(game)).text
    named = Named(html).paths
    scripts = next(path for path in named if path.endswith("/main.js")).rpartition("/")[0]
    if 'name="atoll-drags"' in html:
        named.add(f"{scripts}/later/drag.js")
    assert not [path for path in named if "/later/" in path and "drag.js" not in path]
    loaded = sum(len(browser.get(path).content) for path in named if "drawings.css" not in path)
    assert loaded <= MOST[game]
    assert "/static/pages.css" not in named


def test_every_module_that_is_loaded_later_is_there(browser: Browser) -> None:
    html = browser.get("/").text
    scripts = next(path for path in Named(html).paths if path.endswith("/main.js")).rpartition("/")[0]
    asked = set()
    for file in (STATIC / "scripts").rglob("*.js"):
        folder = file.parent.relative_to(STATIC / "scripts").as_posix()
        for name in re.findall(r'(?:from |import\(|import )"(\.{1,2}/[^"]+)"', file.read_text("utf-8")):
            asked.add((f"{scripts}/{folder}/{name}").replace("/./", "/"))
    assert asked
    for path in asked:
        answer = browser.get(path)
        assert answer.status_code == 200, path
        assert answer.headers["cache-control"].endswith("immutable")
