"""Results of a game that has ended, for each of its people."""

from atoll.bots import RECORDED_BOT
from atoll.text.translation import seat_names
from atoll.web.store.history import Result
from atoll.web.store.store import SeatRow, TableRow, now
from atoll.web.table.seats import Seating
from atoll.web.table.timeline import Timeline
from atoll.web.translation import translator_for


def results_of(row: TableRow, seating: Seating, timeline: Timeline) -> list[Result]:
    """The results of the people who sit there when the game ends; none of a game played on from another."""
    over = timeline.over
    if over is None or row.branched_from is not None:
        return []
    points, winners = over["points"], over["winners"]
    ranks = [(seat in winners, points[seat]) for seat in range(len(points))]
    names = [name_of(occupant) for occupant in seating.seats]
    return [
        Result(
            browser=occupant.browser,
            table_id=row.id,
            ended_at=now(),
            game=row.game,
            players=row.players,
            seat=occupant.seat,
            place=1 + sum(other > ranks[occupant.seat] for other in ranks),
            points=list(points),
            against=[name for seat, name in enumerate(names) if seat != occupant.seat],
        )
        for occupant in seating.seats
        if occupant.browser is not None
    ]


def name_of(occupant: SeatRow) -> str:
    """What a history calls who sits there: a person's name or the seat's colour, or the bot that plays."""
    if occupant.browser is None and occupant.bot is not None:
        return RECORDED_BOT + occupant.bot
    return occupant.name or seat_names(translator_for("en"))[occupant.seat]
