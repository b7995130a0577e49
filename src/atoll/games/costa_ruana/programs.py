"""What can be programmed in Costa Ruana."""

from atoll.core.programs import Program
from atoll.core.words import texts
from atoll.games.costa_ruana import events as ev

PROGRAMS = (
    Program(
        "keep natives",
        {"do": "keep native"},
        texts("Put no natives on cards until there is another Shaman")[0],
        until=lambda event: event.what == ev.SHAMAN_APPOINTED,
    ),
)
