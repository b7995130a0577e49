"""A game in the terminal, one person against bots; everything shown is what that person's seat may know."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from atoll.bots import Bot, Player
from atoll.console import PlainConsole
from atoll.core.chance import derive, generator
from atoll.core.errors import AtollError
from atoll.core.events import Event
from atoll.core.game import Components, Game, Json
from atoll.core.position import Position, View
from atoll.core.saying import Sentence
from atoll.core.seeds import new_key, new_seed
from atoll.core.words import Words, seat_names
from atoll.lab.report import forfeited

AT_ONCE = 12
"""So many moves are listed whole; of more, one part is chosen after the other."""


def play(
    game: Game,
    players: int,
    seat: int,
    bots: Sequence[Bot],
    seed: int | None,
    language: str = "en",
    options: Mapping[str, bool] | None = None,
    components: Components | None = None,
    console: PlainConsole | None = None,
) -> None:
    """Play a whole game at the terminal in `seat`, from 0; `bots` fill the other seats, repeated if need be. Without a
    `seed` it is a game that nobody can foretell.

    Raises AtollError for a game, a seat or a bot that cannot be. Ends early when the input does.
    """
    words = Words(language)
    if not 0 <= seat < players:
        raise AtollError(
            Sentence(
                "there is no seat %(seat)s: seats are 1 to %(players)s",
                seat=seat + 1,
                players=players,
            )
        )
    if not bots:
        raise AtollError(Sentence("at least one bot has to be named"))
    components = components or game.components()
    words = words.with_package(game.package).with_components(components)
    console = console or PlainConsole()
    with console.status(words("Setting up the game…")):
        for bot in bots[: players - 1]:
            bot.prepare(game)
        keyed = seed is None
        position = game.start(players, new_key() if seed is None else seed, components, options, keyed=keyed)
    table = _Terminal(console, words, position, seat)
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


class _Terminal:
    """What one person sees of the game and what they type."""

    def __init__(self, console: PlainConsole, words: Words, position: Position, seat: int) -> None:
        self.console = console
        self.words = words
        self.position = position
        self.game = position.game
        self.seat = seat
        self.names = seat_names(words)[: position.players]
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
            self.words(
                "%(title)s. You are %(name)s. Type ? for help, q to quit.",
                title=self.game.title,
                name=self.names[self.seat],
            ),
            style="bold",
        )

    def show(self) -> None:
        """What happened since the last time, and the table now."""
        view = self.view()
        for line in self.game.telling.tell(self.words, self.names, self.since, view):
            self.console.print(f"· {line.text}")
            for effect in line.effects:
                self.console.print(f"    {effect.text}", style="dim")
        self.since = []
        self.console.print()
        self.console.print(self.steps_text(view))
        picture = self.game.telling.picture(self.words, self.names, view)
        self.console.print(Text.from_markup(picture, emoji=False))
        self.console.print()

    def steps_text(self, view: View) -> Text:
        """The round and its steps, with the one that it is now."""
        progress = self.game.telling.progress(self.words, view)
        if not progress.round:
            return Text()
        styles = {"done": "dim", "now": "bold reverse", "next": "default"}
        steps = [Text(f" {phase.label} ", styles[phase.state]) for phase in progress.phases]
        if progress.fewest_rounds:
            number = self.words(
                "Round %(round)s of %(fewest)s to %(rounds)s",
                round=progress.round,
                fewest=progress.fewest_rounds,
                rounds=progress.rounds,
            )
        elif progress.rounds:
            number = self.words("Round %(round)s of %(rounds)s", round=progress.round, rounds=progress.rounds)
        else:
            number = self.words("Round %(round)s", round=progress.round)
        return Text.assemble((number, "bold"), "  ", Text("·").join(steps))

    def ask(self) -> Json | None:
        """The move that the person chooses, or None if they leave or the input ends."""
        self.show()
        view = self.view()
        prompt = self.game.telling.prompt(self.words, self.names, view, self.seat)
        self.console.print(prompt.text, style="bold")
        if prompt.hint:
            self.console.print(prompt.hint, style="dim")
        return self.choose(list(view.legal_moves()), view)

    def choose(self, moves: list[Json], view: View) -> Json | None:
        """One of the legal moves, chosen from a list, part by part if they are many."""
        left = moves
        while True:
            parts = parts_of(left)
            labels = [
                self.game.telling.move_text(self.words, self.names, part, view, self.seat) for part in parts
            ]
            for number, label in enumerate(labels, start=1):
                self.console.print(f"  {number:>2}  {label}")
            picked = self.pick(len(parts), back=len(left) < len(moves))
            if picked is None:
                return None
            if picked == 0:
                left = moves
                continue
            left = [move for move in left if parts[picked - 1].items() <= move.items()]
            if len(left) == 1:
                return left[0]

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
                    self.words("Please type a number from 1 to %(count)s, or ? for help.", count=count)
                )

    def show_rules(self) -> None:
        """The rules, with the numbers and options of this game."""
        from atoll.rules_text import rules_text
        from atoll.web.pages.rules_page import Begun

        position = self.position
        begun = Begun(position.components, position.options, position.players)
        self.console.print(rules_text(self.game, self.words.language, begun))

    def prompt_text(self, count: int, *, back: bool) -> str:
        """What stands before the place where one types."""
        if back:
            return self.words("1 to %(count)s, b to go back:", count=count)
        return self.words("1 to %(count)s:", count=count)

    def read(self, prompt: str) -> str | None:
        """A line that the person types, stripped and in lower case; None at the end of the input."""
        try:
            return self.console.input(Text.assemble((prompt, "bold"), " ")).strip().lower()
        except EOFError:
            self.console.print("\n" + self.words("No more input: the game stops here."))
        except KeyboardInterrupt:
            self.console.print("\n" + self.words("The game stops here."))
        return None

    def leaves(self) -> bool:
        """Whether the person really wants to leave."""
        typed = self.read(self.words("Leave the game for good? (y/n)"))
        return typed is None or typed.startswith(self.words("y"))

    def help(self) -> None:
        """What can be typed."""
        for key, meaning in (
            ("1, 2, …", self.words("choose what the list says")),
            ("b", self.words("go back to the first choice of this move")),
            ("r", self.words("read the rules")),
            ("?", self.words("show this help")),
            ("q", self.words("leave the game")),
        ):
            self.console.print(f"  {key:<8} {meaning}")
        self.console.print(self.words("A move that is made cannot be taken back."))

    def show_result(self) -> None:
        """The final points, and who wins."""
        heading, *rows = self.game.telling.score(self.words, self.names, self.position.breakdown())
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
            return self.words("You win!")
        names = self.words.both([self.names[winner] for winner in winners])
        if len(winners) == 1:
            return self.words("%(name)s wins.", name=names)
        return self.words("%(names)s share the win.", names=names)

    def show_forfeits(self, others: Iterable[Player]) -> None:
        """Which bots failed to choose moves."""
        counts: dict[str, Counter[str]] = {}
        for player in others:
            counts.setdefault(player.bot.name, Counter()).update(player.forfeits)
        for sentence in forfeited(self.words, counts):
            self.console.print(sentence)


def parts_of(moves: Sequence[Json]) -> list[dict[str, Any]]:
    """The moves themselves if they are few; else their first parts that differ, each once, in order."""
    if len(moves) <= AT_ONCE:
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
