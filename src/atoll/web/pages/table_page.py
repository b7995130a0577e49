"""The page of a table: the context of its templates, made of nothing but the viewer's own view."""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import groupby
from typing import Any

from babel.numbers import format_decimal, format_percent

from atoll.core.game_translator import GameTranslator
from atoll.core.seen import Seen
from atoll.core.types import Json
from atoll.text.translation import Translator
from atoll.web.pages import clocks, lessons, premoves, undo
from atoll.web.pages.deal import deal_context
from atoll.web.pages.drawings import drawings_url
from atoll.web.pages.ending import ending, standings, verdict
from atoll.web.pages.hot_seat import hot_seat
from atoll.web.pages.log import log
from atoll.web.pages.plain_table import PLAIN, naming, plain_table, table_function
from atoll.web.pages.players import seat_labels, seating, seats, take_button
from atoll.web.pages.proposals import proposal
from atoll.web.pages.regions import Fragment, RegionDrawer
from atoll.web.pages.render_cache import render_cache
from atoll.web.pages.scripts import drags
from atoll.web.pages.table_facts import table_facts, table_settings
from atoll.web.pages.table_links import branch, phase_rules_address
from atoll.web.pages.table_menu import confirmation_entries, menu, pace_entries, resignation
from atoll.web.pages.templating import draw, short_name
from atoll.web.pages.waiting_room import room_button, room_prompt, waiting_room
from atoll.web.table.move_choice import Control, Fields, MoveChoice, post
from atoll.web.table.names import LONGEST
from atoll.web.table.seats import Viewer
from atoll.web.table.seen_table import SeenTable, seen_by
from atoll.web.table.table import Table
from atoll.web.translation import translator_for

Entry = dict[str, Any]


def draw_table(
    table: Table,
    viewer: Viewer,
    language: str,
    fields: Fields,
    notice: str | None = None,
    *,
    whole: bool = False,
    confirms: bool = True,
    rounds_known: int = 0,
    frame: Entry | None = None,
) -> Fragment:
    """A table for a viewer who has chosen some parts of a move: the live part, or the whole page with its `frame`,
    such as the `invitation`.

    With `confirms`, pressing a move chooses it, and the bar's button plays it. The log of rounds that the
    page has in full, all but the last of `rounds_known`, is left out of the live part. It is drawn once for all who
    see the same. The caller holds the table's lock.
    """

    cache = render_cache(table)
    is_lesson, people = table.row.lesson is not None, table.seating.names

    def render(name: str) -> Fragment:
        fixed = (language, confirms, is_lesson, people)
        drawing = RegionDrawer(
            cache.regions.setdefault((viewer, *fixed), {}),
            cache.shared.setdefault(fixed, {}),
        )
        translator = GameTranslator(translator_for(language, table.game.package), table.components)
        names = seat_labels(translator, table.seating, viewer.seat)
        html = draw(
            name,
            language,
            table.game,
            time_now=table.store.time.wall(),
            long_time=clocks.LONG,
            draw_region=drawing.draw_region,
            log=log(table.timeline, viewer.seat, translator, names, rounds_known, cache),
            **frame or {},
            **context(seen_by(viewer, table, names), translator, fields, confirms, notice),
        )
        return drawing.fragment(html, table.version)

    if whole:
        return render("table.html.jinja")
    hint = table.bots.hint(viewer.seat)
    inputs = (tuple(fields.items()), notice, rounds_known, table.seating.away, bool(hint), people)
    key = (viewer, language, confirms, inputs)
    return cache.fragment(key, lambda: render("table_live.html.jinja"))


ELSEWHERE: Entry = {"seating": [], "free": (), "undo": None, "look_back": None, "analyse": None}
"""Entries of the context on pages that show a table and are not its own, such as a replay: nobody is seated there, and
nothing leads on.
"""


