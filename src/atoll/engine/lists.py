"""Lists in the arrays of a state: so many places from the first are used, and stay in their order."""

# mypy: disable-error-code="no-untyped-def"

from atoll.engine.compiling import compiled


@compiled
def insert_at(items, count, index, item):
    """Put an item into a list of `count` at an index; those from there on move up. Who calls it counts one more."""
    for i in range(count, index, -1):
        items[i] = items[i - 1]
    items[index] = item


@compiled
def remove_at(items, count, index, empty):
    """Take out the item at an index of a list of `count`; those behind it move down, and `empty` stands in the last
    place. Who calls it counts one less.
    """
    for i in range(index, count - 1):
        items[i] = items[i + 1]
    items[count - 1] = empty


@compiled
def list_unmarked(marks, out):
    """Write the places from 1 at which `marks` is 0, ascending, such as cards that were not seen; returns how many."""
    count = 0
    for place in range(1, len(marks)):
        if marks[place] == 0:
            out[count] = place
            count += 1
    return count
