"""The premoves of Costa Ruana."""

from atoll.core.premoves import Premove
from atoll.games.costa_ruana import events as ev
from atoll.text.translation import texts

PREMOVES = (
    Premove(
        "keep natives",
        {"do": "keep native"},
        texts("Put no natives on cards until there is another Shaman")[0],
        until=lambda event: event.what == ev.SHAMAN_APPOINTED,
    ),
)
