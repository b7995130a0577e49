"""Lists in rows of a state, compiled: so many of their first places are used."""

# mypy: disable-error-code="no-untyped-def"

from atoll.core.compiling import inlined


@inlined
def insert_sorted(row, count, value):
    """Put a value into the first `count` places of a row, which are ascending and stay so."""
    i = count
    while i > 0 and row[i - 1] > value:
        row[i] = row[i - 1]
        i -= 1
    row[i] = value


@inlined
def take_out(row, count, value, empty):
    """Take a value out of the first `count` places of a row, which keep their order; the place left over is `empty`.

    The value must be there.
    """
    i = 0
    while row[i] != value:
        i += 1
    while i < count - 1:
        row[i] = row[i + 1]
        i += 1
    row[count - 1] = empty


@inlined
def highest(values, count):
    """The bit set of the indices of the highest of the first `count` values."""
    found = 0
    best = values[0]
    for i in range(count):
        if values[i] > best:
            best = values[i]
            found = 0
        if values[i] == best:
            found |= 1 << i
    return found
