"""The errors that Atoll raises on bad input: each message is one sentence for a person."""

from atoll.text.messages import Message, message_of
from atoll.text.printable import sentence
from atoll.text.translation import Translator


class AtollError(ValueError):
    """Bad input of any kind: what was wrong and what would be right, in one sentence, printable and of limited
    length whatever it quotes. Raised with a `Message` it can be said in every language.
    """

    def __str__(self) -> str:
        return sentence(super().__str__())

    @property
    def message(self) -> Message:
        """What is wrong, to be said in the reader's language."""
        return message_of(self)

    def translate(self, translator: Translator) -> str:
        """What is wrong, in the language of the words."""
        return sentence(self.message.translate(translator))


class UnknownGame(AtollError):
    """No installed game has this name."""


class LeftOut(UnknownGame):
    """The game is installed and cannot be played: says why."""


class UnknownBot(AtollError):
    """No bot has this name."""


class IllegalMove(AtollError):
    """The move is not among the legal moves of that seat in that position; nothing was changed."""


class ComponentError(AtollError):
    """A components file is wrong: names the file, the entry and the key.

    `entry` is the place in the file, such as `cards[3].value`, and empty for the file as a whole; `problem` is what is
    wrong there.
    """

    def __init__(self, message: str | Message, entry: str = "", problem: Message | None = None) -> None:
        super().__init__(message)
        self.entry = entry
        self.problem = problem or self.message


class EndlessGame(AtollError):
    """A game went on past its declared maximum of decisions: names the game, the components and the maximum."""


class RecordError(AtollError):
    """A record cannot be read or does not replay: names the line."""


class ContractError(AtollError):
    """A game lacks something of the contract, or has it in the wrong shape: says what."""
