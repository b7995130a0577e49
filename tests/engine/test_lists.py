"""Lists in arrays: what is put in and taken out leaves the others in their order."""

import random

import numpy as np

from atoll.engine.lists import insert_at, remove_at

EMPTY = -1


def test_items_are_put_in_and_taken_out_in_order() -> None:
    """Against Python's own lists; unused places hold what is empty."""
    chance = random.Random(1)
    items, kept = np.full(8, EMPTY, dtype=np.int8), list[int]()
    for number in range(200):
        if kept and (len(kept) == len(items) or chance.random() < 0.5):
            index = chance.randrange(len(kept))
            remove_at(items, len(kept), index, EMPTY)
            del kept[index]
        else:
            index = chance.randint(0, len(kept))
            insert_at(items, len(kept), index, number % 100)
            kept.insert(index, number % 100)
        assert items.tolist() == kept + [EMPTY] * (len(items) - len(kept))
