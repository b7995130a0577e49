"""The pages of puzzles: the list of games, and a position at a table, to be solved and then explained."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from babel.dates import format_date
from babel.numbers import format_decimal

from atoll.core.game import Game
from atoll.core.game_translator import GameTranslator
from atoll.core.types import Json
from atoll.lab.puzzles import LEVELS, ONE, SEVERAL, Choice, Why
from atoll.text.translation import Translator
from atoll.web.pages.log import log
from atoll.web.pages.players import names_of, seat_labels
from atoll.web.pages.regions import Fragment, RegionDrawer
from atoll.web.pages.replay_page import ShownMove, past_table
from atoll.web.pages.table_page import ELSEWHERE, context
from atoll.web.pages.templating import draw
from atoll.web.store.puzzle_answers import PuzzleAnswer, PuzzleAnswers
from atoll.web.table.daily import today
from atoll.web.table.move_choice import Control, Fields, post
from atoll.web.table.own_puzzles import OwnError, OwnPuzzle, next_own
from atoll.web.table.puzzles import (
    NumberedPuzzle,
    PuzzleTable,
    due_puzzles,
    games_with_puzzles,
    level_of,
    next_puzzle,
    own_answers,
    puzzle_of_the_day,
    puzzles_of,
    solved,
)
from atoll.web.table.seats import Viewer
from atoll.web.table.seen_table import seen_by
from atoll.web.translation import translator_for

Entry = dict[str, Any]
LIST = "/puzzles"
"""The page of all puzzles."""
MOST_LISTED = 6
"""Moves that the answer lists, besides one's own."""


def draw_puzzles(answers: PuzzleAnswers, browser: str, language: str, errors: Sequence[OwnError]) -> str:
    """The page with a card for each game that has puzzles, and with those of a person's own errors."""
    translator, mine = translator_for(language), answers.of(browser)
    by_name = {one.puzzle: one for one in mine}
    return draw(
        "puzzles.html.jinja",
        language,
        here=LIST,
        games=[puzzle_entry(game, mine, translator) for game in games_with_puzzles()],
        own={
            "count": len(errors),
            "solved": sum(one.name in by_name and by_name[one.name].right for one in errors),
            "next": next_own(errors, by_name) is not None,
        },
    )


def puzzle_entry(game: Game, answers: Sequence[PuzzleAnswer], translator: Translator) -> Entry:
    """How a person stands with a game's puzzles."""
    known, answered, day = puzzles_of(game), own_answers(game, answers), today()
    of_today = puzzle_of_the_day(game, day)
    following = next_puzzle(game, answers)
    level = level_of(known, answered)
    todays = answered.get(of_today.name)
    return {
        "game": game.name,
        "title": game.title,
        "count": len(known),
        "solved": solved(known, answered),
        "due": len(due_puzzles(game, answers)),
        "levels": [
            {
                "label": translator(one),
                "passed": LEVELS.index(one) < LEVELS.index(level),
                "current": one == level,
            }
            for one in LEVELS
        ],
        "today": {
            "url": of_today.address,
            "level": translator(of_today.puzzle.level),
            "done": todays is not None,
            "right": todays is not None and todays.first_right,
        },
        "next": None if following is None else following.address,
    }


def puzzles_offer(answers: PuzzleAnswers, browser: str, translator: Translator) -> list[Entry]:
    """What the start page offers: today's puzzle of each game, those that are not solved yet first."""
    mine = answers.of(browser)
    entries = [puzzle_entry(game, mine, translator) for game in games_with_puzzles()]
    return sorted(entries, key=lambda entry: bool(entry["today"]["done"]))


