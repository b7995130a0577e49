"""The end of a game on a table's page: who has won, what decided it, and what comes next."""

from typing import Any

from atoll.core.types import Json
from atoll.text.translation import Translator
from atoll.web.people.proposals import AGAIN, own_seats, several
from atoll.web.table.seen_table import SeenTable

Entry = dict[str, Any]


def ending(table: SeenTable, translator: Translator) -> Entry | None:
    """What the panel at the end says; None while the game runs.

    `glad` is whether the viewer has won, or only watches; `follow` is where the page of somebody who has agreed to a
    rematch goes by itself once all have; `others_did` where one sees how others played the deal of the day.
    """
    if table.over is None:
        return None
    mine = own_seats(table.viewer)
    winners = table.over["winners"]
    agreed = set(mine) <= set(table.agreed.get(AGAIN, ())) if mine else False
    return {
        "short": verdict(table, translator)["short"],
        "winners": winners,
        "glad": not mine or bool(set(mine) & set(winners)),
        "score": score_line(table.over, translator),
        "own": own_place(table, translator),
        "decided": what_decided(table, translator),
        "again": translator("New deal, once everyone agrees.")
        if several(table.seating)
        else translator("New deal, same players."),
        "questions": questions_address(table),
        "others_did": "/daily" if mine and table.daily is not None else None,
        "follow": f"/tables/{table.next}" if table.next is not None and agreed else None,
    }


def questions_address(table: SeenTable) -> str | None:
    """Where the viewer is asked about the game; None for who is not, or has said something."""
    if not table.asks or table.seat is None or table.seating.seats[table.seat].feedback is not None:
        return None
    return f"{table.address}/questions"


def score_line(over: Json, translator: Translator) -> Entry:
    """The winners' points, and those of the others in words."""
    winners, points = over["winners"], over["points"]
    others = sorted((points[seat] for seat in range(len(points)) if seat not in winners), reverse=True)
    if len(winners) > 1:
        words = translator("each")
        if others:
            words = translator("each, to %(others)s", others=translator.both([str(one) for one in others]))
    else:
        words = translator("to %(others)s", others=translator.both([str(one) for one in others]))
    return {"points": points[winners[0]], "words": words if others or len(winners) > 1 else ""}


def own_place(table: SeenTable, translator: Translator) -> str:
    """The points and the place of a viewer who has not won; empty for all others."""
    assert table.over is not None
    for standing in standings(table.over):
        if standing["seat"] == table.seat and standing["seat"] not in table.over["winners"]:
            points = table.over["points"][standing["seat"]]
            return translator.plural(
                "You: %(num)s point, rank %(place)s.",
                "You: %(num)s points, rank %(place)s.",
                points,
                place=standing["place"],
            )
    return ""


def what_decided(table: SeenTable, translator: Translator) -> str:
    """By how much a single winner has won, and which part of the score made most of the difference."""
    over = table.over
    assert over is not None
    if len(over["winners"]) > 1 or len(over["points"]) < 2:
        return ""
    first = over["winners"][0]
    second = next(one["seat"] for one in standings(over) if one["seat"] != first)
    margin = over["points"][first] - over["points"][second]
    if margin <= 0:
        return translator("By the tie-break.")
    told = translator.plural("By %(num)s point.", "By %(num)s points.", margin)
    parts = [table.game.messages.score_parts(translator, over["breakdown"][seat]) for seat in (first, second)]
    pairs = [(own, other, name) for (name, own), (_, other) in zip(*parts, strict=True)]
    own, other, name = max(pairs, key=lambda pair: pair[0] - pair[1])
    if len(pairs) < 2 or own <= other:
        return told
    return f"{told} " + translator(
        "%(part)s made the difference: %(more)s to %(less)s.", part=name, more=own, less=other
    )


def standings(over: Json) -> list[Entry]:
    """The seats of a finished game with their places, best first; who shares the win or has as much shares a place."""
    points, winners = over["points"], over["winners"]
    ranks = [(seat in winners, points[seat]) for seat in range(len(points))]
    places = [
        {"seat": seat, "place": 1 + sum(other > rank for other in ranks)} for seat, rank in enumerate(ranks)
    ]
    return sorted(places, key=lambda standing: standing["place"])


def verdict(table: SeenTable, translator: Translator) -> Entry:
    """Who has won, in short and with the points; empty while the game runs."""
    if table.over is None:
        return {}
    winners, most = table.over["winners"], table.over["points"][table.over["winners"][0]]
    mine = table.seat in winners
    own_name = [translator("You")] if mine else []
    names = translator.both(own_name + [table.names[seat] for seat in winners if seat != table.seat])
    match mine, len(winners) > 1:
        case True, False:
            return {
                "short": translator("You win!"),
                "whole": translator.plural(
                    "You win with %(num)s point!", "You win with %(num)s points!", most
                ),
            }
        case True, True:
            return {
                "short": translator("%(names)s win together!", names=names),
                "whole": translator.plural(
                    "%(names)s win together, with %(num)s point each!",
                    "%(names)s win together, with %(num)s points each!",
                    most,
                    names=names,
                ),
            }
        case False, False:
            return {
                "short": translator("%(names)s wins", names=names),
                "whole": translator.plural(
                    "%(names)s wins with %(num)s point.",
                    "%(names)s wins with %(num)s points.",
                    most,
                    names=names,
                ),
            }
        case _:
            return {
                "short": translator("%(names)s share the win", names=names),
                "whole": translator.plural(
                    "%(names)s share the win, with %(num)s point each.",
                    "%(names)s share the win, with %(num)s points each.",
                    most,
                    names=names,
                ),
            }
