"""How many bytes does a table's first load cost?

`python -m bench.first_load`.

A browser that has nothing of the site opens a new table of each game. Printed are the bytes on the wire, headers and
compression included, and the bodies as they are unpacked and compressed alike, each beside what the same load took at
145ab28, before there was anything for people: names, talk, clocks, tries, history, being told.
"""

import argparse
import gzip
import tempfile

from playwright.sync_api import Browser, Response

from tests.chromium import chromium
from tests.site_process import serving
from tests.visitors import Visitor

BEFORE = {
    "costa-ruana": (392_072, 387_231, 42_175),
    "karuba": (183_820, 179_453, 33_070),
    "cast-away": (291_786, 287_418, 45_187),
}
"""At 145ab28, measured in the same way: on the wire, bodies, and bodies compressed one by one."""


def measure(browser: Browser, address: str) -> tuple[int, int, int]:
    """Open a page with nothing cached until nothing more is asked for."""
    context = browser.new_context()
    page = context.new_page()
    tools = context.new_cdp_session(page)
    tools.send("Network.enable")
    wire: dict[str, int] = {}
    addresses: set[str] = set()
    tools.on("Network.responseReceived", lambda event: addresses.add(event["requestId"]))
    tools.on(
        "Network.loadingFinished", lambda event: wire.update({event["requestId"]: event["encodedDataLength"]})
    )
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto(address)
    page.wait_for_load_state("networkidle")
    bodies = [answer.body() for answer in answers]
    context.close()
    sizes = sum(map(len, bodies)), sum(len(gzip.compress(body, 6)) for body in bodies)
    return sum(size for request, size in wire.items() if request in addresses), *sizes


def main() -> None:
    """Measure and print."""
    argparse.ArgumentParser(
        prog="python -m bench.first_load",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    ).parse_args()
    with (
        tempfile.TemporaryDirectory() as home,
        serving(home, cached=True) as address,
        chromium() as browser,
    ):
        visitor = Visitor(address)
        for game, before in BEFORE.items():
            now = measure(browser, address + visitor.post("/tables", game=game))
            rows = zip(("on the wire", "bodies", "bodies compressed"), now, before, strict=True)
            figures = (f"{name} {size:,} bytes, {size / old:.3f} times" for name, size, old in rows)
            print(f"{game}: {'; '.join(figures)}", flush=True)


if __name__ == "__main__":
    main()
