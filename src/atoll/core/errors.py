"""The errors that Atoll raises on bad input: each message is one sentence for a person."""

from atoll.core.printable import sentence


class AtollError(ValueError):
    """Bad input of any kind: what was wrong and what would be right, in one sentence, printable and of limited
    length whatever it quotes.
    """

    def __str__(self) -> str:
        return sentence(super().__str__())


class UnknownGame(AtollError):
    """No installed game has this name."""


class UnknownBot(AtollError):
    """No bot has this name."""


class IllegalMove(AtollError):
    """The move is not among the legal moves of that seat in that position; nothing was changed."""


class ComponentError(AtollError):
    """A components file is wrong: names the file, the entry and the key.

    `entry` is the place in the file, such as `cards[3].value`, and `problem` what is wrong there; both are empty where
    the file as a whole cannot be read.
    """

    def __init__(self, message: str, entry: str = "", problem: str = "") -> None:
        super().__init__(message)
        self.entry = entry
        self.problem = sentence(problem)


class EndlessGame(AtollError):
    """A game went on past its declared maximum of decisions: names the game, the components and the maximum."""


class RecordError(AtollError):
    """A record cannot be read or does not replay: names the line."""


class ContractError(AtollError):
    """A game lacks something of the contract, or has it in the wrong shape: says what."""
