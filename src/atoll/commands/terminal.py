"""A game in the terminal, one person against bots; everything shown is what that person's seat may know."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from atoll.bots import Bot, SeatedBot
from atoll.commands.console import PlainConsole
from atoll.core.events import Event
from atoll.core.game import Game, Position, View
from atoll.core.game_translator import GameTranslator
from atoll.core.types import Components, Json
from atoll.engine.chance import derive, generator
from atoll.engine.seeds import new_key, new_seed
from atoll.lab.summary import forfeited
from atoll.text.errors import AtollError
from atoll.text.messages import Message
from atoll.text.translation import Translator, seat_names

AT_ONCE = 12
"""So many moves are listed whole; of more, one part is chosen after the other."""


def play_in_terminal(
    game: Game,
    players: int,
    seat: int,
    bots: Sequence[Bot],
    seed: int | None,
    *,
    language: str = "en",
    options: Mapping[str, bool] | None = None,
    components: Components | None = None,
    console: PlainConsole | None = None,
) -> None:
    """Play a whole game at the terminal in `seat`, from 0; `bots` fill the other seats, repeated if need be. Without a
    `seed` the game is unpredictable.

    Raises AtollError for a game, a seat or a bot that cannot be. Ends early when the input does.
    """
    translator = Translator(language)
    if not 0 <= seat < players:
        raise AtollError(
            Message(
                "there is no seat %(seat)s: seats are 1 to %(players)s",
                seat=seat + 1,
                players=players,
            )
        )
    if not bots:
        raise AtollError(Message("at least one bot has to be named"))
    translator = translator.with_package(game.package)
    console = console or PlainConsole()
    with console.status(translator("Setting up the game…")):
        for bot in bots[: players - 1]:
            bot.prepare(game)
        keyed = seed is None
        position = game.start(players, new_key() if seed is None else seed, components, options, keyed=keyed)
    translator = GameTranslator(translator, position.components)
    table = TerminalTable(console, translator, position, seat)
    table.greet()
    own = new_seed() if seed is None else seed
    others = {
        other: bots[number % len(bots)].sit(generator(derive(own, other)))
        for number, other in enumerate(other for other in range(players) if other != seat)
    }
    try:
        for _ in position.until_over():
            actor = position.to_act[0]
            if actor == seat:
                move = table.ask()
                if move is None:
                    return
                table.note(position.play(seat, move))
            else:
                moves = position.legal_moves(actor).actions
                action = others[actor].decide(position.view(actor), moves)
                table.note(position.play_action(actor, action))
    finally:
        for player in others.values():
            player.leave(position.outcome)
    table.show()
    table.show_result()
    table.show_forfeits(others.values())


class TerminalTable:
    """What one person sees of the game and what they type."""

    def __init__(self, console: PlainConsole, translator: Translator, position: Position, seat: int) -> None:
        self.console = console
        self.translator = translator
        self.position = position
        self.game = position.game
        self.seat = seat
        self.names = seat_names(translator)[: position.players]
        self.since: list[Event] = []  # what happened since it was last told

    def note(self, events: Sequence[Event]) -> None:
        """Remember what happened, as this seat may know it."""
        self.since += [self.game.notation.hide_event(event, self.seat) for event in events]

    def view(self) -> View:
        """The position as this seat may know it."""
        return self.position.view(self.seat)

    def greet(self) -> None:
        """Say who plays, and how to get help."""
        self.console.print(
            self.translator(
                "%(title)s. You are %(name)s. Type ? for help, q to quit.",
                title=self.game.title,
                name=self.names[self.seat],
            ),
            style="bold",
        )

    def show(self) -> None:
        """What happened since the last time, and the table now."""
        view = self.view()
        for line in self.game.messages.tell(self.translator, self.names, self.since, view):
            self.console.print(f"· {line.text}")
            for effect in line.effects:
                self.console.print(f"    {effect.text}", style="dim")
        self.since = []
        self.console.print()
        self.console.print(self.steps_text(view))
        picture = self.game.messages.picture(self.translator, self.names, view)
        self.console.print(Text.from_markup(picture, emoji=False))
        self.console.print()

    def steps_text(self, view: View) -> Text:
        """The round and its steps, with the one that it is now."""
        progress = self.game.messages.progress(self.translator, view)
        if not progress.round:
            return Text()
        styles = {"done": "dim", "now": "bold reverse", "next": "default"}
        steps = [Text(f" {phase.label} ", styles[phase.state]) for phase in progress.phases]
        if progress.fewest_rounds:
            number = self.translator(
                "Round %(round)s of %(fewest)s to %(rounds)s",
                round=progress.round,
                fewest=progress.fewest_rounds,
                rounds=progress.rounds,
            )
        elif progress.rounds:
            number = self.translator(
                "Round %(round)s of %(rounds)s", round=progress.round, rounds=progress.rounds
            )
        else:
            number = self.translator("Round %(round)s", round=progress.round)
        return Text.assemble((number, "bold"), "  ", Text("·").join(steps))

    def ask(self) -> Json | None:
        """The move that the person chooses, or None if they leave or the input ends."""
        self.show()
        view = self.view()
        prompt = self.game.messages.prompt(self.translator, self.names, view, self.seat)
        self.console.print(prompt.text, style="bold")
        if prompt.hint:
            self.console.print(prompt.hint, style="dim")
        return self.choose(list(view.legal_moves()), view)

    def choose(self, moves: list[Json], view: View) -> Json | None:
        """One of the legal moves, chosen from a list, part by part if they are many."""
        candidates = moves
        while True:
            parts = parts_of(candidates)
            labels = [
                self.game.messages.move_text(self.translator, self.names, part, view, self.seat)
                for part in parts
            ]
            for number, label in enumerate(labels, start=1):
                self.console.print(f"  {number:>2}  {label}")
            picked = self.pick(len(parts), back=len(candidates) < len(moves))
            if picked is None:
                return None
            if picked == 0:
                candidates = moves
                continue
            candidates = [move for move in candidates if parts[picked - 1].items() <= move.items()]
            if len(candidates) == 1:
                return candidates[0]

    def pick(self, count: int, *, back: bool) -> int | None:
        """A number from 1 to `count`, 0 for going back to the first part, or None for leaving."""
        while True:
            typed = self.read(self.prompt_text(count, back=back))
            if typed is None or (typed == "q" and self.leaves()):
                return None
            if typed == "" and count == 1:
                return 1
            if typed.isdecimal() and 1 <= int(typed) <= count:
                return int(typed)
            if typed == "b" and back:
                return 0
            if typed == "?":
                self.help()
            elif typed == "r":
                self.show_rules()
            elif typed != "q":
                self.console.print(
                    self.translator("Please type a number from 1 to %(count)s, or ? for help.", count=count)
                )

    def show_rules(self) -> None:
        """The rules, with the numbers and options of this game."""
        from atoll.commands.rules_text import rules_text
        from atoll.web.pages.rules_page import GameSetup

        position = self.position
        begun = GameSetup(position.components, position.players)
        self.console.print(rules_text(self.game, self.translator.language, begun))

    def prompt_text(self, count: int, *, back: bool) -> str:
        """What stands before the place where one types."""
        if back:
            return self.translator("1 to %(count)s, b to go back:", count=count)
        return self.translator("1 to %(count)s:", count=count)

    def read(self, prompt: str) -> str | None:
        """A line that the person types, stripped and in lower case; None at the end of the input."""
        try:
            return self.console.input(Text.assemble((prompt, "bold"), " ")).strip().lower()
        except EOFError:
            self.console.print("\n" + self.translator("No more input: the game stops here."))
        except KeyboardInterrupt:
            self.console.print("\n" + self.translator("The game stops here."))
        return None

    def leaves(self) -> bool:
        """Whether the person really wants to leave."""
        typed = self.read(self.translator("Leave the game for good? (y/n)"))
        return typed is None or typed.startswith(self.translator("y"))

    def help(self) -> None:
        """What can be typed."""
        for key, meaning in (
            ("1, 2, …", self.translator("choose what the list says")),
            ("b", self.translator("go back to the first choice of this move")),
            ("r", self.translator("read the rules")),
            ("?", self.translator("show this help")),
            ("q", self.translator("leave the game")),
        ):
            self.console.print(f"  {key:<8} {meaning}")
        self.console.print(self.translator("A move that is made cannot be taken back."))

    def show_result(self) -> None:
        """The final points, and who wins."""
        heading, *rows = self.game.messages.score(self.translator, self.names, self.position.breakdown())
        table = Table(*heading)
        for row in rows:
            table.add_row(*row)
        self.console.print(table)
        outcome = self.position.outcome
        if outcome is not None:
            self.console.print(self.winners_text(outcome.winners), style="bold")

    def winners_text(self, winners: Sequence[int]) -> str:
        """Who wins, said to the person."""
        if tuple(winners) == (self.seat,):
            return self.translator("You win!")
        names = self.translator.both([self.names[winner] for winner in winners])
        if len(winners) == 1:
            return self.translator("%(name)s wins.", name=names)
        return self.translator("%(names)s share the win.", names=names)

    def show_forfeits(self, others: Iterable[SeatedBot]) -> None:
        """Which bots failed to choose moves."""
        counts: dict[str, Counter[str]] = {}
        for player in others:
            counts.setdefault(player.bot.name, Counter()).update(player.forfeits)
        for sentence in forfeited(self.translator, counts):
            self.console.print(sentence)


def parts_of(moves: Sequence[Json], most: int = AT_ONCE) -> list[dict[str, Any]]:
    """The moves themselves if they are `most` or fewer; else their first parts that differ, each once, in order."""
    if len(moves) <= most:
        return list(moves)
    keys = list(moves[0])
    parts: list[dict[str, Any]] = []
    for length in range(1, len(keys) + 1):
        parts = []
        for move in moves:
            part = dict(list(move.items())[:length])
            if part not in parts:
                parts.append(part)
        if len(parts) > 1:
            break
    return parts
