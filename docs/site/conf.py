"""How Sphinx makes a site of the pages in docs/: `python -m docs.site`.

The pages are plain Markdown, which reads as well in an editor. Two things are added here while they are read: a page of
PAGES_OF_LINKS leads in the navigation to what its lists link to, and on the page of the reference each name of a list
becomes what its docstring says, with the example that stands below it.
"""

import re
from pathlib import Path
from textwrap import indent

import atoll
from atoll.core.catalogue import games

games()  # imports the package of that name, which takes the function's place for whoever looks at the module
vars(atoll)["games"] = games
DOCS = Path(__file__).parent.parent

project = "Atoll"
version = release = atoll.__version__
project_copyright = "the authors of Atoll, under the MIT licence"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["site"]
myst_heading_anchors = 4
nitpicky = False
highlight_language = "text"
default_role = "code"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
autodoc_class_signature = "separated"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
toc_object_entries = False

html_theme = "pydata_sphinx_theme"
html_title = "Atoll"
html_logo = str(DOCS.parent / "src" / "atoll" / "web" / "static" / "icon.svg")
html_favicon = html_logo
html_static_path = ["static"]
html_css_files = ["atoll.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_sidebars = {name: [] for name in ("index", "commands", "glossary")}
html_context = {"default_mode": "auto"}
html_theme_options = {
    "logo": {"text": "Atoll"},
    "header_links_before_dropdown": 5,
    "navbar_end": ["theme-switcher"],
    "navbar_persistent": ["search-button"],
    "secondary_sidebar_items": ["page-toc"],
    "show_toc_level": 2,
    "footer_start": ["copyright"],
    "footer_end": [],
    "back_to_top_button": False,
}

PAGES_OF_LINKS = {"index", "players", "designers", "researchers", "builders"}
"""The first page, and the one behind each of its doors."""
REFERENCE = "reference"


def linked_pages(text: str) -> list[str]:
    """The pages that a page's lists link to first in an entry, without their suffix, in their order."""
    return re.findall(r"^- \**\[[^\]]+\]\(([\w/-]+)\.md\)", text, re.MULTILINE)


def public_names(text: str) -> list[tuple[str, str]]:
    """Of the page of the reference, the module and name of each entry of its lists; `*` is the module itself."""
    return re.findall(r"^- `([a-z_.]+)\.([A-Za-z_]+|\*)`$", text, re.MULTILINE)


def directive(module: str, name: str, example: str) -> str:
    """What Sphinx is told to write of a public name, its example before its members."""
    what = getattr(__import__(module, fromlist=[name]), name)
    if isinstance(what, type):
        members = ":no-members:" if issubclass(what, Exception) else ":members:\n   :undoc-members:"
        lines = f".. autoclass:: {module}.{name}\n   {members}"
    elif callable(what):
        lines = f".. autofunction:: {module}.{name}"
    elif hasattr(what, "__path__") or hasattr(what, "__file__"):
        lines = f".. automodule:: {what.__name__}\n   :members: {', '.join(functions_of(what))}"
    else:
        lines = f".. autodata:: {module}.{name}\n   :no-value:"
    shown = indent(f".. code-block:: pycon\n\n{indent(example, '   ')}", "   ")
    return f"```{{eval-rst}}\n{lines}\n\n{shown}\n```"


def functions_of(module: object) -> list[str]:
    """The functions and classes that a module that is public as a whole defines itself."""
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", "") == module.__name__
        if callable(value)
    ]


def add_to_page(app: object, name: str, source: list[str]) -> None:
    text = source[0]
    if name in PAGES_OF_LINKS:
        depth = 1 if name == "index" else 2
        pages = "\n".join(linked_pages(text))
        source[0] = f"{text}\n\n```{{toctree}}\n:hidden:\n:maxdepth: {depth}\n\n{pages}\n```\n"
    elif name == REFERENCE:
        source[0] = re.sub(
            r"^- `([a-z_.]+)\.([A-Za-z_]+)`\n\n```pycon\n(.*?)^```$",
            lambda entry: directive(entry[1], entry[2], entry[3]),
            text,
            flags=re.MULTILINE | re.DOTALL,
        )


def setup(app) -> None:
    app.connect("source-read", add_to_page)
