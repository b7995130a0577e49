"""Nothing moves on this table."""

from typing import Any

from atoll.core.seen import Seen


def table(seen: Seen) -> dict[str, Any]:
    return {"moved": {}, "latest": seen.latest, "players": seen.view.to_json()["players"]}