def context(
    table: SeenTable,
    translator: Translator,
    fields: Fields,
    confirms: bool,
    notice: str | None = None,
    shown: MoveChoice | None = None,
) -> dict[str, Any]:
    """The templates' context, besides the log; what is only `shown` takes the place of moves that can be made."""
    game, here = table.game, table.address
    asks_for = table.step.asks_for if table.step else None
    best = table.hint.moves[0][0] if table.hint and table.hint.moves else None
    choosing = shown or MoveChoice(
        table.moves, fields, here, f"{here}/moves", table.decision, confirms, asks_for, best
    )
    lesson_prompt = lessons.lesson_prompt(table, translator, choosing, notice)
    prompt = lesson_prompt or prompt_for(table, translator, choosing)
    draw_scene = table_function(game)
    scene = (
        plain_table(translator, table.names, table.view, table.over)
        if draw_scene is None
        else draw_scene(table.seen)
    )
    people, room = seats(table, translator), waiting_room(table, translator)
    return {
        **scene,
        "plain": None if draw_scene else PLAIN,
        "here": here,
        "version": table.version,
        "game": {"key": game.name, "package": short_name(game), "title": game.title},
        "drawings": drawings_url(game),
        "drags": drags(game),
        "seat": table.seat,
        "decides": bool(table.moves),
        "seats": people,
        "named": partial(named, [(person["name"], person["you"]) for person in people]),
        "seating": seating(table, translator),
        "room": room,
        "deal": deal_context(table, translator),
        "preview": preview(table, translator),
        "longest_name": LONGEST,
        "proposal": proposal(table, translator),
        "talk": f"{here}/chat" if table.seating.people > 1 else None,
        "shared": bool(table.viewer.here),
        "hot_seat": hot_seat(table, translator),
        "free": table.seating.free if not table.has_ended else (),
        "ended": table.has_ended,
        "chosen": choosing.chosen,
        "answer": table.choice,
        "cancel": here if choosing.fields else None,
        "control": choosing.control,
        "acts": choosing.acts,
        "pick": pick,
        "hint_button": hint_button(table, choosing),
        "stop_premove": premoves.stop_button(table, translator),
        "repeat_move": premoves.repeat_button(table, translator, choosing),
        "undo": undo.undo_button(table, translator, choosing),
        "undo_request": undo.undo_request(table, translator),
        "clock": clocks.bar_clock(table, translator),
        "clocked": table.clock is not None or table.begins_at is not None,
        "table_settings": table_settings(table, translator),
        "away_until": None if table.seat is None else table.seating.seats[table.seat].away_until or "",
        "hints": hints(table, translator, choosing),
        "hint_reason": hint_reason(table, translator),
        "says_why": table.hint is not None and any(table.hint.why),
        "shows_best": choosing.whole is None,
        "options": partial(options, table.seen, translator, choosing),
        "option_groups": partial(grouped_options, table.seen, translator, choosing),
        "confirm": confirm(table, translator, choosing),
        "t": game.messages.bind(translator),
        "name_of": naming(game, table.view.components, translator, table.names),
        "prompt": prompt,
        "tab_title": tab_title(table, translator, mine=prompt["mine"]),
        "refreshes": not (prompt["mine"] or table.has_ended or (room and room["fills_in"])),
        "progress": game.messages.progress(translator, table.view),
        "over": table.over,
        "look_back": f"{here}/back" if table.is_over else None,
        "analyse": f"{here}/analysis/begin" if table.tells_all else None,
        "branch": branch(table),
        "ending": ending(table, translator),
        "standings": standings(table.over) if table.over else [],
        "again": post(f"{here}/again", turn="0") if table.may_play_again else None,
        "menu": menu(table, translator),
        "resign": resignation(table),
        "paces": pace_entries(table, translator),
        "rules": phase_rules_address(table),
        "lesson": lessons.lesson_context(table, translator),
        "notice": None if prompt.get("reason") else notice,
        "confirms": confirms,
        "confirmations": confirmation_entries(here, translator, confirms),
    }