def draw_puzzle(
    one: NumberedPuzzle,
    answers: PuzzleAnswers,
    browser: str,
    language: str,
    fields: Fields,
    notice: str | None = None,
    *,
    whole: bool,
    confirms: bool,
) -> Fragment:
    """A puzzle, to be solved, or with its solution once it is answered and does not come again yet."""
    table = PuzzleTable(one)
    translator = GameTranslator(translator_for(language, table.game.package), table.components)
    viewer = Viewer(one.puzzle.seat)
    names = seat_labels(translator, table.seating, viewer.seat)
    seen = seen_by(viewer, table, names)
    mine = answers.of(browser)
    answer = own_answers(one.game, mine).get(one.name)
    is_open = answer is None or answer.is_due(today())
    drawing = RegionDrawer({})
    told: Entry
    if is_open:
        shown = context(seen, translator, fields, confirms, notice)
        told = question_context(one, answer, translator, choosing=bool(fields))
        if not fields:
            shown["prompt"] = {**shown["prompt"], "hint": translator("What is best here?")}
    else:
        assert answer is not None
        solution = Solution(one, table, answer, translator)
        ringed = ShownMove(one.puzzle.right, {}, one.address, one.address, 0, best=one.puzzle.right[0])
        shown = context(past_table(seen), translator, {}, confirms=True, notice=notice, shown=ringed)
        following = "/puzzles/own" if isinstance(one, OwnPuzzle) else address_of(next_puzzle(one.game, mine))
        told = solution.context(answers.first_tries(one.game.name, one.name), following)
    html = draw(
        "table.html.jinja" if whole else "table_live.html.jinja",
        language,
        table.game,
        draw_region=drawing.draw_region,
        log=log(table.timeline, viewer.seat, translator, names),
        **shown | unused_context() | told,
    )
    return drawing.fragment(html, 1 if is_open else 2)


def unused_context() -> Entry:
    """The entries of a table's context that a puzzle does without."""
    nothing = ("resign", "deal", "talk", "proposal", "branch", "again", "repeat_move", "stop_premove")
    return ELSEWHERE | dict.fromkeys(nothing) | {"paces": [], "table_settings": [], "refreshes": False}


def question_context(
    one: NumberedPuzzle, answer: PuzzleAnswer | None, translator: Translator, *, choosing: bool
) -> Entry:
    """What differs from a table while a puzzle is to be solved."""
    return {
        "puzzle": {
            "heading": heading(one, translator),
            "again": answer is not None,
            "several": None if choosing else post(f"{one.address}/moves", **{SEVERAL: "yes"}),
            "answered": False,
        },
        "version": 1,
        **frame_context(one, translator),
    }


def address_of(one: NumberedPuzzle | None) -> str:
    """Where a puzzle is solved; the list, if there is none."""
    return LIST if one is None else one.address


def heading(one: NumberedPuzzle, translator: Translator) -> str:
    """What a puzzle is called."""
    if isinstance(one, OwnPuzzle):
        return translator("From your own games")
    level = translator(one.puzzle.level)
    if one.name == puzzle_of_the_day(one.game, today()).name:
        return translator("Puzzle of the day · %(level)s", level=level)
    return translator("Puzzle %(number)s · %(level)s", number=one.number, level=level)


def frame_context(one: NumberedPuzzle, translator: Translator) -> Entry:
    """Title and menu."""
    title = (
        translator("Your own puzzle – %(game)s", game=one.game.title)
        if isinstance(one, OwnPuzzle)
        else translator("Puzzle %(number)s – %(game)s", number=one.number, game=one.game.title)
    )
    return {"tab_title": title, "menu": [{"label": translator("All puzzles"), "url": LIST}]}


