"""Components of Signs: how many rounds there are, and what signs are worth."""

from typing import Annotated

from msgspec import Meta, Struct, field

from atoll.core.components import File


class Sign(Struct):
    """A sign."""

    name: str
    worth: int


class ComponentsFile(File, forbid_unknown_fields=True):
    """The whole file."""

    rounds: Annotated[int, Meta(ge=1, le=100)]
    signs: list[Sign] = field(default_factory=list)
