"""Sentences said later: an error carries its English text, which is a message id, and what is filled in; whoever shows
it says it in the reader's language.
"""

from typing import Any

from atoll.text.translation import Translator

LONGEST_QUOTED = 60
"""Characters of what is quoted, so that there is room for what would be right."""


class Message:
    """A sentence or a part of one, with what is filled in, which may be sentences too. `str` says it in English.

    `package` is the one in whose catalogue it stands beside those of the reader's words, if that is a game's.
    """

    package: str | None = None

    def __init__(self, text: str, /, **values: Any) -> None:
        self.text = text
        self.many: str | None = None
        self.values = values

    @classmethod
    def counted(cls, one: str, many: str, number: int, /, **values: Any) -> "Message":
        """One or many; `%(num)s` is the number."""
        made = cls(one, **values, num=number)
        made.many = many
        return made

    def of(self, package: str | None) -> "Message":
        """The same, from the catalogue of a package."""
        self.package = package
        return self

    def __str__(self) -> str:
        text = self.text if self.many is None or self.values["num"] == 1 else self.many
        return text % self.values if self.values else text

    def translate(self, translator: Translator) -> str:
        """In the language of the words."""
        if self.package is not None:
            translator = translator.with_package(self.package)
        values = {
            name: value.translate(translator) if isinstance(value, Message) else value
            for name, value in self.values.items()
        }
        if self.many is None:
            return translator(self.text, **values)
        number: Any = values.pop("num")
        return translator.plural(self.text, self.many, number, **values)


class Amount(Message):
    """A whole number, its thousands set apart as the reader's language does it."""

    def __init__(self, number: int) -> None:
        super().__init__("%(number)s", number=number)

    def __str__(self) -> str:
        return f"{self.values['number']:,}"

    def translate(self, translator: Translator) -> str:
        return translator.number(self.values["number"])


def quoted(text: str) -> Message:
    """What somebody wrote, in the reader's quotation marks."""
    short = text if len(text) <= LONGEST_QUOTED else f"{text[:LONGEST_QUOTED]}…"
    return Message("“%(text)s”", text=short)


def message_of(error: Exception) -> Message:
    """What an error says, which was raised with a sentence or with a text."""
    content = error.args[0] if error.args else ""
    return content if isinstance(content, Message) else Message(str(content))