class Solution:
    """What is told of a puzzle that somebody has answered."""

    def __init__(
        self, one: NumberedPuzzle, table: PuzzleTable, answer: PuzzleAnswer, translator: GameTranslator
    ) -> None:
        self.one, self.answer, self.say = one, answer, translator
        self.puzzle = one.puzzle
        self.names = names_of(translator, table.seating)
        self.view = table.timeline.view(one.puzzle.seat)

    def context(self, tries: tuple[int, int], following: str) -> Entry:
        """What differs from a table once a puzzle is answered; `tries` are those of all people."""
        say, right = self.say, self.answer.right
        return {
            "puzzle": {
                "heading": heading(self.one, say),
                "answered": True,
                "right": right,
                "solution": self.solution(),
                "why": self.why(),
                "moves": self.moves(),
                "again": self.again(),
                "others": say.plural(
                    "%(right)s of %(num)s player found it at the first try.",
                    "%(right)s of %(num)s players found it at the first try.",
                    tries[1],
                    right=tries[0],
                )
                if tries[1] > 1
                else "",
            },
            "prompt": {"text": self.verdict(), "hint": None, "mine": False},
            "confirm": {
                "control": Control("choose", following, {}),
                "label": say("All puzzles") if following == LIST else say("Next puzzle"),
            },
            "says_why": False,
            "version": 2,
            **frame_context(self.one, say),
        }

    def text_of(self, move: Json) -> str:
        """A move in words."""
        text: str = self.view.game.messages.move_text(self.say, self.names, move, self.view, self.puzzle.seat)
        return text

    def verdict(self) -> str:
        """Whether the answer was right."""
        say, answer = self.say, self.answer.answer
        if self.answer.right:
            return say("Right!")
        if answer == SEVERAL:
            return say("No: here one move is clearly better.")
        choice = self.puzzle.choice(answer)  # type: ignore[arg-type]
        assert choice is not None
        return say.plural(
            "Not the best: it wins about %(num)s game in 100 fewer.",
            "Not the best: it wins about %(num)s games in 100 fewer.",
            points(choice.loss),
        )

    def solution(self) -> str:
        """The right moves."""
        say, right = self.say, self.puzzle.right
        if self.puzzle.kind == SEVERAL:
            return say("Several are fine, and ringed: %(moves)s.", moves=self.listed(right))
        return say("Best, and ringed: %(move)s.", move=self.text_of(right[0]))

    def listed(self, moves: Sequence[Json]) -> str:
        """Some moves in words, not too many."""
        texts = [self.text_of(move) for move in moves[:MOST_LISTED]]
        return " · ".join(texts) + (" …" if len(moves) > MOST_LISTED else "")

    def why(self) -> str:
        """What the best move brings."""
        say = self.say
        if self.puzzle.kind != ONE:
            return say("None of them is clearly better than the others.")
        if isinstance(self.one, OwnPuzzle):
            played = self.puzzle.choice(self.one.played)
            assert played is not None
            better = say(
                "In your game you chose another: %(move)s. That wins about %(points)s fewer games in 100.",
                move=self.text_of(played.move),
                points=points(played.loss),
            )
        else:
            better = say(
                "Who plays it wins about %(points)s more games in 100 than with the next best move.",
                points=points(min(choice.loss for choice in self.puzzle.choices[1:])),
            )
        if not self.puzzle.why:
            return better
        figures = say.both([self.figure(one) for one in self.puzzle.why])
        return better + " " + say("In points at the end, on average: %(figures)s.", figures=figures)

    def figure(self, one: Why) -> str:
        """What it brings in a part of the score, or to another seat."""
        name = self.say(one.part) if one.part else self.names[one.seat]
        value = format_decimal(one.points, format="+0.#;−0.#", locale=self.say.locale)
        return f"{name} {value}"

    def moves(self) -> list[Entry]:
        """The best moves and one's own, with what they cost."""
        own = self.answer.answer
        return [
            {
                "label": self.text_of(choice.move),
                "own": choice.move == own,
                "right": choice.is_right,
                "cost": self.cost(choice),
            }
            for place, choice in enumerate(self.puzzle.choices)
            if place < MOST_LISTED or choice.move == own
        ]

    def cost(self, choice: Choice) -> str:
        """What a move costs, in words."""
        if choice.is_right:
            return self.say("Fine")
        low, high = max(0, points(choice.low)), points(choice.high)
        return self.say(
            "about %(loss)s fewer (%(low)s to %(high)s)", loss=points(choice.loss), low=low, high=high
        )

    def again(self) -> str:
        """When the puzzle comes again."""
        if self.answer.due is None:
            return ""
        day = format_date(date.fromisoformat(self.answer.due), format="full", locale=self.say.locale)
        return self.say("It comes again on %(day)s.", day=day)


def points(share: float) -> int:
    """A share in points of 100."""
    return round(100 * share)
