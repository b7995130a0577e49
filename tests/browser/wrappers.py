"""Functions of the site's script, wrapped for whoever measures or tests what they do."""

import re

from playwright.sync_api import Page, Route


def let_wrap(page: Page, module: str, name: str) -> None:
    """Let `window.around[name](function, ...given)`, where there is one, stand for an exported function of a module.

    It holds for pages that are opened later.
    """
    declared = re.compile(rf"^export (async )?function {name}\(", re.MULTILINE)
    wrapping = (
        f"export function {name}(...given) {{\n"
        f"  const around = window.around?.{name};\n"
        f"  return around ? around(plain_{name}, ...given) : plain_{name}(...given);\n"
        f"}}\n\\1function plain_{name}("
    )

    def rewrite(route: Route) -> None:
        answer = route.fetch()
        text, count = declared.subn(wrapping, answer.text())
        assert count == 1
        route.fulfill(response=answer, body=text)

    page.route(f"**/{module}.js", rewrite)
