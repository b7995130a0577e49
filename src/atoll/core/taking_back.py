"""What the log says of moves that were taken back."""

from atoll.core.words import Words


def told_take_back(words: Words, name: str, count: int, *, by_consent: bool) -> str:
    """That somebody took back so many moves; `by_consent` of all people at the table."""
    if by_consent:
        return words.plural(
            "%(name)s takes back %(num)s move; all have agreed.",
            "%(name)s takes back %(num)s moves; all have agreed.",
            count,
            name=name,
        )
    return words.plural(
        "%(name)s takes back %(num)s move.", "%(name)s takes back %(num)s moves.", count, name=name
    )
