"""How long does a click take until the new board is on the screen?

`python -m bench.click` plays whole games in Chromium.

From the click's own time stamp (when the browser got the press, before any script ran) until the next position stands
in the page, and to the end of the browser's work on the first frame that shows it: script, style, layout and paint.
That frame waits for the screen, up to 17 ms at 60 a second. Prints the median and the 95th percentile in milliseconds,
of all clicks, of moves (a POST) and of choices of a part of a move (a GET), and of the stages between.

Played twice: as a hand presses, which comes to rest on a thing and holds it down for a moment, and at once, as no hand
can.
"""

import argparse
import random
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Locator, Page, Position, TimeoutError

from atoll.core.catalogue import games
from tests.browser.wrappers import let_wrap
from tests.chromium import chromium
from tests.site_process import serving

STAGES = ("click to question", "question to answer", "parse and morph", "style to paint")
"""What lies between the five moments that MEASURE notes."""

MEASURE = """() => {
  let press = null;
  const now = () => performance.now();
  // A task before all others, the log's drawing among them, comes after the frame's own work
  const endOfFrame = (then) => requestAnimationFrame(() => scheduler.postTask(then, { priority: "user-blocking" }));
  document.addEventListener("click", (event) => {
    const post = event.target.closest("form")?.method === "post";
    press = { post, moments: [event.timeStamp] };
  }, true);
  window.around = {};
  window.around.ask = (ask, ...given) => {
    if (press?.moments.length === 1) {
      press.moments.push(now());
      window.measured = new Promise((resolve) => (press.resolve = resolve));
    }
    return ask(...given);
  };
  window.around.show = (show, ...given) => {
    const answered = now();
    show(...given);
    if (press?.moments.length !== 2 || given[1]) return; // news
    const { post, moments, resolve } = press;
    press = null;
    moments.push(answered, now());
    endOfFrame(() => resolve([post, [...moments, now()]]));
  };
}"""

CONTROLS = "#table button.press:not(.entry):not(.about):not(#hint):not(#undo):not([aria-pressed=true])"

REST, HOLD = 100, 80
"""Milliseconds that a hand's pointer lies on a thing before it presses, and that it presses."""

BY_HAND = "as a hand presses"
MANNERS = (BY_HAND, "at once")

DRAWN = 200
"""Milliseconds after which a press is asked for what it took."""

AWAY = (2, 2)
"""Where the pointer lies between two presses, over nothing."""

COVERED = 3000
"""Milliseconds after which what is still covered is tried anew."""
TRIES = 20
"""Presses that may ask for nothing, one after the other, before it is given up."""
EDGE = 7
"""Pixels from a control's left edge to where it is pressed: of cards that overlap, the left edge shows."""

Press = tuple[bool, list[float]]
"""Whether it was a POST, and the moments (ms)."""


def play(page: Page, address: str, game: str, seed: int, *, hand: bool) -> list[Press]:
    """Play that game to its end at random, as a hand presses or at once; every press."""
    chance = random.Random(seed)
    page.goto(address)
    form = page.locator(f"form.new-table:has(#play-{game})")
    form.locator("details:not(.lessons) summary").click()
    form.locator("select[name=pace]").select_option("fast")
    form.get_by_role("button", name="Make this table").click()
    page.wait_for_selector("#table .bar.mine")
    page.evaluate(MEASURE)
    presses: list[Press] = []
    while True:
        page.wait_for_selector("#table .bar.mine, #table.over")
        if page.locator("#table.over").count():
            return presses
        for _ in range(TRIES):
            confirm = page.locator("#confirm")
            control = confirm if confirm.count() else chance.choice(page.locator(CONTROLS).all())
            if times := press(page, control, hand=hand):
                presses.append(times)
                break
        else:
            shown = Path(tempfile.gettempdir(), "atoll-click.png")
            page.screenshot(path=shown)
            raise SystemExit(f"{game}: {TRIES} presses asked for nothing; {shown} shows the page")


def press(page: Page, control: Locator, *, hand: bool) -> Press | None:
    """Press it and measure; None if nothing was asked: a card that glided past the pointer was raised over it.

    A hand asks the browser nothing before the new table is drawn: looking would take the drawing's time.
    """
    box = control.bounding_box()
    page.mouse.move(*AWAY)  # else what lies under it is raised and may cover what is pressed next
    position: Position | None = {"x": EDGE, "y": box["height"] / 2} if box else None
    page.evaluate("window.measured = null")
    try:
        if hand:
            control.hover(position=position, timeout=COVERED)
            page.wait_for_timeout(REST)
            page.mouse.down()
            page.wait_for_timeout(HOLD)
            page.mouse.up()
            page.wait_for_timeout(DRAWN)
        else:
            control.click(position=position, timeout=COVERED)
    except TimeoutError:
        return None
    times: Press | None = page.evaluate("window.measured")
    return times


def summary(times: list[float]) -> str:
    """Median and 95th percentile."""
    cuts = statistics.quantiles(times, n=20, method="inclusive")
    return f"p50 {cuts[9]:5.1f} ms   p95 {cuts[18]:5.1f} ms"


def report(title: str, presses: list[Press]) -> None:
    """Print what was measured."""
    for kinds, name in (((True, False), "clicks"), ((True,), "moves"), ((False,), "choices")):
        moments = [times for was_post, times in presses if was_post in kinds]
        if len(moments) < 2:
            continue
        print(f"{title}, {len(moments)} {name}:")
        spans = {"until painted": (0, 4), "until in the page": (0, 3)}
        spans |= {f"  {stage}": (number, number + 1) for number, stage in enumerate(STAGES)}
        for span, (first, last) in spans.items():
            print(f"    {span:22} {summary([times[last] - times[first] for times in moments])}")


def main() -> None:
    """Start a server of its own, play and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.click",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--games", type=int, default=2, help="games to play of each")
    parser.add_argument("--hand", action="store_true", help="only as a hand presses")
    parser.add_argument("--game", action="append", choices=list(games()), help="which game (all)")
    arguments = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as home,
        serving(home, cached=True) as address,
        chromium() as browser,
    ):
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        let_wrap(page, "requests", "ask")
        let_wrap(page, "update", "show")
        page.goto(address)
        for game in arguments.game or games():
            for manner in MANNERS[:1] if arguments.hand else MANNERS:
                presses = []
                for seed in range(arguments.games):
                    presses += play(page, address, game, seed, hand=manner == BY_HAND)
                report(f"{game}, {manner}", presses)


if __name__ == "__main__":
    main()
