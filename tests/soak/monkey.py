"""Does any press in Chromium fail, go unanswered or break the page?

`python -m tests.soak monkey --minutes 10`.

One to three people share a table with bots, in windows of different sizes, languages and colours. They press what can
be pressed, fill fields in, go back and on, and have two tabs of one seat. Prints what fails, cannot be pressed, is not
answered, scrolls sideways, loses the focus, jumps or differs between two tabs. Exit status 1 if there is any.
"""

import argparse
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from playwright.sync_api import Browser, Error, Locator, Page

from atoll.core.catalogue import games
from atoll.web.table.names import LONGEST
from tests.browser.conftest import BAD, MODULES
from tests.chromium import chromium
from tests.examples.packages import EXAMPLES, paths
from tests.site import Server
from tests.soak.layout import SIZES

SCRIPT = Path(__file__).with_suffix(".js").read_text()
MOVES = "#main button.press:not([aria-pressed=true]), #confirm"
OPENERS = "[popovertarget]:visible, #open-talk:visible"
PRESSED = ":is(button, a, summary, input, select):visible"
OPENED = f":popover-open {PRESSED}"
ELSEWHERE = ("http", "/language")  # begin addresses that are not followed
TYPED = ("", "7", "Zoé & <b>", LONGEST * "M", 60 * "wide ")
KEYS = ("ArrowRight", "ArrowLeft", "ArrowDown", "Enter", "Enter", "Space", "Escape", "Home", "End")
ANOTHER_PAGE = "context was destroyed|navigat|ERR_ABORTED|attached|Download|interrupted|Timeout|defined|null"
WORDS = "e => `${e.localName}#${e.id} ${(e.ariaLabel || e.textContent).trim().slice(0, 40)}`"
found: set[str] = set()  # what is told once
PATIENCE = 6000  # ms until a press is answered, and until two tabs show the same


