"""Game records: JSON Lines with a header, a line a decision and a result; several may follow each other.

Moves, states and what is hidden are in each game's own words (its module `notation`).
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from atoll.core.catalogue import find_game
from atoll.core.events import Event
from atoll.core.game import Game, Position
from atoll.core.types import Components, Json
from atoll.text.errors import AtollError, ContractError, RecordError
from atoll.text.files import unmarked
from atoll.text.messages import Amount, Message, message_of
from atoll.text.printable import fault_in_name

FORMAT = 1
LONGEST_LINE = 1_000_000
"""Bytes of a line that is read."""
LONGEST = 400
"""Characters that are quoted of a line that is wrong."""
HEADER = f'{{"atoll": {FORMAT}, ...}}'


@dataclass
class Record:
    """A record as it was read: header, decision lines and result, with the numbers of their lines in the file."""

    header: Json
    decisions: list[Json] = field(default_factory=list)
    result: Json | None = None
    first_line: int = 1
    lines: list[int] = field(default_factory=list)  # of the decisions
    last_line: int = 1  # of the result


@dataclass(frozen=True)
class ReplayedMove:
    """A decision replayed: whose, what, everything that happened, and the position after it.

    What takes moves back is one too, with its line for a move and no events.
    """

    seat: int
    move: Json
    events: list[Event]
    position: Position


# Writing


def header(
    position: Position, players: Sequence[str], seed: int | str | None, deal: Json | None = None
) -> Json:
    """The header of a record that starts at `position`; `deal` is what its deal can be checked by."""
    components = position.components
    described: Json = {"name": components.name, "sha256": components.sha256}
    if not components.shipped:
        described["data"] = components.data
    return {
        "atoll": FORMAT,
        "game": position.game.name,
        "players": list(players),
        "components": described,
        "options": dict(position.options),
        "seed": None if seed is None else str(seed),  # a number of 64 bits would be rounded by other readers
        **({} if deal is None else {"deal": deal}),
        "start": position.to_json(),
    }


def decision(
    before: Position,
    position: Position,
    seat: int,
    move: Json,
    events: Sequence[Event],
    legal: Iterable[Json] | None = None,
) -> Json:
    """The line of a decision that led from one position to another; with `legal`, the moves there were, it is a
    trace.
    """
    line: Json = {"player": seat, "move": move}
    if (chance := decided(before, position, seat, move, events)) is not None:
        line["chance"] = chance
    if legal is not None:
        line["state"] = position.to_json()
        line["legal"] = list(legal)
    return line


def decided(
    before: Position, position: Position, seat: int, move: Json, events: Sequence[Event]
) -> Json | None:
    """What chance decided in a move, as its line says it: in the game's own words, else what chance drew; None if
    nothing. Raises ContractError if what it drew does not say it.
    """
    notation = position.game.notation
    if hasattr(notation, "chance_of"):
        return notation.chance_of(events, position.state)
    if not has_drawn(before, position):
        return None
    draws, after = position.game.scripted.draws(
        before.states, position.components, seat, notation.action_of(move)
    )
    if after.tobytes() != position.states.tobytes():
        differ = ", ".join(
            name for name in after.dtype.names or () if (after[name] != position.states[name]).any()
        )
        raise ContractError(
            f"{position.game.title}: {move} is another move compiled than uncompiled, so its record would be wrong; "
            f"they differ in: {differ}"
        )
    return {"draws": draws} if draws else None


def has_drawn(before: Position, position: Position) -> bool:
    """Whether chance had a part in what led from one position to the other."""
    return bool((before.state.generator != position.state.generator).any())


def take_back(seat: int, stands: int, agreed: Sequence[int] = ()) -> Json:
    """The line by which a seat takes back all but the first `stands` of the moves that stand; the seats that agreed,
    where it was by consent."""
    line: Json = {"player": seat, "undo": stands}
    return line | ({"agreed": list(agreed)} if agreed else {})


def redeal(seat: int, position: Position, looks: int | None = None) -> Json:
    """The line by which all that is hidden was dealt anew when somebody took that seat: the position after it, whole or
    as a seat or SPECTATOR may know it.
    """
    return {"player": seat, "redeal": (position if looks is None else position.view(looks)).to_json()}


def numbered(line: Json) -> Json:
    """Of what is stored of a redeal what its line says besides."""
    return {"number": line["number"]} if "number" in line else {}


def result(position: Position) -> Json:
    """The result line of a finished game."""
    outcome = position.outcome
    assert outcome is not None
    details = position.game.notation.result_details(position.state, position.components)
    return {"result": {"points": list(outcome.points), "winners": list(outcome.winners), **details}}


def redacted(
    start: Position,
    moves: Sequence[tuple[int, int | Json]],
    players: Sequence[str],
    seat: int,
    deal: Json | None = None,
) -> Iterator[Json]:
    """The lines of a running game's record for a seat or SPECTATOR: what is hidden stays so, the seed too.

    `moves` are the seats and actions since `start`, which is not changed, the lines that take moves back, and the keys
    by which what is hidden was dealt anew, as `{"redeal": KEY}`. Of a move that was taken back, or made before a
    redeal, is shown what could be known of it then.
    """
    head = header(start, players, None, deal)
    head["start"] = start.view(seat).to_json()
    yield head
    notation = start.game.notation
    stood = [start.copy()]
    lines: list[Json] = []
    standing: list[tuple[int, int, int]] = []
    told = 0

    def tell(since: int) -> None:
        now = stood[-1].view(seat)
        for number, (line, whose, action) in enumerate(standing[since:], since):
            move = notation.hide_move(notation.move_of(action), whose, stood[number].view(seat), now)
            lines[line] = {"player": whose, "move": move}

    for whose, action in moves:
        if isinstance(action, int):
            position = stood[-1].copy()
            position.play_action(whose, action)
            stood.append(position)
            standing.append((len(lines), whose, action))
            lines.append({})
        elif "redeal" in action:
            tell(told)
            told = len(standing)
            stood[-1] = dealt_anew(stood[-1], action["redeal"])
            lines.append(redeal(whose, stood[-1], seat) | numbered(action))
        else:
            tell(action["undo"])
            del standing[action["undo"] :], stood[action["undo"] + 1 :]
            lines.append(action)
    tell(told)
    yield from lines


def encode(lines: Iterable[Json]) -> str:
    """The lines as text."""
    return "".join(msgspec.json.encode(line).decode() + "\n" for line in lines)


# Reading


def read_records(lines: Iterable[str | bytes]) -> Iterator[Record]:
    """The records in a file's lines; raises RecordError naming the line that is wrong."""
    record: Record | None = None
    for number, text in enumerate(lines, start=1):
        if number == 1:
            text = unmarked(text)
        if not text.strip():
            continue
        line = _line(text, number)
        if "atoll" in line:
            if record is not None:
                yield record
            _check_header(line, number)
            record = Record(line, first_line=number)
        elif record is None:
            raise _at_line(number, Message("a record begins with a header, %(header)s", header=HEADER))
        elif record.result is not None:
            raise _at_line(number, Message("nothing but another header may follow the result"))
        elif "result" in line:
            record.result = line
            record.last_line = number
        elif "player" in line and len({"move", "undo", "redeal"} & line.keys()) == 1:
            record.decisions.append(line)
            record.lines.append(number)
        else:
            raise _at_line(number, Message("a decision has the keys player and move, or undo, or redeal"))
    if record is None:
        raise RecordError(Message("the file holds no record"))
    yield record


