"""What a seat has seen and done since the game began, which is what it goes by if it forgets nothing.

A view may leave out what the seat saw earlier, so each view that differs from the one before is kept, with the seat's
own action that led to it. Two positions in which a seat has the same recall are one information set to it, as in
`lab/solve.py`.
"""

from dataclasses import dataclass
from hashlib import blake2b

DIGEST_BYTES = 16
NO_ACTION = -1


@dataclass(frozen=True)
class Recall:
    """One seat's: each step is its own action, or NO_ACTION, and the bytes of the view that followed."""

    steps: tuple[tuple[int, bytes], ...] = ()
    digest: bytes = b""
    """of all steps: equal for equal recalls"""

    def then(self, action: int, view: bytes) -> "Recall":
        """The recall after the next step; the same one if the seat did nothing and sees no difference."""
        if action == NO_ACTION and self.steps and self.steps[-1][1] == view:
            return self
        number = action.to_bytes(4, "little", signed=True)
        digest = blake2b(self.digest + number + view, digest_size=DIGEST_BYTES).digest()
        return Recall((*self.steps, (action, view)), digest)

    @property
    def actions(self) -> list[int]:
        """The seat's own actions."""
        return [action for action, _ in self.steps if action != NO_ACTION]

    def __deepcopy__(self, memo: object) -> "Recall":
        return self
