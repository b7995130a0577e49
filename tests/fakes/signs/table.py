"""Nothing moves on this table."""

from typing import Any


def table(view: Any, seat: int | None, history: Any, components: Any) -> dict[str, Any]:
    return {"moved": {}, "latest": history[-1] if history else ()}
