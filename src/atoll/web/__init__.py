"""The site, in floors that import downward only.

`store` (the database), `table` (games at tables), `people` and `workshop`, `pages` (what is drawn), `live` (open pages,
bots that move), `serving` (application, server, requests). Importing it does not import Numba.
"""

from pathlib import Path

STATIC = Path(__file__).parent / "static"
"""Stylesheets, pictures and scripts that are served as they are."""
TEMPLATES = Path(__file__).parent / "templates"
