"""How long does it take from `make play` to a move in a game with two friends on one's network?

`python -m tests.soak newcomer`, in a checkout in which `make play` has been run before; needs Linux, root and `ip`.

A site starts as `make play` does. Its host, who reads only what is on the pages, lets others on the network join and
sends the link; two friends open it, each in a Chromium in a network namespace of its own, one with a phone in French.
They sit down, the game begins, and all three move. Prints when each of this was done, and how many presses it took.
"""

import argparse
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from playwright.sync_api import Playwright, expect, sync_playwright

from atoll.web.chromium import browser
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.test_newcomer import Presses, choose, have_moved, invite, take_seats
from tests.chromium import FLAGS

ROOT = Path(__file__).parents[2]
BRIDGE, NETWORK = "atoll-home", "10.77.0"
GUESTS = ("atoll-guest-1", "atoll-guest-2")


def ip(*arguments: str) -> None:
    """Change the networks of this machine."""
    subprocess.run(["ip", *arguments], check=True)


@contextmanager
def home_network() -> Iterator[None]:
    """A network with this machine and the namespaces of the guests."""
    with ExitStack() as undo:
        ip("link", "add", BRIDGE, "type", "bridge")
        undo.callback(ip, "link", "del", BRIDGE)
        ip("addr", "add", f"{NETWORK}.1/24", "dev", BRIDGE)
        ip("link", "set", BRIDGE, "up")
        for number, guest in enumerate(GUESTS, start=1):
            ip("netns", "add", guest)
            undo.callback(ip, "netns", "del", guest)
            ip("link", "add", f"{guest}-a", "type", "veth", "peer", "name", "eth0", "netns", guest)
            ip("link", "set", f"{guest}-a", "master", BRIDGE, "up")
            ip("-n", guest, "addr", "add", f"{NETWORK}.{10 + number}/24", "dev", "eth0")
            ip("-n", guest, "link", "set", "eth0", "up")
            ip("-n", guest, "link", "set", "lo", "up")
            ip("-n", guest, "route", "add", "default", "via", f"{NETWORK}.1")
        yield


@contextmanager
def played() -> Iterator[str]:
    """The site, as `make play` starts it; gives its address."""
    with tempfile.TemporaryDirectory() as home:
        process = subprocess.Popen(
            ["make", "--silent", "play", "ARGS=serve"],
            cwd=ROOT,
            env={**os.environ, "ATOLL_HOME": home},
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        try:
            assert process.stdout is not None
            said = (line.split() for line in process.stdout)
            yield next(words[3] for words in said if words[:3] == ["Atoll", "is", "at"])
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()


def somebody(playwright: Playwright, folder: Path, namespace: str | None, **settings: object) -> Presses:
    """A person at a Chromium of their own, in a network namespace if one is named."""
    program = browser()
    if namespace is not None:
        wrapper = folder / namespace
        wrapper.write_text(f'#!/bin/sh\nexec ip netns exec {namespace} {program} "$@"\n')
        wrapper.chmod(0o700)
        program = str(wrapper)
    started = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
    return Presses(started.new_context(**settings).new_page())  # type: ignore[arg-type]


def main() -> None:
    """Play and print."""
    argparse.ArgumentParser(
        prog="python -m tests.soak newcomer",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    ).parse_args()
    expect.set_options(timeout=30_000)
    with home_network(), sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        host = somebody(playwright, Path(folder), None, viewport=DESKTOP)
        guests = [
            somebody(playwright, Path(folder), GUESTS[0], viewport=DESKTOP),
            somebody(playwright, Path(folder), GUESTS[1], viewport=PHONE, has_touch=True, locale="fr-FR"),
        ]
        began = time.monotonic()

        def tell(what: str) -> None:
            print(f"{time.monotonic() - began:5.1f} s  {what}", flush=True)

        with played() as address:
            tell("the site answers")
            host.page.goto(address)
            tell("the host sees the start page")
            invite(host)
            host.press(host.page.locator("#network-switch"))
            link = host.page.locator("#invite-address")
            expect(link).to_be_visible()
            tell(f"the host sees the link, after {host.count} presses")
            take_seats(host, guests, link.input_value())
            tell(
                f"two guests sit at {link.input_value()}, after {guests[0].count} and {guests[1].count} presses"
            )
            for player in (host, *guests):
                choose(player)
            have_moved((host, *guests))
            tell("all three have moved")


if __name__ == "__main__":
    main()
