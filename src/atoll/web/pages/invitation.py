"""Invitations: a table's address as other devices open it, as text and as a QR code."""

from io import BytesIO

from starlette.requests import HTTPConnection

THIS_MACHINE = ("localhost", "127.0.0.1", "::1")
"""Names of the local machine."""


def address_for_others(request: HTTPConnection, base: str | None, path: str) -> str | None:
    """The address at which other devices open a page; None if they cannot reach the site.

    It begins with the address that this browser used or, if that is one of THIS_MACHINE, with `base`, the site's
    address in the network.
    """
    if request.url.hostname not in THIS_MACHINE:
        base = str(request.base_url)
    return None if base is None else base.rstrip("/") + path


def qr_code(address: str) -> bytes:
    """An address as a QR code in SVG."""
    import segno  # imported late: slow, and rarely needed

    svg = BytesIO()
    segno.make(address, error="m", micro=False).save(
        svg, kind="svg", border=4, omitsize=True, light="#fff", xmldecl=False
    )
    return svg.getvalue()
