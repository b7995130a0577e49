"""Build the site of the documentation: `python -m docs.site`, or `make docs`.

Without a folder it is built into build/docs. Whatever Sphinx warns of is an error: a link that leads nowhere, a page
that no list leads to, a name of the reference that is not there. The games of the tour are played and drawn then, which
takes a minute; `--without-tour` leaves them out.
"""

import sys
from pathlib import Path

from sphinx.cmd.build import main

from docs.site.tour import TOUR, write_game

DOCS = Path(__file__).parent.parent


def build(folder: Path) -> int:
    """Write the site into a folder; returns 0 unless something is wrong, which is said."""
    read = folder.parent / f"{folder.name}.read"
    options = [
        "--quiet",
        "--fail-on-warning",
        "--fresh-env",
        "--conf-dir",
        DOCS / "site",
        "--doctree-dir",
        read,
    ]
    return main([*map(str, options), str(DOCS), str(folder)])


if __name__ == "__main__":
    given = [word for word in sys.argv[1:] if word != "--without-tour"]
    out = Path(given[0]) if given else DOCS.parent / "build" / "docs"
    status = build(out)
    if status == 0 and len(given) == len(sys.argv) - 1:
        for name in TOUR:
            print(f"The tour: {name} ...", flush=True)
            write_game(name, out / "tour")
    if status == 0:
        print(f"Open {out / 'index.html'}.")
    sys.exit(status)
