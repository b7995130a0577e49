"""One server and one Chromium for all browser tests."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

from tests.chromium import chromium as started
from tests.site import START, Server

expect.set_options(timeout=30_000)  # ms; machines are slow at times

ALIKE = (
    "import secrets; secrets.randbits = lambda bits: 9; "
    f"from atoll.web.live import analysing; analysing.WORLDS = 10; {START}"
)
"""Starts a site that deals all tables of a game alike, where bots choose alike among equals: what a test meets there
does not hang on chance. Finished games are analysed in few worlds.
"""

DESKTOP = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}


LONG = ("whole_games", "everyone", "sizes", "workshop", "lessons", "playing", "cast_away", "karuba")
"""Files of tests of which many take several seconds."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long ones before the rest of this folder: at the end of a run one worker would be at such a test while the other
    waits.
    """
    files = [f"test_{name}.py" for name in LONG]

    def place(item: pytest.Item) -> int:
        if Path(__file__).parent not in item.path.parents:
            return 0
        return 1 + (files.index(item.path.name) if item.path.name in files else len(files))

    items.sort(key=place)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A site."""
    found = Server(tmp_path_factory.mktemp("browser-home"), start=ALIKE)
    try:
        yield found
        assert found.stop() == 0
        assert not found.errors
    finally:
        found.kill()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The system's Chromium."""
    with started(for_many_pages=True) as browser:
        yield browser


BAD = ("error", "warning", "assert")

MODULES = """
window.modules = {};
addEventListener("DOMContentLoaded", () => {
    for (const { href } of document.querySelectorAll("link[rel=modulepreload]")) {
        const name = href.split("/").at(-1).replace(".js", "");
        import(href).then((module) => (window.modules[name] = module));
    }
});
"""
"""Gives tests the modules of the site's script by name."""

Open = Callable[..., BrowserContext]


@pytest.fixture
def open_browser(chromium: Browser, server: Server) -> Iterator[Open]:
    """Opens a browser of its own: cookies, language, size; an error or warning in its console fails the test."""
    contexts: list[BrowserContext] = []
    problems: list[str] = []

    def open_one(
        size: dict[str, int] = DESKTOP, forgive: str | tuple[str, ...] = (), **settings: object
    ) -> BrowserContext:
        def hear(message: ConsoleMessage) -> None:
            forgiven = (forgive,) if isinstance(forgive, str) else forgive
            if message.type in BAD and not any(text in message.text for text in forgiven):
                problems.append(message.text)

        usual = {"base_url": server.address, "locale": "en-GB", "reduced_motion": "reduce"}
        context = chromium.new_context(viewport=size, **usual | settings)  # type: ignore[arg-type]
        context.set_default_timeout(90_000)
        context.add_init_script(MODULES)
        context.on("weberror", lambda error: problems.append(str(error.error)))
        context.on("console", hear)
        contexts.append(context)
        return context

    yield open_one
    for context in contexts:
        context.close()
    assert not problems


@pytest.fixture
def page(open_browser: Open) -> Page:
    """A page of one browser."""
    return open_browser().new_page()
