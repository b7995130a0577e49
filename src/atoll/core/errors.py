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
    """A components file is wrong: names the file, the entry and the key."""


class EndlessGame(AtollError):
    """A game went on past its declared maximum of decisions: names the game, the components and the maximum."""


class RecordError(AtollError):
    """A record cannot be read or does not replay: names the line."""


class ContractError(AtollError):
    """A game lacks something of the contract, or has it in the wrong shape: says what."""