def named(people: Sequence[tuple[str, bool]], *places: Any) -> list[tuple[str, bool]]:
    """The labels of the seats whose numbers occur in `places`, and whether each is the viewer's."""
    labels: list[tuple[str, bool]] = []
    for place in places:
        if isinstance(place, int):
            labels.append(people[place])
        else:
            labels += named(people, *place)
    return labels


def pick(things: Any, keys: Iterable[Any]) -> list[Any]:
    """Those of a list or mapping that have these keys."""
    return [things[key] for key in keys]


def prompt_for(table: SeenTable, translator: Translator, choosing: MoveChoice) -> Entry:
    """The bar's prompt; `mine`: whether the viewer has to decide."""
    seat, free, prompt = table.seat, table.seating.free, table.game.messages.prompt
    if table.seating.waiting:
        return room_prompt(table, translator)
    if (handover := hot_seat(table, translator)) is not None:
        return handover.prompt
    if table.seating.ended is not None:
        return {"text": translator("This game has ended without a result."), "hint": None, "mine": False}
    if table.is_over:
        return {"text": verdict(table, translator)["whole"], "hint": None, "mine": False}
    if table.has_stand_in:
        message = prompt(translator, table.names, table.view, None)
        return {"text": translator("A bot plays for you."), "hint": message.text, "mine": False}
    if choosing.whole is not None and seat is not None:
        message = prompt(translator, table.names, table.view, seat)
        if table.may_take_back:
            text = translator("Choose this? You can change it until everyone has chosen.")
        else:
            text = translator("Play this?")
        return {"text": text, "hint": message.hint, "mine": True}
    if table.choice is not None:
        others = translator.both([table.names[s] for s in table.to_act if s != seat])
        return {
            "text": translator("You have chosen. Waiting for %(names)s.", names=others)
            if others
            else translator("You have chosen."),
            "hint": translator("You can change it until everyone has chosen."),
            "mine": False,
        }
    message = prompt(translator, table.names, table.view, seat)
    text, hint = message.text, message.hint
    awaited = [table.names[s] for s in free if s in table.to_act]
    if awaited and len(awaited) == len(table.to_act):
        text = translator.plural(
            "%(names)s’s seat is free: the game waits for somebody to take it.",
            "The seats of %(names)s are free: the game waits for somebody to take them.",
            len(awaited),
            names=translator.both(awaited),
        )
    if seat is None and free:
        hint = translator("There is a free seat: you can play along.")
    elif seat is None and table.open_seats:
        hint = translator("You can take the seat of a bot and play along.")
    elif seat not in table.to_act and awaited:
        hint = translator("Invite somebody to take the free seat.")
    elif seat not in table.to_act and (absences := clocks.absent_players(table, translator)):
        hint = absences
    elif seat is None and not table.viewer.here:
        hint = translator("All seats are taken: you are watching.")
    return {"text": text, "hint": hint, "mine": seat in table.to_act}


def tab_title(table: SeenTable, translator: Translator, *, mine: bool) -> str:
    """The title of the browser's tab: whose turn it is, and the game."""
    if table.has_ended:
        return translator("Game over – %(game)s", game=table.game.title)
    if mine:
        return translator("Your turn – %(game)s", game=table.game.title)
    if table.seating.waiting:
        return translator("Waiting room – %(game)s", game=table.game.title)
    names = translator.both([table.names[seat] for seat in table.to_act])
    return translator("Waiting for %(names)s – %(game)s", names=names, game=table.game.title)


def preview(table: SeenTable, translator: Translator) -> Entry:
    """What a chat program shows of a link to the table: nothing of what is hidden or of how the game goes."""
    facts = table_facts(table, translator)
    if table.seating.waiting:
        facts += [name for name in table.seating.names if name]
        facts.append(room_prompt(table, translator)["text"])
    return {
        "title": translator("Waiting room – %(game)s", game=table.game.title)
        if table.seating.waiting
        else table.game.title,
        "description": " · ".join(facts),
        "image": f"/games/{table.game.name}/cover.png",
    }


