"""Templates: compiled once on a machine (web/pages/templating.py)."""

import shutil
from pathlib import Path

import pytest
from jinja2 import Environment, Undefined, UndefinedError
from markupsafe import Markup, escape

from atoll.web.pages import templating

TEMPLATE = "refusal_line.html.jinja"


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


TEMPLATES = [
    "{{ _('Undo') }}|{{ _('Undo')|upper }}|{{ _('%(name)s (you)', name='<b>') }}",
    "{{ a.b }}{{ a.none }}{{ a.items()|list }}{{ a['b'] }}|{{ a.none is defined }}|{{ rows[0].x }}{{ rows[0].y }}",
    "[{{ 'yes' if a.b == 1 }}]{% if not ('yes' if a.none) %}no{% endif %}[{{ 'a' if a.none else 'b' }}]",
    "{% macro m(x, y='<', z=None) %}{{ x }}{{ y }}{{ z }}{% endmacro %}{{ m(1) }}{{ m(1, 2) }}{{ m(y=a.b, x='&') }}",
    "{% macro m(x) %}{{ x is defined }}{% endmacro %}{{ m() }}{{ m(*[1]) }}{{ m(**{'x': 2}) }}",
    "{% macro m(x) %}<p>{{ caller() }}{{ x }}</p>{% endmacro %}{% call m(a.b) %}<b>{{ a.b }}</b>{% endcall %}",
    "{% macro m() %}{{ varargs|list }}{{ kwargs }}{% endmacro %}{{ m(1, b=2) }}",
    "{% for row in rows %}{{ loop.index }}{{ row.x }}{{ ', ' if not loop.last }}{% endfor %}",
    "{{ rows|map(attribute='x')|sum }}",
]


@pytest.mark.parametrize("template", TEMPLATES)
def test_templates_say_what_jinja_says(template: str) -> None:
    """The code that we write for them is quicker and means the same."""
    plain = Environment(autoescape=True)
    plain.globals["_"] = lambda text, **values: Markup(text) % values if values else Markup(text)
    given = {"a": {"b": 1, "items": 2}, "rows": [{"x": 3}, {"x": 4}]}
    wanted = plain.from_string(template).render(given)
    assert templating.environment("en").from_string(template).render(given) == wanted


@pytest.mark.parametrize(
    ("template", "wrong"),
    [
        ("{% macro m(x) %}{% endmacro %}{{ m(1, 2) }}", TypeError),
        ("{% macro m(x) %}{% endmacro %}{{ m(z=2) }}", TypeError),
        ("{{ a.none.more }}", UndefinedError),
        ("{{ nothing() }}", UndefinedError),
    ],
)
def test_what_jinja_refuses_is_refused(template: str, wrong: type[Exception]) -> None:
    with pytest.raises(wrong):
        templating.environment("en").from_string(template).render(a={})


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
    for module in ("regions", "template_code"):
        other = tmp_path / f"{module}.py"
        other.write_text("other code")
        monkeypatch.setattr(f"atoll.web.pages.{module}.__file__", str(other))
        assert compiles(monkeypatch)
        assert not compiles(monkeypatch)


def test_a_template_that_cannot_be_kept_is_drawn(folder: Path) -> None:
    """Somebody may empty the cache while the site runs."""
    found = templating.environment.__wrapped__("en")
    shutil.rmtree(folder)
    found.get_template(TEMPLATE)
    assert not folder.exists()
