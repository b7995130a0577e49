"""Refusals: requests that the site does not carry out, each with one sentence for the reader."""

from typing import Any


class Refusal(Exception):
    """Nothing was changed. `status` is the HTTP status, `text` the sentence, in English with its values apart."""

    def __init__(self, status: int, text: str, **values: Any) -> None:
        super().__init__(text)
        self.status = status
        self.text = text
        self.values = values
