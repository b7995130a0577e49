"""The menu of a table's page."""

from typing import Any
from urllib.parse import urlsplit

from atoll.bots import DEFAULT_BOT
from atoll.text.translation import Translator
from atoll.web.pages import lessons, premoves
from atoll.web.pages.isolation import isolated
from atoll.web.pages.move_confirmation import AT_ONCE, CONFIRM
from atoll.web.pages.rules_page import has_rules_page
from atoll.web.pages.table_links import pace_name, rules_address
from atoll.web.people.proposals import RESIGN, is_stale, own_seats, several
from atoll.web.table.creation import PACES
from atoll.web.table.move_choice import post
from atoll.web.table.seen_table import SeenTable

Entry = dict[str, Any]

FEWEST_TO_RESIGN_ALONE = 3
"""From so many people on, one can resign alone: the others still have each other to play with."""


def menu(table: SeenTable, translator: Translator) -> list[Entry]:
    """The entries of the menu, with ids, so that an update of the page does not exchange them under the pointer."""
    return with_ids(entries_of(table, translator))


def with_ids(entries: list[Entry]) -> list[Entry]:
    """The same entries, each with its id."""
    return [{**entry, "id": id_of(entry)} for entry in entries]


def id_of(entry: Entry) -> str:
    """An entry's element id, made of its address."""
    control = entry.get("control")
    path, values = (control.url, control.fields.values()) if control else (urlsplit(entry["url"]).path, ())
    return "-".join(["menu", path.rpartition("/")[2] or "start", *values])


def entry(label: str, group: str, icon: str = "", **leads: Any) -> Entry:
    """An entry in a group ("game", "people", "settings" or "leave"), which `leads` to a `url` or `control`."""
    return {"label": label, "group": group, "icon": icon, **leads}


def entries_of(table: SeenTable, translator: Translator) -> list[Entry]:
    """The entries, from the top of each group."""
    here, seat, runs = table.address, table.seat, not table.has_ended
    entries: list[Entry] = []
    if has_rules_page(table.game):
        entries.append(entry(translator("Rules"), "game", "rules", url=rules_address(table)))
    if runs and not table.seating.waiting and table.lesson is None:
        entries.append(entry(translator("Try moves out"), "game", "try", url=f"{here}/try"))
    if table.has_past:
        entries.append(entry(translator("Look back"), "game", "back", url=f"{here}/back"))
    if table.daily is not None:
        entries.append(entry(translator("Deal of the day"), "game", "flag", url="/daily"))
    entries += [
        {**one, "group": "game", "icon": "repeat"} for one in premoves.premove_entries(table, translator)
    ]
    if seat is not None and table.viewer.here:
        entries.append(entry(translator("Hide the hand"), "game", "eye", control=post(f"{here}/hand")))
    if seat is not None and runs:
        url = f"/telling?table={here.rpartition('/')[2]}"
        entries.append(entry(translator("Notifications"), "people", "bell", url=url))
    if seat is not None:
        name = table.seating.seats[seat].name
        label = translator("Your name: %(name)s", name=isolated(name)) if name else translator("Your name …")
        entries.append(entry(label, "settings", url=f"/name?back={here}"))
    if not table.seating.waiting:
        entries.append(entry(translator("Download the record"), "settings", url=f"{here}/record"))
    entries.append(entry(translator("Home"), "leave", "home", url="/"))
    if seat is not None and runs:
        entries.append(entry(translator("Move to another device"), "leave", "device", url="/devices"))
    return entries + (
        rematch_entries(table, translator) if table.has_ended else setting_entries(table, translator)
    )


def resignation(table: SeenTable) -> dict[str, str] | None:
    """The form by which the viewer's seat is left to a bot for the rest; None unless two or more other people stay."""
    others = {s.browser for s in table.seating.seats if s.browser is not None and s.bot is None}
    running = not (table.has_ended or table.seating.waiting or table.has_stand_in)
    if table.seat is None or not running or len(others) < FEWEST_TO_RESIGN_ALONE:
        return None
    return {"url": f"{table.address}/bots", "seat": str(table.seat), "bot": DEFAULT_BOT}


def confirmation_entries(here: str, translator: Translator, confirms: bool) -> list[Entry]:
    """The menu's choices of move confirmation."""
    labels = {CONFIRM: translator("Confirm each move"), AT_ONCE: translator("Play at once")}
    return [
        {"label": label, "url": f"/pressing?to={way}&back={here}", "current": confirms == (way == CONFIRM)}
        for way, label in labels.items()
    ]


def pace_entries(table: SeenTable, translator: Translator) -> list[Entry]:
    """The menu's choices of the bots' pace, for players and the table's maker."""
    has_bots = any(sitting.bot is not None for sitting in table.seating.seats)
    if table.has_ended or not has_bots or (table.seat is None and not table.viewer.maker):
        return []
    return with_ids(
        [
            {
                "label": pace_name(translator, pace),
                "control": post(f"{table.address}/pace", pace=pace),
                "current": pace == table.pace,
            }
            for pace in PACES
        ]
    )


def setting_entries(table: SeenTable, translator: Translator) -> list[Entry]:
    """The entries that change a running table."""
    here, entries = (
        table.address,
        [{**one, "group": "leave", "icon": "home"} for one in lessons.leave_entries(table, translator)],
    )
    if several(table.seating) and own_seats(table.viewer) and not table.agreed.get(RESIGN):
        control = post(f"{here}/agree", about=RESIGN)
        entries.append(entry(translator("End the game, if all agree"), "leave", "flag", control=control))
    if table.viewer.maker and several(table.seating) and is_stale(table.seating):
        label = translator("Close this table, where nobody else plays any more")
        entries.append(entry(label, "leave", "flag", control=post(f"{here}/close")))
    has_bots = any(sitting.browser is None for sitting in table.seating.seats if sitting.bot is not None)
    if table.daily is not None or not has_bots:
        return entries
    if table.viewer.maker and table.seating.open_bots:
        label = translator("Keep the bots in their seats")
        entries.append(entry(label, "settings", control=post(f"{here}/open", open="no")))
    elif table.viewer.maker:
        label = (
            translator("Let visitors take the bots’ seats; all that is hidden is then dealt anew")
            if table.foreseen
            else translator("Let visitors take the bots’ seats")
        )
        entries.append(entry(label, "settings", control=post(f"{here}/open", open="yes")))
    return entries


def rematch_entries(table: SeenTable, translator: Translator) -> list[Entry]:
    """The entries for a rematch; several people have to agree on one."""
    if not table.may_play_again:
        return []
    here = f"{table.address}/again"
    if several(table.seating):
        further = entry(
            translator("Play again, everyone moves one seat on"),
            "game",
            "repeat",
            control=post(here, turn="1"),
        )
        return [further]
    return [
        entry(translator("Play again"), "game", "repeat", control=post(here, turn="0")),
        entry(
            translator("Play again, everyone moves one seat on"),
            "game",
            "repeat",
            control=post(here, turn="1"),
        ),
    ]
