"""Components of Signs: how many rounds there are."""

from typing import Annotated

from msgspec import Meta

from atoll.core.components import File


class ComponentsFile(File):
    """The whole file."""

    rounds: Annotated[int, Meta(ge=1, le=100)]
