"""Does a phone on the same network join a site that was started for its own machine alone?

`python -m tests.soak phone`.

Two network namespaces are the two machines, with a cable between them. In one a site is started as `make play` does;
in the other a browser is the phone. It reaches nothing until somebody at the site's machine switches devices on the
network in, then opens the address of the invitation and takes a seat, is told that the site is away when it is switched
off, and reaches nothing again.

Prints what happened. Ends with status 1 for what is broken, and with 2 and the reason where there are no namespaces: it
takes Linux, and root or a system that lets users have namespaces. Needs what `make test` installs.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import BrowserContext, Error, ViewportSize, expect

from tests.chromium import chromium
from tests.site import Server
from tests.visitors import Visitor

HOME, PHONE = "192.168.77.1", "192.168.77.2"
GAME = "signs"
SIZE = ViewportSize(width=390, height=844)
PATIENCE = 20_000
"""Milliseconds after which something has not happened on the phone."""
REACHED = "The phone reaches the site although nobody let it."


def private(*command: str) -> list[str]:
    """The command, with a network of its own."""
    return ["unshare", *(["-n"] if os.geteuid() == 0 else ["-r", "-n"]), *command]


def ip(*command: str, of: int | None = None) -> None:
    """Set up the network of this process, or of another."""
    there = () if of is None else ("nsenter", f"--net=/proc/{of}/ns/net")
    subprocess.run([*there, "ip", *command], check=True)


def joined(phone: int) -> None:
    """Lay a cable from this machine to that of a process."""
    ip("link", "add", "home0", "type", "veth", "peer", "name", "phone0", "netns", str(phone))
    for end, address, of in (("home0", HOME, None), ("phone0", PHONE, phone)):
        ip("address", "add", f"{address}/24", "dev", end, of=of)
        ip("link", "set", end, "up", of=of)


def attempt(browser: BrowserContext, address: str) -> str:
    """Open an address in a page of its own; returns whether it was reached or refused."""
    page = browser.new_page()
    try:
        page.goto(address, timeout=PATIENCE)
    except Error as error:
        if "ERR_CONNECTION_REFUSED" in str(error):
            return "refused"
        raise
    finally:
        page.close()
    return "reached"


def at_phone(port: str) -> None:
    """Be the phone: what it is told comes as lines, and what it did is said as lines."""
    with chromium() as started:
        browser = started.new_context(viewport=SIZE, has_touch=True)
        print(attempt(browser, f"http://{HOME}:{port}/"), flush=True)
        address = sys.stdin.readline().strip()
        page = browser.new_page()
        page.goto(address, timeout=PATIENCE)
        page.locator("#room-take-1").tap()
        expect(page.locator("#leave")).to_be_visible(timeout=PATIENCE)
        print("seated", flush=True)
        expect(page.locator("#line")).to_be_visible(timeout=PATIENCE)
        print(page.locator("#line").inner_text(), flush=True)
        print(attempt(browser, address), flush=True)


def at_home() -> int:
    """Be the site's machine; returns the exit status."""
    ip("link", "set", "lo", "up")
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryDirectory() as phone_home:
        server = Server(Path(home, "site"), games=[GAME])
        phone = subprocess.Popen(
            ["unshare", "-n", sys.executable, "-m", "tests.soak.phone", "--phone", str(server.port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "HOME": phone_home},
        )
        assert phone.stdin is not None
        assert phone.stdout is not None
        try:
            while os.readlink(f"/proc/{phone.pid}/ns/net") == os.readlink("/proc/self/ns/net"):
                pass  # it has no network of its own yet
            joined(phone.pid)
            host = Visitor(server.address)
            path = host.post("/tables", game=GAME, players="2", seat1="friend", wait="on")
            assert phone.stdout.readline() == "refused\n", REACHED
            print(f"{server.address} is refused to {PHONE}.")
            host.post("/network", on="yes")
            found = re.search(r'id="invite-address"[^>]*value="([^"]+)"', host.get(f"{path}/invitation"))
            assert found, "The invitation has no address."
            print(found[1], file=phone.stdin, flush=True)
            assert phone.stdout.readline() == "seated\n", "The phone has no seat."
            print(f"{found[1]} is opened by {PHONE}, which takes a seat.")
            host.post("/network", on="no")
            print(f"Switched off, the phone says: {phone.stdout.readline().strip()}")
            assert phone.stdout.readline() == "refused\n", REACHED
            print(f"{found[1]} is refused to {PHONE}.")
            assert phone.wait(60) == 0
            assert server.stop() == 0
            assert not server.errors, server.errors
        finally:
            phone.kill()
            phone.wait()
            server.kill()
    return 0


def main() -> int:
    """Run it in a network of its own; the exit status."""
    match sys.argv[1:]:
        case ["--phone", port]:
            at_phone(port)
            return 0
        case ["--home"]:
            return at_home()
        case [*more] if more:
            print(__doc__)
            return 0 if more in (["-h"], ["--help"]) else 2
    try:
        tried = subprocess.run(private("ip", "link", "add", "type", "veth"), capture_output=True, text=True)
        why = tried.stderr.strip() if tried.returncode else ""
    except OSError as error:
        why = str(error)
    if why:
        print(f"there are no network namespaces here: {why}", file=sys.stderr)
        return 2
    return subprocess.run(private(sys.executable, "-m", "tests.soak.phone", "--home")).returncode


if __name__ == "__main__":
    sys.exit(main())
