"""Build the site of the documentation: `python -m docs.site`, or `make docs`.

Without a folder it is built into build/docs. Whatever Sphinx warns of is an error: a link that leads nowhere, a page
that no list leads to, a name of the reference that is not there.
"""

import sys
from pathlib import Path

from sphinx.cmd.build import main

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
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS.parent / "build" / "docs"
    status = build(out)
    if status == 0:
        print(f"Open {out / 'index.html'}.")
    sys.exit(status)