def _at_line(number: int, wrong: Message | Exception) -> RecordError:
    """The refusal of a line."""
    if isinstance(wrong, RecursionError):
        wrong = Message("is nested too deeply")
    elif isinstance(wrong, Exception):
        wrong = message_of(wrong)
    return RecordError(Message("line %(line)s: %(problem)s", line=number, problem=wrong))


def _quoted(value: object) -> str:
    """What a line has, which may be of any length, as it can be quoted."""
    text = str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _line(text: str | bytes, number: int) -> Json:
    if len(text) > LONGEST_LINE:
        raise _at_line(number, Message("has more than %(most)s bytes", most=Amount(LONGEST_LINE)))
    try:
        line = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        cut = Message("is not JSON; the file may have been cut off there")
        raise _at_line(number, cut) from None
    if not isinstance(line, dict):
        raise _at_line(number, Message("is not a JSON object"))
    return line


def _check_header(line: Json, number: int) -> None:
    if type(line["atoll"]) is not int or line["atoll"] != FORMAT:
        version = _quoted(line["atoll"])
        raise _at_line(
            number,
            Message(
                "this is format %(found)s; the format that can be read is %(known)s",
                found=version,
                known=FORMAT,
            ),
        )
    kinds = {"game": str, "players": list, "components": dict, "options": dict, "start": dict}
    for key, kind in kinds.items():
        if not isinstance({"options": {}, **line}.get(key), kind):
            raise _at_line(number, Message("the header's key %(key)s is missing or wrong", key=key))
    if not all(isinstance(name, str) for name in line["players"]):
        raise _at_line(number, Message("the players are named by texts"))
    for seat, name in enumerate(line["players"]):
        if (wrong := fault_in_name(name)) is not None:
            named = Message("the name of player %(seat)s is not possible: it %(why)s", seat=seat, why=wrong)
            raise _at_line(number, named)


