"""The page of a table: what its templates are given, made from the viewer's own view and nothing else."""

from collections.abc import Iterable, Mapping
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any

from babel.numbers import format_percent

from atoll.bots import DEFAULT_BOT, LEVELS
from atoll.core.game import Json
from atoll.core.seen import Seen
from atoll.core.words import Words, seat_names
from atoll.rules_page import has_rules_page
from atoll.web.pages.drawings import COLOURS, MARKS, drawings_url
from atoll.web.pages.plain_table import PLAIN, plain_table, table_of
from atoll.web.pages.regions import Drawing, Fragment
from atoll.web.pages.templating import draw, short_name, words_for
from atoll.web.table.choosing import Choosing, Control, Fields, post
from atoll.web.table.tables import PACES, Table, Viewer

if TYPE_CHECKING:
    from atoll.core.events import Event
    from atoll.core.position import Position, View

FRAGMENTS_KEPT = 64

Entry = dict[str, Any]


def draw_table(
    table: Table,
    viewer: Viewer,
    language: str,
    fields: Fields,
    notice: str | None = None,
    *,
    whole: bool = False,
    rounds_known: int = 0,
    progress: Entry | None = None,
) -> Fragment:
    """A table for a viewer who has chosen some parts of a move: the live part, or the whole page, with how far the
    games are (`progress_of`).

    The log of rounds that the page has in full, all but the last of `rounds_known`, is left out of the live part.
    It is drawn once for all who see the same. The caller holds the table's lock.
    """

    def drawn(name: str) -> Fragment:
        drawing = Drawing(table.parts.setdefault((viewer, language), {}))
        html = draw(
            name,
            language,
            table.game,
            notice=notice,
            draw_part=drawing.draw_part,
            **progress or {},
            **context(table, viewer, language, fields, rounds_known),
        )
        return drawing.fragment(html, table.version)

    if whole:
        return drawn("table.html.jinja")
    hinted = table.hint(viewer.seat)
    key = (viewer, language, tuple(fields.items()), notice, rounds_known, table.away_seats, bool(hinted))
    if key not in table.fragments:
        if len(table.fragments) >= FRAGMENTS_KEPT:
            table.fragments.clear()
        table.fragments[key] = drawn("table_live.html.jinja")
    return table.fragments[key]


def context(
    table: Table, viewer: Viewer, language: str, fields: Fields, rounds_known: int = 0
) -> dict[str, Any]:
    """Everything that the templates are given."""
    words = words_for(language, table.game.package).with_components(table.components)
    game, seat = table.game, viewer.seat
    view = table.view(seat)
    names = seat_names(words)[: len(table.seats)]
    here = f"/tables/{table.row.id}"
    choosing = Choosing(
        moves=[] if seat is None or table.has_stand_in(seat) else table.legal_moves(seat),
        fields=fields,
        page=here,
        action=f"{here}/moves",
        decision=0 if seat is None else table.decision(seat),
    )
    outcome = table.position.outcome
    over = None
    if outcome is not None:
        rows = table.position.breakdown()
        over = {"points": list(outcome.points), "winners": list(outcome.winners), "breakdown": rows}
    prompt = prompt_for(table, viewer, words, names, view)
    look = table_of(game)
    drawn = (
        plain_table(words, names, view, over)
        if look is None
        else look(Seen(view, grouped_history(table, seat), names))
    )
    return {
        **drawn,
        "plain": None if look else PLAIN,
        "here": here,
        "version": table.version,
        "game": {"key": game.name, "package": short_name(game), "title": game.title},
        "drawings": drawings_url(game),
        "view": view.words,
        "seat": seat,
        "seats": seats(table, viewer, names),
        "seating": seating(table, viewer, words, names),
        "chosen": choosing.chosen,
        "answer": table.choices[seat].move if seat is not None and seat in table.choices else None,
        "cancel": here if choosing.fields else None,
        "control": choosing.control,
        "acts": choosing.acts,
        "moved_among": partial(moved_among, drawn.get("moved", {})),
        "pick": pick,
        "ask_hint": asking_hint(table, seat, choosing),
        "hints": hints(table, words, names, view, seat, choosing),
        "options": lambda: options(table, words, names, view, seat, choosing),
        "option_groups": lambda: grouped_options(options(table, words, names, view, seat, choosing)),
        "confirm": confirm(table, viewer, words, names, view, choosing),
        "t": game.telling.bind(words),
        "prompt": prompt,
        "waiting": not prompt["mine"] and over is None,
        "progress": game.telling.progress(words, view),
        "log": log(table, seat, words, names, view, max(0, rounds_known - 1)),
        "over": over,
        "again": post(f"{here}/again", turn="0") if may_play_again(table, viewer, over) else None,
        "menu": menu(table, viewer, words, over),
    }


def moved_among(moved: Mapping[str, int], *places: Any) -> list[tuple[str, int]]:
    """The pieces that the last move moved among those whose ids stand somewhere in `places`, and their order."""
    found = []
    for place in places:
        if isinstance(place, str):
            found += [(place, moved[place])] if place in moved else []
        elif isinstance(place, Mapping):
            found += moved_among(moved, *place.values())
        elif isinstance(place, Iterable):
            found += moved_among(moved, *place)
    return found


