"""What the log says of moves that were taken back."""

from atoll.text.translation import Translator


def undo_message(translator: Translator, name: str, count: int, *, by_consent: bool) -> str:
    """That somebody took back so many moves; `by_consent` of all people at the table."""
    if by_consent:
        return translator.plural(
            "%(name)s takes back %(num)s move; all have agreed.",
            "%(name)s takes back %(num)s moves; all have agreed.",
            count,
            name=name,
        )
    return translator.plural(
        "%(name)s takes back %(num)s move.", "%(name)s takes back %(num)s moves.", count, name=name
    )