def components_of(game: Game, described: Mapping[str, Any]) -> Components:
    """The components that a header or a stored table names, or carries whole; raises AtollError."""
    name = described.get("name")
    data = described.get("data")
    if data is not None:
        if not isinstance(data, dict):
            raise RecordError(Message("the header's components.data is not an object"))
        components = game.components_from(str(name), data)
    else:
        components = game.components(str(name))
    if described.get("sha256") not in (None, components.sha256):
        other = Message(
            "the components %(name)s here are not those that the record was played with", name=_quoted(name)
        )
        raise RecordError(other)
    return components


def replay(record: Record) -> Iterator[ReplayedMove]:
    """Play a record again, checking every line; raises RecordError naming the line that does not fit."""
    position = first_position(record)
    stood = [position.copy()] if any("undo" in line for line in record.decisions) else []
    stays = 0
    for number, line in zip(record.lines, record.decisions, strict=True):
        if "undo" in line:
            position = _taken_back(stood, line, number, stays)
            yield ReplayedMove(
                line["player"], {key: line[key] for key in ("undo", "agreed") if key in line}, [], position
            )
            continue
        if "redeal" in line:
            position = _redealt(position, line, number)
            if stood:
                stood[-1], stays = position.copy(), len(stood) - 1
            yield ReplayedMove(line["player"], {"redeal": line["redeal"], **numbered(line)}, [], position)
            continue
        yield _replay_line(position, line, number)
        if stood:
            stood.append(position.copy())
    if record.result is not None:
        _check_result(position, record.result["result"], record.last_line)


def _check_result(position: Position, recorded: Any, number: int) -> None:
    if not position.is_over:
        raise _at_line(number, Message("a result, but the game is not over"))
    right = result(position)["result"]
    known = {key: right[key] for key in ("points", "winners")}
    if differences(recorded, known) or not position.game.notation.details_agree(
        recorded, position.state, position.components
    ):
        wrong = Message(
            "the result is %(right)s, not %(found)s", right=_quoted(right), found=_quoted(recorded)
        )
        raise _at_line(number, wrong)


def moment_of(record: Record) -> int:
    """The decision, counted from 1 among those that stand at the end, that a record is to be opened at; 0: none."""
    at = record.header.get("at")
    return at if type(at) is int and 0 < at <= len(record.decisions) else 0


def opened_at(text: str, decision: int) -> str:
    """The text of one record that is to be opened at a decision, from 1."""
    head, _, rest = text.partition("\n")
    return encode([msgspec.json.decode(head) | {"at": decision}]) + rest


def first_position(record: Record) -> Position:
    """The position in which a record starts, before the first decision; raises RecordError.

    Compiled code, which trusts a state, sees it once every invariant was found to hold.
    """
    head = record.header
    try:
        game = find_game(head["game"])
        options = head.get("options", {})
        components = components_of(game, head["components"])
        position = Position.from_json(game, head["start"], components, options)
        if len(head["players"]) != position.players:
            named = Message(
                "%(named)s players are named, %(players)s play",
                named=len(head["players"]),
                players=position.players,
            )
            raise RecordError(named)
        position.check_start()
        _check_words(head["start"], position)
    except (AssertionError, AtollError, RecursionError) as error:
        raise _at_line(record.first_line, error) from None
    return position


def _redealt(position: Position, line: Json, number: int) -> Position:
    """The position after a line by which what is hidden was dealt anew."""
    if type(line["player"]) is not int or line["player"] not in range(position.players):
        raise _at_line(number, Message("the player is a seat's number"))
    if not isinstance(line["redeal"], dict):
        raise _at_line(number, Message("what is dealt anew is the words of a state"))
    try:
        return dealt_anew(position, line["redeal"])
    except (AssertionError, AtollError, RecursionError) as error:
        raise _at_line(number, error) from None


def dealt_anew(position: Position, dealt: str | Json) -> Position:
    """A position in which all that a spectator does not see is another: dealt by a key in hexadecimal digits, or as the
    words of a state say. Raises AssertionError or AtollError for words that do not agree with what is seen.
    """
    view = position.view()
    if isinstance(dealt, str):
        return view.redeal(int(dealt, 16))
    if position.is_over:
        raise RecordError(Message("the game is over"))
    notation = position.game.notation
    read = getattr(notation, "hidden_from_json", notation.state_from_json)
    said, after = read(dealt, position.components)[0], position.copy()
    for hidden in position.game.declared.fields:
        if hidden.seen_by != "everybody" and hidden.name != "generator":
            after.state[hidden.name] = said[hidden.name]
    after.check()
    if after.view().states.tobytes() != view.states.tobytes():
        raise RecordError(Message("what everybody sees cannot be dealt anew"))
    _check_words(dealt, after)
    return after


