"""What does the analysis of a game cost, on the visitor's cores and on the server's?

`python -m bench.analysed --game karuba`: a game for four between bots is uploaded and analysed, in Chromium with
workers, and, with `--both`, in one that has no WebAssembly, so that the server does it all. Printed are the seconds
from the press to the analysis, and those of a processor that the server took; with `--both` what the pages tell has to
be the same. The load is that of the machine as it begins: the server and the browser share its cores.
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser

from atoll.bots import find_bot
from atoll.core.catalogue import find_game
from atoll.lab.played import Setup
from atoll.lab.recording import record_game
from tests.chromium import chromium
from tests.site_process import server

BOTS = ("greedy", "trained", "easy")
LONGEST = 3_600_000
"""Milliseconds after which an analysis is given up."""


def processor_seconds(process: int) -> float:
    """What a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def analysed(browser: Browser, address: str, process: int, record: str, *, here: bool) -> str:
    """What the page of the analysis tells in the end; prints what that took."""
    context = browser.new_context(base_url=address)
    context.set_default_timeout(LONGEST)
    if not here:
        context.add_init_script("delete globalThis.WebAssembly")
    page = context.new_page()
    page.goto("/history")
    page.set_input_files(
        "input[type=file]",
        {"name": "game.jsonl", "mimeType": "application/x-ndjson", "buffer": record.encode()},
    )
    page.locator("form:has(input[type=file])").evaluate("form => form.requestSubmit()")
    page.wait_for_url("**/records/*/back")
    page.goto(page.url.replace("/back", "/analysis"))
    load, began, used = os.getloadavg()[0], time.monotonic(), processor_seconds(process)
    page.locator("#analyse").click()
    page.wait_for_selector("#moments-heading")
    seconds, of_server = time.monotonic() - began, processor_seconds(process) - used
    where = "the visitor's" if here else "the server's"
    print(
        f"  on {where} cores: {seconds:.0f} s, of the server {of_server:.1f} s; load {load:.1f}", flush=True
    )
    told = page.locator("#main").inner_text()
    context.close()
    return told


def main() -> None:
    """Analyse games and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.analysed",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--game", default="costa-ruana")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--both", action="store_true", help="on the server's cores, too")
    settings = parser.parse_args()
    game = find_game(settings.game)
    setup = Setup(game, game.components(), settings.players, [find_bot(bot) for bot in BOTS], settings.seed)
    record, _ = record_game(setup, 0)
    print(f"{game.title}, {settings.players} players", flush=True)
    with (
        tempfile.TemporaryDirectory() as home,
        server(home, log=sys.stderr.fileno()) as (address, process),
        chromium() as browser,
    ):
        told = {
            analysed(browser, address, process, record, here=here)
            for here in ((True, False) if settings.both else (True,))
        }
    if len(told) > 1:
        sys.exit("the pages tell different things")


if __name__ == "__main__":
    main()