def confirm(table: SeenTable, translator: Translator, choosing: MoveChoice) -> Entry | None:
    """The bar's main button: plays the chosen move, takes a choice back, takes a free seat or opens the next game."""
    if table.seating.waiting:
        return room_button(table, translator)
    if (handover := hot_seat(table, translator)) is not None:
        return handover.hands[0] if handover.hands else None
    if choosing.whole is not None and table.seat is not None:
        return {
            "control": choosing.carry_out(choosing.whole),
            "label": move_label(table.seen, translator, choosing.whole),
        }
    if table.seat is not None and table.has_stand_in and not table.has_ended:
        return take_button(table, table.seat, translator)
    if table.choice is not None:
        return {"control": post(f"{table.address}/take-back"), "label": translator("Take it back")}
    if (following := lessons.next_lesson(table, translator, choosing)) is not None:
        return following
    if table.next is not None:
        return {
            "control": Control("choose", f"/tables/{table.next}", {}),
            "label": translator("Go to the next game"),
        }
    if table.seat is None and table.open_seats:
        return take_button(table, table.open_seats[0], translator)
    return None


def move_label(seen: Seen, translator: Translator, move: Json) -> str:
    """The label of one of the viewer's moves."""
    label: str = seen.view.game.messages.move_text(translator, seen.names, move, seen.view, seen.view.seat)
    return label


def options(
    seen: Seen, translator: Translator, choosing: MoveChoice, moves: Sequence[Json] | None = None
) -> list[Entry]:
    """Every legal move with the parts chosen so far: as JSON, its label and its control."""
    return [
        {"move": move, "label": move_label(seen, translator, move), "control": choosing.press(move)}
        for move in (choosing.options if moves is None else moves)
    ]


def grouped_options(seen: Seen, translator: Translator, choosing: MoveChoice) -> list[list[Entry]]:
    """The options grouped by kind of move; all legal moves once a whole one is chosen."""
    all_options = options(
        seen, translator, choosing, choosing.options if choosing.whole is None else choosing.moves
    )
    return [list(group) for _, group in groupby(all_options, lambda option: option["move"]["do"])]


def hint_button(table: SeenTable, choosing: MoveChoice) -> Control | None:
    """The control that requests a hint; None while one is shown or a move is being chosen."""
    if choosing.fields or table.hint or not table.gives_hint:
        return None
    return post(f"{table.address}/hint")


def hints(table: SeenTable, translator: Translator, choosing: MoveChoice) -> list[Entry]:
    """The best moves of a requested hint: label, chance to win, and the control that chooses it."""
    if table.hint is None:
        return []
    return [
        {
            "label": move_label(table.seen, translator, move),
            "chance": format_percent(chance, locale=translator.locale),
            "control": choosing.choose(move),
            "why": why,
        }
        for (move, chance), why in zip(table.hint.moves, reason_words(table, translator), strict=True)
    ]


def reason_words(table: SeenTable, translator: Translator) -> list[str]:
    """What each move of a hint brings more or less than the others, such as "Treasures +2, Blue -1"."""

    def said(what: str | int, points: float) -> str:
        name = translator(what) if isinstance(what, str) else table.names[what]
        return f"{name} " + format_decimal(points, format="+0.#;−0.#", locale=translator.locale)

    assert table.hint is not None
    told = table.hint.why or ((),) * len(table.hint.moves)
    return [" · ".join(said(*reason) for reason in why) for why in told]


CLOSE = 0.02
"""Moves whose chances to win differ by less count as equally good."""


def hint_reason(table: SeenTable, translator: Translator) -> str:
    """How much better a hint's best move is than the next; empty without a hint."""
    chances = [chance for _, chance in table.hint.moves] if table.hint else []
    if len(chances) < 2:
        return ""
    gained = chances[0] - chances[1]
    if gained < CLOSE:
        return translator("The first two are about equally good.")
    points = round(100 * gained)
    return translator.plural(
        "The first wins %(num)s game in 100 more than the next.",
        "The first wins %(num)s games in 100 more than the next.",
        points,
    )
