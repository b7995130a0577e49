"""How others reach a table: its address as other devices open it, as text and as a QR code."""

from io import BytesIO

from starlette.requests import HTTPConnection

THIS_MACHINE = ("localhost", "127.0.0.1", "::1")
"""Names that lead each machine to itself."""


def address_for_others(request: HTTPConnection, base: str | None, path: str) -> str | None:
    """The address at which other devices open a page; None if no address leads them here.

    It begins as the one by which this browser came. Where that leads each machine to itself, it begins with `base`,
    this machine's among others, if the site is served to them.
    """
    if request.url.hostname not in THIS_MACHINE:
        base = str(request.base_url)
    return None if base is None else base.rstrip("/") + path


def qr_code(address: str) -> bytes:
    """An address as an SVG picture that the cameras of phones read."""
    import segno  # a while to import, and where nobody is invited it is not needed

    svg = BytesIO()
    segno.make(address, error="m", micro=False).save(
        svg, kind="svg", border=4, omitsize=True, light="#fff", xmldecl=False
    )
    return svg.getvalue()