def _check_words(said: Any, position: Position) -> None:
    """Raise RecordError if a record says a position otherwise than the format does."""
    if wrong := differences(said, position.to_json()):
        keys = Message("the state's keys %(keys)s are not as the format writes them", keys=", ".join(wrong))
        raise RecordError(keys)


def _taken_back(stood: list[Position], line: Json, number: int, stays: int) -> Position:
    """Where a line takes the game back to; `stood` are the positions after the moves that stand, the first one too, and
    the first `stays` moves are those before what is hidden was dealt anew.
    """
    stands, agreed = line["undo"], line.get("agreed", [])
    seats = range(stood[0].players)
    if not (
        isinstance(agreed, list)
        and all(type(seat) is int and seat in seats for seat in (line["player"], *agreed))
    ):
        raise _at_line(number, Message("the player and those who agreed are seats' numbers"))
    if type(stands) is not int or not 0 <= stands < len(stood) - 1:
        left = Message(
            "%(count)s moves stand there, so undo cannot leave %(left)s",
            count=len(stood) - 1,
            left=_quoted(stands),
        )
        raise _at_line(number, left)
    if stands < stays:
        raise _at_line(number, Message("what is hidden was dealt anew after that, so undo cannot go so far"))
    del stood[stands + 1 :]
    return stood[-1].copy()


def _replay_line(position: Position, line: Json, number: int) -> ReplayedMove:
    seat, move = line["player"], line["move"]
    if not isinstance(seat, int) or isinstance(seat, bool) or not isinstance(move, dict):
        raise _at_line(number, Message("the player is a seat's number and the move an object"))
    if "legal" in line:
        _check_legal(position, seat, line["legal"], number)
    try:
        events = play_line(position, line)
    except (AtollError, RecursionError) as error:
        raise _at_line(number, error) from None
    if "state" in line:
        wrong = differences(line["state"], position.to_json())
        if wrong:
            keys = Message("the state after this move differs in: %(keys)s", keys=", ".join(wrong))
            raise _at_line(number, keys)
    return ReplayedMove(seat, move, events, position)


def play_line(position: Position, line: Json) -> list[Event]:
    """Carry out the move of a line and let chance decide in it what the line says: where chance has a part it has to
    say so, and no other line may. Raises AtollError.
    """
    seat, move, notation = line["player"], line["move"], position.game.notation
    before = position.copy()
    events = position.play(seat, move)
    keys: Collection[str] | None = None
    if hasattr(notation, "chance_of"):
        keys = notation.chance_of(events, position.state)
        if "chance" in line:
            notation.apply_chance(position.state, line["chance"])
    elif has_drawn(before, position):
        draws = _draws_of(line["chance"]) if "chance" in line else []
        try:
            events = position.redraw(before, seat, notation.action_of(move), draws)
            keys = ("draws",) if draws else None
        except RecordError:
            if draws:
                raise
            keys = ("draws",)
    if "chance" in line and keys is None:
        raise RecordError(Message("nothing was left to chance in this move"))
    if "chance" not in line and keys is not None:
        needed = Message(
            "chance had a part in this move, so the line has the key chance: %(keys)s",
            keys=", ".join(keys),
        )
        raise RecordError(needed)
    return events


def _draws_of(chance: Any) -> list[int]:
    """What a line says that chance drew."""
    draws = chance.get("draws") if isinstance(chance, dict) else None
    if not isinstance(draws, list) or not draws or any(type(draw) is not int for draw in draws):
        raise RecordError(Message("chance has the key draws: the numbers that it drew, in order"))
    return draws


def _check_legal(position: Position, seat: int, listed: Any, number: int) -> None:
    legal = position.legal_moves(seat).actions.tolist()
    try:
        agreed = sorted(map(position.game.notation.action_of, listed)) == legal
    except (AtollError, TypeError):
        agreed = False
    if not agreed:
        others = Message(
            "the legal moves of seat %(seat)s there are %(count)s others", seat=seat, count=len(legal)
        )
        raise _at_line(number, others)


def differences(said: Any, words: Json) -> list[str]:
    """The keys of `words`, a state, that a record says otherwise; its further keys do not matter."""
    return [key for key in words if not isinstance(said, dict) or not _agrees(said.get(key), words[key])]


def _agrees(said: Any, meant: Any) -> bool:
    if isinstance(meant, dict):
        return isinstance(said, dict) and all(key in said and _agrees(said[key], meant[key]) for key in meant)
    if isinstance(meant, list):
        return isinstance(said, list) and len(said) == len(meant) and all(map(_agrees, said, meant))
    return type(said) is type(meant) and said == meant