def pick(things: Any, keys: Iterable[Any]) -> list[Any]:
    """Those of a list or mapping that have these keys."""
    return [things[key] for key in keys]


def grouped_history(table: Table, seat: int | None) -> "list[tuple[Event, ...]]":
    """The events of every move as the seat may know them; those since its last look count as one move."""
    history = table.history(seat)
    since = table.since_last_look(seat)
    latest = tuple(event for events in history[since:] for event in events)
    return [*history[:since], latest] if history else []


def seats(table: Table, viewer: Viewer, names: list[str]) -> list[Entry]:
    """The seats as the templates show them."""
    return [
        {
            "name": names[sitting.seat],
            "colour": COLOURS[sitting.seat],
            "mark": MARKS[sitting.seat],
            "kind": "bot" if sitting.bot else "person" if sitting.browser else "free",
            "bot": sitting.bot,
            "you": sitting.seat == viewer.seat,
            "to_act": sitting.seat in table.to_act,
            "has_chosen": sitting.seat in table.choices,
        }
        for sitting in table.seats
    ]


def seating(table: Table, viewer: Viewer, words: Words, names: list[str]) -> list[Entry]:
    """Who plays in each seat, and what the viewer can change about it: take the seat, or choose a bot for it."""
    replaceable = table.replaceable_seats(viewer)
    return [
        {
            "seat": sitting.seat,
            "name": names[sitting.seat],
            "who": who_plays(table, sitting.seat, sitting.seat == viewer.seat, words),
            "take": taking(table, sitting.seat, viewer, words, names),
            "change": changing_bot(table, sitting.seat, viewer, words)
            if sitting.seat in replaceable
            else None,
        }
        for sitting in table.seats
    ]


def taking(table: Table, seat: int, viewer: Viewer, words: Words, names: list[str]) -> Entry | None:
    """The button with which the viewer takes an open seat, or its own back from a bot."""
    control = post(f"/tables/{table.row.id}/seats", seat=str(seat))
    if table.position.is_over:
        return None
    if seat == viewer.seat and table.has_stand_in(seat):
        return {"control": control, "label": words("Play myself again")}
    if viewer.seat is None and seat in table.open_seats:
        return {"control": control, "label": words("Play as %(name)s", name=names[seat])}
    return None


def changing_bot(table: Table, seat: int, viewer: Viewer, words: Words) -> Entry:
    """The form that puts a bot in a seat: the levels, and what its button says."""
    bot = table.seats[seat].bot
    levels = [level.name for level in LEVELS]
    if bot is not None:
        label = words("Change")
    else:
        label = words("Let a bot play") if seat == viewer.seat else words("Put a bot")
    return {
        "url": f"/tables/{table.row.id}/bots",
        "bots": [
            {"name": name, "label": words(name), "selected": name == (bot or DEFAULT_BOT)}
            for name in (levels if bot is None or bot in levels else [bot, *levels])
        ],
        "label": label,
    }


def who_plays(table: Table, seat: int, mine: bool, words: Words) -> str:
    """Who plays in a seat, as the list of players says it."""
    sitting = table.seats[seat]
    if sitting.bot is not None:
        bot = words(sitting.bot)
        if mine:
            return words("bot for you: %(bot)s", bot=bot)
        if sitting.browser is not None:
            return words("bot for a person: %(bot)s", bot=bot)
        return words("bot: %(bot)s", bot=bot)
    if mine:
        return words("you")
    if sitting.browser is None:
        return words("nobody yet")
    return words("a person who is away") if seat in table.away_seats else words("a person")


def prompt_for(table: Table, viewer: Viewer, words: Words, names: list[str], view: "View") -> Entry:
    """What the bar says, and whether it asks the viewer for something."""
    seat = viewer.seat
    if table.has_stand_in(seat) and not table.position.is_over:
        said = table.game.telling.prompt(words, names, view, None)
        return {"text": words("A bot plays for you."), "hint": said.text, "mine": False}
    if seat is not None and seat in table.choices:
        return {
            "text": words("You have chosen."),
            "hint": words("You can change it until everyone has chosen."),
            "mine": False,
        }
    said = table.game.telling.prompt(words, names, view, seat)
    hint = said.hint
    if seat is None and table.free_seats:
        hint = words("There is a free seat: you can play along.")
    elif seat is None and table.open_seats:
        hint = words("You can take the seat of a bot and play along.")
    elif seat not in table.to_act and set(table.free_seats) & set(table.to_act):
        hint = words("Send this page’s address to a friend, who can take the free seat.")
    return {"text": said.text, "hint": hint, "mine": seat in table.to_act}


