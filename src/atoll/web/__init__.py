"""The site: `serving` (application, server, who may ask for what), `store` (the database), `table` (what is played
there), `live` (open pages and their sockets) and `pages` (what is drawn). Importing it does not import Numba.
"""

from pathlib import Path

STATIC = Path(__file__).parent / "static"
"""Stylesheets, pictures and scripts that are served as they are."""
TEMPLATES = Path(__file__).parent / "templates"