class Person:
    """A browser of somebody's, with one or two tabs."""

    def __init__(self, browser: Browser, address: str, chance: random.Random, out: Path | None) -> None:
        self.chance, self.out, self.table = chance, out, ""
        width, height = chance.choice(list(SIZES.values()))
        self.touches = min(width, height) < 500
        self.context = browser.new_context(
            base_url=address,
            viewport={"width": width, "height": height},
            has_touch=self.touches,
            locale=chance.choice(["en-GB", "fr-FR"]),
            color_scheme=chance.choice(["light", "dark"]),
            forced_colors=chance.choice(["none", "active"]),
        )
        self.context.set_default_timeout(PATIENCE)
        self.context.add_init_script(MODULES + SCRIPT)
        self.context.on("weberror", lambda error: self.note("error", str(error.error)))
        self.context.on("console", lambda said: self.note("console", said.text) if said.type in BAD else None)
        self.tabs = [self.context.new_page() for _ in range(chance.randint(1, 2))]
        self.context.request.get("/")
        if chance.random() < 0.5:
            self.context.request.post("/name", form={"name": LONGEST * "M"})

    def note(self, fault: str, what: str, page: Page | None = None) -> None:
        """Tell a fault, unless its like was told."""
        like = fault + re.sub(r"[\w-]{12}|\d+", "N", what[:80])
        if like in found or "status of 4" in what:  # a form was refused
            return
        found.add(like)
        page = page or self.tabs[0]
        print(f"{len(found)}. {fault}: {what} @ {page.url} {page.viewport_size}", flush=True)
        if self.out:
            page.screenshot(path=self.out / f"{len(found)}.png")

    def step(self) -> None:
        """Do something in one of the tabs, and look at what it shows then."""
        page, chance = self.chance.choice(self.tabs), self.chance
        page.bring_to_front()
        selector = chance.choices([MOVES, OPENERS, OPENED, PRESSED], [40, 8, 15, 10])[0]
        acts: list[Callable[[], object]] = [
            lambda: self.press(page, page.locator(selector)),
            lambda: self.by_keyboard(page),
            lambda: chance.choice([page.go_back, page.go_forward, page.reload])(wait_until="commit"),
            lambda: page.goto(self.table),
        ]
        chance.choices(acts, [70, 20, 4, 6])[0]()
        page.wait_for_load_state()
        if wide := page.evaluate("monkey.wide()"):
            self.note("scrolls sideways", wide, page)

    def press(self, page: Page, found: Locator) -> None:
        """Press one of these where it is seen, or fill it in."""
        if not (count := found.count()):
            return
        one = found.nth(self.chance.randrange(count))
        tag, kind, address = one.evaluate("e => [e.localName, e.type ?? '', e.getAttribute('href') ?? '']")
        if tag == "select":
            one.select_option(index=self.chance.randrange(one.locator("option").count()))
        elif kind == "text":
            one.fill(self.chance.choice(TYPED))
            one.press(self.chance.choice(["Enter", "Tab"]))
        elif tag != "input" and not address.startswith(ELSEWHERE):
            words, spot = one.evaluate(WORDS), one.evaluate("e => monkey.spot(e)")
            if not isinstance(spot, str):
                before = page.evaluate("monkey.where()")
                (page.touchscreen.tap if self.touches else page.mouse.click)(*spot)
                self.wait(page, words)
                after = page.evaluate("monkey.where()")
                if tag == "button" and after[1:] == before[1:] and abs(after[0] - before[0]) > 40:
                    self.note("jumps", f"{words} from {before[0]} to {after[0]}", page)
            elif spot:
                self.note("cannot be pressed", f"{words}: {spot}", page)

    def by_keyboard(self, page: Page) -> None:
        """Press a key on something that can have the focus, which then is somewhere."""
        found, key = page.locator(PRESSED), self.chance.choice(KEYS)
        one = found.nth(self.chance.randrange(max(1, found.count())))
        if (one.get_attribute("href") or "").startswith((*ELSEWHERE, "#")):  # the focus goes along to a place
            return
        one.focus()
        words = f"{key} on {one.evaluate(WORDS)}"
        page.evaluate("monkey.stays = true")
        page.keyboard.press(key)
        self.wait(page, words)
        if not page.evaluate("!monkey.stays || monkey.focused()"):  # another page begins anew
            self.note("loses the focus", words, page)

    def wait(self, page: Page, words: str) -> None:
        """Wait for the answer to a press and for the frames that show it."""
        page.wait_for_timeout(150)
        if not page.evaluate("monkey.idle()"):
            self.note("is not answered", words, page)
        page.wait_for_timeout(100)

    def compare(self) -> None:
        """The tabs of one seat come to show the same, as long as they are at one table."""
        for _ in range(PATIENCE // 200):
            shown = [one for one in (page.evaluate("monkey.shown()") for page in self.tabs) if one]
            if len({where for where, *_ in shown}) == len(shown) or shown[0] == shown[1]:
                return
            self.tabs[0].wait_for_timeout(200)
        self.note("tabs differ", str([pair for pair in zip(*shown, strict=True) if len({*pair}) > 1]))


def play(people: Sequence[Person], game: str, players: int, chance: random.Random, ends: float) -> None:
    """Sit down at a table with bots and press anything."""
    form: dict[str, str | float | bool] = {"game": game, "players": players, "pace": "at once", "seat0": "me"}
    form |= {f"seat{seat}": "friend" if seat < len(people) else "bot:greedy" for seat in range(1, players)}
    table = people[0].context.request.post("/tables", form=form).url
    for seat, person in enumerate(people):
        person.context.request.post(f"{table}/seats", form={"seat": seat})
        person.table = table
        for tab in person.tabs:
            tab.goto(table)
    for step in range(150):
        person = chance.choice(people)
        try:
            if time.monotonic() < ends:
                person.step()
            if step % 15 == 0:
                person.compare()
        except Error as error:
            if not re.search(ANOTHER_PAGE, str(error)):
                person.note("error", str(error))


def main() -> int:
    """Play until the time is over; 1 if something is found."""
    with tempfile.TemporaryDirectory() as folder:
        return press_anything(Path(folder))


def press_anything(folder: Path) -> int:
    """The same, with a site in that folder."""
    packages = paths(EXAMPLES, folder / "examples")
    sys.path += packages  # where the games of the examples are found
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak monkey",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--seed", type=int, default=1, help="of what is pressed")
    parser.add_argument("--games", nargs="+", choices=list(games()), default=list(games()), metavar="GAME")
    parser.add_argument("--out", type=Path, help="a folder that is there, for a picture of each fault")
    options = parser.parse_args()
    chance, ends, tables = random.Random(options.seed), time.monotonic() + 60 * options.minutes, 0
    with chromium(for_many_pages=True) as browser:
        site = Server(folder / "home", packages=packages)
        while time.monotonic() < ends:
            tables += 1
            game = chance.choice(options.games)
            players = chance.choice(games()[game].seats)
            count = chance.randint(1, min(players, 3))
            people = [Person(browser, site.address, chance, options.out) for _ in range(count)]
            play(people, game, players, chance, ends)
            for person in people:
                person.context.close()
        site.kill()
        print(site.errors, end="")
    print(f"{tables} tables, {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