def confirm(
    table: Table, viewer: Viewer, words: Words, names: list[str], view: "View", choosing: Choosing
) -> Entry | None:
    """The bar's button: the chosen move, taking a choice back, a free seat, or the next game."""
    here = f"/tables/{table.row.id}"
    if choosing.whole is not None and viewer.seat is not None:
        label = table.game.telling.move_text(words, names, choosing.whole, view, viewer.seat)
        return {"control": choosing.carry_out(choosing.whole), "label": label}
    if viewer.seat is not None and table.has_stand_in(viewer.seat) and not table.position.is_over:
        return taking(table, viewer.seat, viewer, words, names)
    if viewer.seat in table.choices:
        return {"control": post(f"{here}/take-back"), "label": words("Take it back")}
    if table.row.next is not None:
        return {
            "control": Control("choose", f"/tables/{table.row.next}", {}),
            "label": words("Go to the next game"),
        }
    if viewer.seat is None and table.open_seats:
        return taking(table, table.open_seats[0], viewer, words, names)
    return None


def options(
    table: Table, words: Words, names: list[str], view: "View", seat: int | None, choosing: Choosing
) -> list[Entry]:
    """Every legal move with the parts chosen so far: in the record's words, as a button says it, and its control."""
    return [
        {
            "move": move,
            "label": table.game.telling.move_text(words, names, move, view, seat),
            "control": choosing.carry_out(move),
        }
        for move in choosing.options
        if seat is not None
    ]


def grouped_options(found: list[Entry]) -> list[list[Entry]]:
    """The options by their kinds of moves, in the order of the kinds."""
    return [list(alike) for _, alike in groupby(found, lambda option: option["move"]["do"])]


def asking_hint(table: Table, seat: int | None, choosing: Choosing) -> Control | None:
    """The control that asks for a hint, while there is none and nothing is chosen."""
    if choosing.fields or table.hint(seat) or not table.gives_hints(seat):
        return None
    return post(f"/tables/{table.row.id}/hint")


def hints(
    table: Table, words: Words, names: list[str], view: "View", seat: int | None, choosing: Choosing
) -> list[Entry]:
    """The best moves, if the seat has asked for a hint: what each is, its chance to win, and what chooses it."""
    hint = table.hint(seat)
    if hint is None or seat is None:
        return []
    return [
        {
            "label": table.game.telling.move_text(words, names, move, view, seat),
            "chance": format_percent(chance, locale=words.locale),
            "control": choosing.choose(move),
        }
        for move, chance in hint.moves
    ]


def may_play_again(table: Table, viewer: Viewer, over: Json | None) -> bool:
    """Whether the viewer may start the same game again."""
    return over is not None and table.row.next is None and (viewer.seat is not None or viewer.maker)


def log(
    table: Table, seat: int | None, words: Words, names: list[str], view: "View", first: int = 0
) -> list[Entry]:
    """What happened, round by round from round number `first` (counted from 0) on, as the seat may know it."""
    parts = []
    for part in table.rounds[first:]:
        key = (seat, words.language, part.number)
        lines = table.told.get(key)
        if lines is None:
            is_last = part is table.rounds[-1]
            after = view if is_last else as_seen(part.after, seat)
            events = [event for move in table.history(seat)[part.first : part.last] for event in move]
            lines = table.game.telling.tell(words, names, events, after)
            if not is_last:
                table.told[key] = lines
        heading = words("Round %(round)s", round=part.number) if part.number else ""
        parts.append({"number": part.number, "heading": heading, "lines": lines})
    return parts


def as_seen(position: "Position", seat: int | None) -> "View":
    """A position as the seat may know it."""
    return position.view() if seat is None else position.view(seat)


def menu(table: Table, viewer: Viewer, words: Words, over: Json | None) -> list[Entry]:
    """The entries of the menu."""
    here = f"/tables/{table.row.id}"
    entries: list[Entry] = [
        *(
            [{"label": words("Rules"), "url": f"/games/{table.game.name}/rules"}]
            if has_rules_page(table.game)
            else []
        ),
        {"label": words("All tables"), "url": "/"},
    ]
    if over is None:
        if viewer.seat is not None or viewer.maker:
            entries += [
                {"label": pace_name(words, pace), "control": post(f"{here}/pace", pace=pace)}
                for pace in PACES
                if pace != table.row.pace
            ]
        if viewer.maker and table.row.open_bots:
            entries.append(
                {"label": words("Keep the bots in their seats"), "control": post(f"{here}/open", open="no")}
            )
        elif viewer.maker:
            entries.append(
                {
                    "label": words("Let visitors take the bots’ seats"),
                    "control": post(f"{here}/open", open="yes"),
                }
            )
    elif may_play_again(table, viewer, over):
        entries += [
            {"label": words("Play the same again"), "control": post(f"{here}/again", turn="0")},
            {
                "label": words("Play again, everyone one seat further"),
                "control": post(f"{here}/again", turn="1"),
            },
        ]
    entries.append({"label": words("Download the record"), "url": f"{here}/record"})
    return entries


def pace_name(words: Words, pace: str) -> str:
    """A pace as the menu offers it."""
    match pace:
        case "calm":
            return words("Bots move one by one")
        case "fast":
            return words("Bots move fast")
        case _:
            return words("Bots move at once")
