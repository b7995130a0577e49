"""Refusals: requests that the site does not carry out, each with one sentence for the reader."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from atoll.web.store.store import TableRow


class Refusal(Exception):
    """Nothing was changed. `status` is the HTTP status, `text` the sentence, in English with its values apart."""

    def __init__(self, status: int, text: str, **values: Any) -> None:
        super().__init__(text)
        self.status = status
        self.text = text
        self.values = values


class Gone(Refusal):
    """A stored table whose rules, game or components are no longer here; its `record` can still be downloaded."""

    def __init__(self, text: str, row: "TableRow") -> None:
        super().__init__(410, text)
        self.record = f"/tables/{row.id}/record"
        self.is_over = is_over(row)


def is_over(row: "TableRow") -> bool:
    """Whether the game of a stored table is over, as the rules said that played it."""
    return row.to_act == 0
