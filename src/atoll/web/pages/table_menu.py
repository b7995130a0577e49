"""The menu of a table's page."""

from typing import Any
from urllib.parse import urlsplit

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


def entries_of(table: SeenTable, translator: Translator) -> list[Entry]:
    """The entries, from the top."""
    here = table.address
    entries: list[Entry] = [{"label": translator("All tables"), "url": "/"}]
    if has_rules_page(table.game):
        entries.insert(0, {"label": translator("Rules"), "url": rules_address(table)})
    if table.has_past:
        entries.append({"label": translator("Look back"), "url": f"{here}/back"})
    if not (table.has_ended or table.seating.waiting) and table.lesson is None:
        entries.append({"label": translator("Try moves out"), "url": f"{here}/try"})
    entries += premoves.premove_entries(table, translator)
    if table.seat is not None and table.viewer.here:
        entries.append({"label": translator("Hide the hand"), "control": post(f"{here}/hand")})
    if table.seat is not None:
        name = table.seating.seats[table.seat].name
        label = translator("Your name: %(name)s", name=isolated(name)) if name else translator("Your name …")
        entries.append({"label": label, "url": f"/name?back={here}"})
        if not table.has_ended:
            url = f"/telling?table={here.rpartition('/')[2]}"
            entries.append({"label": translator("How you are told that it is your turn"), "url": url})
            entries.append({"label": translator("Go on at another device …"), "url": f"{here}/device"})
    entries += rematch_entries(table, translator) if table.has_ended else setting_entries(table, translator)
    if not table.seating.waiting:
        entries.append({"label": translator("Download the record"), "url": f"{here}/record"})
    return entries


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
    here, entries = table.address, lessons.leave_entries(table, translator)
    if several(table.seating) and own_seats(table.viewer) and not table.agreed.get(RESIGN):
        control = post(f"{here}/agree", about=RESIGN)
        entries.append({"label": translator("Give the game up, if all agree"), "control": control})
    if table.viewer.maker and several(table.seating) and is_stale(table.seating):
        label = translator("Close this table, where nobody else plays any more")
        entries.append({"label": label, "control": post(f"{here}/close")})
    if all(sitting.browser is not None for sitting in table.seating.seats if sitting.bot is not None):
        return entries
    if table.viewer.maker and table.seating.open_bots:
        label = translator("Keep the bots in their seats")
        entries.append({"label": label, "control": post(f"{here}/open", open="no")})
    elif table.viewer.maker:
        label = (
            translator("Let visitors take the bots’ seats; all that is hidden is then dealt anew")
            if table.foreseen
            else translator("Let visitors take the bots’ seats")
        )
        entries.append({"label": label, "control": post(f"{here}/open", open="yes")})
    return entries


def rematch_entries(table: SeenTable, translator: Translator) -> list[Entry]:
    """The entries for a rematch; several people have to agree on one."""
    if not table.may_play_again:
        return []
    here = f"{table.address}/again"
    if several(table.seating):
        return [
            {"label": translator("Play again, everyone one seat further"), "control": post(here, turn="1")}
        ]
    return [
        {"label": translator("Play the same again"), "control": post(here, turn="0")},
        {"label": translator("Play again, everyone one seat further"), "control": post(here, turn="1")},
    ]
