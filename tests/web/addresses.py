"""Where the pages of the site lead."""

import re
from functools import cache
from typing import Any

from starlette.applications import Starlette
from starlette.routing import Match

_TAG = re.compile(r'<(a|form|link|img|script|button)\b[^>]*?(?:href|src|action|data-url)="/[^>]*>')
_ADDRESS = re.compile(r'(?:href|src|action|data-url)="(/[^"?#]*)')


def leading_nowhere(app: Any, html: str) -> list[str]:
    """The links and forms of a page whose address no handler of the site serves, with their methods."""
    found = set[tuple[str, str]]()
    for tag in _TAG.finditer(html):
        method = "POST" if tag[1] == "form" and 'method="post"' in tag[0] else "GET"
        found.update((method, address) for address in _ADDRESS.findall(tag[0]))
    return [f"{method} {address}" for method, address in sorted(found) if not is_served(app, method, address)]


@cache
def is_served(app: Starlette, method: str, address: str) -> bool:
    """Whether there is a handler for it."""
    scope = {"type": "http", "method": method, "path": address, "headers": []}
    return any(route.matches(scope)[0] is Match.FULL for route in app.routes)
