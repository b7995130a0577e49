"""Templates: compiled once on a machine (web/pages/templating.py)."""

import shutil
from pathlib import Path

import pytest
from jinja2 import Environment, Undefined
from markupsafe import Markup, escape

from atoll.web.pages import templating

TEMPLATE = "progress.html.jinja"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where templates are kept, empty."""
    monkeypatch.setenv("ATOLL_HOME", str(tmp_path))
    return tmp_path / "cache" / "templates"


@pytest.mark.parametrize("value", ["a", "<&>\"'", Markup("<b>"), 7, True, None, 1.5, [1, "<"], Undefined()])
def test_what_is_shown_is_escaped_as_ever(value: object) -> None:
    assert templating.escaped(value) == escape(value)
    shown = templating.environment("en").from_string("{{ value }}{{ _('%(what)s!', what=value) }}")
    assert shown.render(value=value) == escape(value) + escape(value) + "!"


def compiles(monkeypatch: pytest.MonkeyPatch, language: str = "en") -> bool:
    """Whether a process that starts now compiles the template."""
    compiled: list[str | None] = []
    compile_template = Environment.compile

    def noted(self: Environment, source: str, name: str | None, filename: str | None) -> object:
        compiled.append(name)
        return compile_template(self, source, name, filename)

    with monkeypatch.context() as patch:
        patch.setattr(Environment, "compile", noted)
        templating.environment.__wrapped__(language).get_template(TEMPLATE)
    return compiled == [TEMPLATE]


def test_a_template_is_compiled_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For all languages."""
    assert compiles(monkeypatch)
    assert len(list(folder.iterdir())) == 1
    assert not compiles(monkeypatch)
    assert not compiles(monkeypatch, "fr")


def test_what_changes_how_templates_are_compiled_compiles_them_anew(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert compiles(monkeypatch)
    monkeypatch.setattr("jinja2.__version__", "another")
    assert compiles(monkeypatch)
    other = tmp_path / "parts.py"
    other.write_text("another tag")
    monkeypatch.setattr("atoll.web.pages.regions.__file__", str(other))
    assert compiles(monkeypatch)
    assert not compiles(monkeypatch)


def test_a_template_that_cannot_be_kept_is_drawn(folder: Path) -> None:
    """Somebody may empty the cache while the site runs."""
    found = templating.environment.__wrapped__("en")
    shutil.rmtree(folder)
    found.get_template(TEMPLATE)
    assert not folder.exists()
