"""What tests do at a table: make one, find what can be pressed, play on."""

import random
from collections.abc import Callable
from typing import Any

from playwright.sync_api import FilePayload, Locator, Page, expect

CONTROLS = "#main button.press:not(.about):not([aria-pressed=true])"
"""Whatever moves a game on but the bar's button."""

SHOWN = "`${document.getElementById('table').dataset.version} ${modules.table.page.address.href}`"
"""What the page shows: the version of the table, and what is chosen; its address in the browser follows later."""

Look = Callable[[Page], None]
Press = Callable[[Page, Locator], None]


def post_table(
    page: Page,
    *,
    players: int = 4,
    pace: str = "at once",
    game: str = "costa-ruana",
    **fields: str,
) -> str:
    """Make a table as the start page's form does and return its address; where `fields` say nothing of the other seats,
    bots sit there that do not have to think.
    """
    others = {f"seat{seat}": "bot:greedy" for seat in range(1, players)}
    form: dict[str, str | float | bool] = {
        "game": game,
        "players": str(players),
        "pace": pace,
        **others,
        **fields,
    }
    made = page.request.post("/tables", form=form)
    assert made.ok, made.text()
    return made.url


def make_table(page: Page, **fields: Any) -> str:
    """Make a table so, go there and return its address."""
    page.goto(post_table(page, **fields))
    return page.url


def fill_in_form(
    page: Page, *, players: int, game: str, file: FilePayload | None = None, **fields: str
) -> str:
    """Make a table with the start page's form, with a waiting room first and bots that move at once, and with a
    components file if there is one; returns its address.
    """
    page.goto("/")
    form = page.locator("form.new-table").filter(has=page.locator(f"input[name=game][value={game}]"))
    form.locator("details.options:not([open]) > summary").click()
    form.locator("select[name=players]").select_option(str(players))
    form.locator("select[name=pace]").select_option("at once")
    form.locator("input[name=wait]").check()
    for name, chosen in fields.items():
        form.locator(f"select[name={name}]").select_option(chosen)
    if file:
        form.locator("input[name=file]").set_input_files(file)
    form.get_by_role("button", name="Make this table").click()
    page.wait_for_url("**/tables/*")
    return page.url


def version(page: Page) -> int:
    """The version of the table that the page shows."""
    return int(page.locator("#table").get_attribute("data-version") or -1)


def wait_for_turn(page: Page) -> bool:
    """Wait until something is asked of the page's seat; False if the game is over."""
    page.wait_for_selector("#table .bar.mine, #table.over")
    return page.locator("#table.over").count() == 0


def click(page: Page, found: Locator) -> None:
    """Press with the mouse."""
    found.click()


def tap(page: Page, found: Locator) -> None:
    """Press with a finger, where the thing is on the screen without scrolling sideways."""
    found.tap()
    wide = "[document.documentElement, document.getElementById('main')].some((box) => box.scrollWidth > innerWidth)"
    assert not page.evaluate(wide)


def wait_for_the_log(page: Page) -> None:
    """Wait until what is drawn a frame after the rest is there: the log, and what is announced of it."""
    page.evaluate("new Promise((drawn) => modules.motion.afterFrame(drawn))")


def press_anything(page: Page, chance: random.Random, press: Press) -> None:
    """Press one of the things that can be pressed, the bar's button first, and wait until something came of it.

    Not of what others did meanwhile: until the page has its own answer.
    """
    *before, controls = page.evaluate(f"""[
        {SHOWN}, modules.requests.questions,
        document.getElementById("confirm") ? 0 : document.querySelectorAll("{CONTROLS}").length,
    ]""")
    found = page.locator(CONTROLS).nth(chance.randrange(controls)) if controls else page.locator("#confirm")
    press(page, found)
    page.wait_for_function(
        f"""([shown, asked]) => {{
            const {{ requests, socket }} = modules;
            return requests.questions > asked && socket.pending.size === 0 && {SHOWN} !== shown;
        }}""",
        arg=before,
    )


def decide(page: Page, chance: random.Random, press: Press = click) -> None:
    """Press at random until a move is carried out."""
    before = version(page)
    while version(page) == before:
        press_anything(page, chance, press)


def let_a_bot_finish(page: Page) -> None:
    """Let a bot that does not have to think play the rest of the game for the first seat."""
    address = page.url.partition("?")[0]
    put = page.request.post(f"{address}/bots", form={"seat": "0", "bot": "greedy"})
    assert put.ok, put.text()
    page.wait_for_selector("#table.over")


def play_out(
    page: Page, press: Press = click, seed: int = 1, look: Look | None = None, most: int | None = None
) -> int:
    """Play the game to its end, pressing at random; after `most` presses a bot does. Returns how many there were."""
    chance = random.Random(seed)
    presses = 0
    while wait_for_turn(page):
        if presses == most:
            let_a_bot_finish(page)
            break
        if look is not None:
            look(page)
        press_anything(page, chance, press)
        presses += 1
    expect(page.locator("#table.over")).to_be_visible()
    if look is not None:
        look(page)
    return presses
