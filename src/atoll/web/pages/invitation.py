"""Invitations: a table's address as other devices open it, as text and as a QR code."""

from collections.abc import Sequence
from io import BytesIO

from starlette.requests import HTTPConnection

from atoll.web.bounds import NAMES_OF_THIS_MACHINE


def addresses_for_others(request: HTTPConnection, bases: Sequence[str], path: str) -> list[str]:
    """The addresses at which other devices open a page, the likeliest first; none if they cannot reach the site.

    They begin with the address that this browser used or, if it used a name of this machine, with `bases`, the site's
    addresses in the network.
    """
    if request.url.hostname not in NAMES_OF_THIS_MACHINE:
        bases = [str(request.base_url)]
    return [base.rstrip("/") + path for base in bases]


def qr_code(address: str) -> bytes:
    """An address as a QR code in SVG."""
    import segno  # imported late: slow, and rarely needed

    svg = BytesIO()
    segno.make(address, error="m", micro=False).save(
        svg, kind="svg", border=4, omitsize=True, light="#fff", xmldecl=False
    )
    return svg.getvalue()
