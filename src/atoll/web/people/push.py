"""Web Push: a message to a browser that has no page of the site open, by way of its maker's push service.

What encrypts and signs is pywebpush, an extra (`make push`); it is imported by whoever starts a site that has it. The
site's key is made at the first start that has it, and names the site to push services: without it, subscriptions are
worth nothing.
"""

import os
import secrets
from base64 import b64decode
from contextlib import suppress
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import msgspec

from atoll.core.types import Json
from atoll.text import folders
from atoll.text.errors import AtollError
from atoll.text.messages import Message
from atoll.text.platform import CREATING
from atoll.web.people.outbound import NotSent, OutboundReply, OutboundRequests
from atoll.web.refusal import Refusal

COMMAND = "make push"
"""What installs pywebpush."""
KEEPS = 24 * 3600
"""Seconds for which a push service keeps a message for a browser that is away."""
TAKEN = (201, 202)
"""Statuses by which a push service says that it took a message (RFC 8030), as other servers hardly do."""
GONE = (404, 410)
"""Statuses by which a push service says that a subscription is over."""
NOT_OURS = (401, 403)
"""Statuses by which it says that the subscription was made with another key."""
OF_A_SUBSCRIPTION = {"p256dh": 87, "auth": 22}
"""Its keys, and how many letters of unpadded base64 each has (RFC 8291: 65 and 16 bytes)."""


def is_installed() -> bool:
    """Whether this site can send Web Push."""
    return find_spec("pywebpush") is not None


def key_path() -> Path:
    """The file of the site's key."""
    return folders.data_folder() / "push-key.pem"


class Push:
    """Sends messages by Web Push."""

    def __init__(self, outbound: OutboundRequests) -> None:
        self.outbound = outbound

    @cached_property
    def key(self) -> Any:
        """A P-256 key that signs them (VAPID, RFC 8292)."""
        return read_key()

    @property
    def public_key(self) -> str | None:
        """What browsers subscribe with; None where the site's key is damaged, as its log says."""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
        from py_vapid.utils import b64urlencode

        try:
            key = self.key
        except AtollError:
            return None
        point = key.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return str(b64urlencode(point))

    def send(self, subscription: Json, message: Json, site: str) -> OutboundReply:
        """Send a message; returns the push service's answer. Raises NotSent. `site` is whom a service may ask."""
        from pywebpush import webpush

        secure = urlsplit(site).scheme == "https"
        replies: list[OutboundReply] = []

        def post(address: str, *, data: bytes, headers: dict[str, Any], **_: Any) -> Any:
            texts = {name: str(value) for name, value in headers.items()}
            replies.append(self.outbound.post(address, data, texts))
            return SimpleNamespace(status_code=201, text="", headers={}, reason="")

        try:
            webpush(
                subscription,
                msgspec.json.encode(message).decode(),
                vapid_private_key=self.key,
                vapid_claims={"sub": site if secure else "mailto:site@localhost"},
                ttl=KEEPS,
                headers={"urgency": "normal", "topic": str(message["topic"])},
                requests_session=SimpleNamespace(post=post),
            )
        except NotSent:
            raise
        except Exception as error:  # keys that are none fail in many ways
            raise NotSent(f"{type(error).__name__}: {error}") from None
        return replies[0]


def read_key() -> Any:
    """The site's key: made at first start, readable by its owner alone; raises AtollError if it is damaged."""
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
    from py_vapid import Vapid02

    path = key_path()
    if not path.exists():
        key = Vapid02()
        key.generate_keys()
        pem = key.private_key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        fresh = Path(f"{path}.{secrets.token_hex(8)}")
        with open(os.open(fresh, CREATING, 0o600), "wb") as file:
            file.write(pem)
            file.flush()
            os.fsync(file.fileno())
        try:
            with suppress(FileExistsError):
                os.link(fresh, path)  # whole or not at all, and never over the key of another process
        finally:
            fresh.unlink()
    content = path.read_bytes()
    if not is_key(content):
        raise AtollError(
            Message(
                "%(file)s is no whole key of Web Push: put a backup's in its place, or delete it, and people turn "
                "messages on again",
                file=path,
            )
        )
    return Vapid02.from_pem(content)


def is_key(content: bytes) -> bool:
    """Whether a file of the key of Web Push is whole: PEM around DER of the length that it says (X.690, 8.1.3)."""
    begins, _, rest = content.partition(b"-----BEGIN PRIVATE KEY-----")
    body, ends, _ = rest.partition(b"-----END PRIVATE KEY-----")
    try:
        der = b64decode(b"".join(body.split()), validate=True)
    except ValueError:
        return False
    long = 2 + (der[1] & 0x7F) if len(der) > 1 and der[1] & 0x80 else 2
    length = int.from_bytes(der[2:long]) if long > 2 else der[1] if len(der) > 1 else 0
    return not begins.strip() and bool(ends) and der[:1] == b"0" and len(der) == long + length


def checked_subscription(text: str, outbound: OutboundRequests) -> Json:
    """A subscription as a browser sends it; raises Refusal for what is none."""
    wrong = Refusal(400, "That is no push subscription of a browser.")
    try:
        content = msgspec.json.decode(text.encode())
        endpoint, keys = content["endpoint"], content["keys"]
        values = {name: keys[name] for name in OF_A_SUBSCRIPTION}
    except (msgspec.DecodeError, UnicodeError, KeyError, TypeError):
        raise wrong from None
    plain = all(
        isinstance(value, str) and len(value.rstrip("=")) == OF_A_SUBSCRIPTION[name] and value.isascii()
        for name, value in values.items()
    )
    if not isinstance(endpoint, str) or not plain:
        raise wrong
    outbound.check(endpoint)
    return {"endpoint": endpoint, "keys": values}
