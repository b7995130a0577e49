"""Components files, mutated in their values, in their TOML and as bytes, and told, drawn and played if accepted."""

import copy
import json
import math
import random
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from atoll.bots.catalogue import find_bot
from atoll.core.game import Game
from atoll.core.game_translator import GameTranslator
from atoll.core.listings import listings
from atoll.core.types import Components
from atoll.lab.simulate import compile_simulation, simulate_chunk
from atoll.text.errors import AtollError
from atoll.text.printable import printable
from atoll.text.translation import LANGUAGES, Translator
from atoll.web.pages.components_page import components_page
from atoll.web.pages.rules_page import GameSetup, rules_html

SUFFIX = ".toml"

GREEDY_ONE_IN = 4
"""Decisions of which the bot that goes by the advice takes one."""
CHECK_EVERY = 20
"""Decisions from one check of a position to the next."""

NUMBERS = (
    *range(-2, 22), 31, 32, 63, 64, 65, 100, 101, 120, 127, 128, 255, 256, 32767, 32768, 1 << 31, 1 << 63, 10**30,
    10**5000, -(1 << 63), 0.5, 1e308, math.nan, math.inf, -math.inf, True, False,
)  # fmt: skip
TEXTS = (
    "", " ", "x" * 60, "x" * 61, "x" * 10_000, "[/x]", "[bold]", "\\[", ":boom:", "%(name)s", "{{ x }}", "<b>&amp;",
    "\n", "7\n", "N\n", "\t", "\x00", "\x1b[2J", "\x9b31m", "\u202eabc", "\u2028", "\ufeff", "é",
    "e\u0301", "👨\u200d👩\u200d👧", "ship", "1", "-1",
    "players_2", "../../etc/passwd",
)  # fmt: skip
SOUP = (
    b"[[x]]", b"[a]", b"]", b"[", b"{", b"}", b"=", b"x = ", b"\n", b"\r", b"\r\n", b'"', b"'''", b'"""', b"#",
    b"\xff", b"\x00", b"\x1b", b"\xed\xa0\x80", b"1979-05-27", b"0x", b"nan", b"inf", b"1e999999999", b"9" * 30,
    b"x = " + b"9" * 5000, b"x = " + b"[" * 5000, b"x = " + b"{a=" * 5000, b"." * 300, b"a." * 150 + b"a = 1\n",
)  # fmt: skip


# Mutating


def mutated(game: Game, chance: random.Random) -> bytes:
    """One of the game's files, changed at one place or several."""
    shipped = (game.folder / chance.choice(sorted(game.component_files.values()))).read_bytes()
    if chance.random() < 0.15:
        return _mutated_bytes(shipped, chance)
    data = tomllib.loads(shipped.decode())
    for _ in range(chance.choice((1, 1, 1, 2, 3, 5, 10))):
        chance.choices([change for change, _ in CHANGES], [weight for _, weight in CHANGES])[0](data, chance)
    content = "".join(f"{json.dumps(key)} = {_toml(value)}\n" for key, value in data.items())
    text = content.encode(errors="surrogatepass")
    return _mutated_bytes(text, chance) if chance.random() < 0.05 else text


Place = tuple[Any, Any]
"""A dict and a key, or a list and an index."""


def _places(value: Any) -> Iterator[Place]:
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from _places(value[key])


def _a_place(data: Any, chance: random.Random, kind: type | tuple[type, ...] = object) -> Place:
    found = [place for place in _places(data) if isinstance(place[0][place[1]], kind)]
    return chance.choice(found) if found else (data, chance.choice(list(data) or ["format"]))


def _change_number(data: Any, chance: random.Random) -> None:
    inside, key = _a_place(data, chance, int)
    old = inside.get(key, 0) if isinstance(inside, dict) else inside[key]
    near = [old + chance.choice((-1, 1)) * chance.randrange(1, 4)] if isinstance(old, int) else []
    inside[key] = chance.choice([*near, *near, chance.randrange(21), chance.choice(NUMBERS)])


def _change_text(data: Any, chance: random.Random) -> None:
    inside, key = _a_place(data, chance, str)
    other, its_key = _a_place(data, chance, str)
    inside[key] = chance.choice(
        (chance.choice(TEXTS), other.get(its_key) if isinstance(other, dict) else other[its_key])
    )


def _change_kind(data: Any, chance: random.Random) -> None:
    inside, key = _a_place(data, chance)
    inside[key] = chance.choice(
        (chance.choice(NUMBERS), chance.choice(TEXTS), [], {}, [[]], {"x": 1}, [None])
    )


def _delete(data: Any, chance: random.Random) -> None:
    inside, key = _a_place(data, chance)
    if key in inside or isinstance(inside, list):
        del inside[key]


def _duplicate(data: Any, chance: random.Random) -> None:
    inside, key = _a_place(data, chance, list)
    items = inside.get(key) if isinstance(inside, dict) else inside[key]
    if isinstance(items, list) and items:
        items.insert(chance.randrange(len(items) + 1), copy.deepcopy(chance.choice(items)))


def _duplicate_counted(data: Any, chance: random.Random) -> None:
    """One entry more or less of a list, and the count that a section says of it."""
    named = [(name, part) for name, part in data.items() if isinstance(part, list) and part]
    if named:
        name, items = chance.choice(named)
        if chance.random() < 0.5:
            items.pop(chance.randrange(len(items)))
        else:
            more = copy.deepcopy(chance.choice(items))
            if isinstance(more, dict) and isinstance(more.get("id"), int):
                more["id"] = chance.randrange(1, 66)
            elif isinstance(more, dict) and "id" in more:
                more["id"] = str(chance.randrange(1, 34))
            items.append(more)
        for section in data.values():
            if isinstance(section, dict) and name in section:
                section[name] = len(items)


def _copy_over(data: Any, chance: random.Random) -> None:
    """What stands at one place goes to another of the same kind, so that words meet others."""
    source, its_key = _a_place(data, chance, (dict, list, int, str))
    value = source.get(its_key) if isinstance(source, dict) else source[its_key]
    inside, key = _a_place(data, chance, type(value))
    inside[key] = copy.deepcopy(value)


def _add_key(data: Any, chance: random.Random) -> None:
    """A key with its value, from one table into another."""
    tables = [inside[key] for inside, key in _places(data) if isinstance(inside[key], dict)]
    source, target = chance.choice(tables or [data]), chance.choice(tables or [data])
    if source:
        key = chance.choice(list(source))
        target[key] = copy.deepcopy(source[key])


def _nest(data: Any, chance: random.Random) -> None:
    inside, key = _a_place(data, chance)
    value: Any = inside[key] if isinstance(inside, list) else inside.get(key, 0)
    for _ in range(chance.choice((1, 2, 50))):
        value = chance.choice(([value], {key if isinstance(key, str) else "x": value}))
    inside[key] = value


def _rename(data: Any, chance: random.Random) -> None:
    inside, key = _a_place(data, chance)
    if isinstance(inside, dict) and key in inside:
        inside[chance.choice((*TEXTS, "x", str(key).upper()))] = inside.pop(key)


CHANGES: tuple[tuple[Callable[[Any, random.Random], None], int], ...] = (
    (_change_number, 10),
    (_add_key, 6),
    (_copy_over, 4),
    (_duplicate_counted, 3),
    (_change_text, 2),
    (_delete, 2),
    (_change_kind, 1),
    (_duplicate, 1),
    (_nest, 1),
    (_rename, 1),
)
"""The changes of values, and how often each is made."""


def _mutated_bytes(text: bytes, chance: random.Random) -> bytes:
    content = bytearray(text)
    for _ in range(chance.choice((1, 1, 2, 5))):
        place = chance.randrange(len(content) + 1)
        match chance.randrange(7):
            case 0:
                content[place : place + 1] = bytes([chance.randrange(256)])
            case 1:
                content[place:place] = chance.choice(SOUP)
            case 2:
                del content[place : place + chance.choice((1, 5, 50, 5000))]
            case 3:
                del content[place:]
            case 4:
                other = chance.randrange(len(content) + 1)
                content[place:place] = content[other : other + chance.choice((1, 20, 500))]
            case kind:
                lines = bytes(content).split(b"\n")
                lines.insert(chance.randrange(len(lines)), chance.choice(lines if kind == 5 else SOUP))
                content = bytearray(b"\n".join(lines))
    return bytes(content)


def _toml(value: Any) -> str:
    """A value as TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return hex(value) if value > 10**4000 else str(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml(str(key))} = {_toml(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return str(value).lower() if value is not None else "0"


# The kind


def prepare(game: Game) -> None:
    """Compile or load games between the bots, a view and a drawn state."""
    compile_simulation(game, game.components())
    position = game.start(game.default_players, 1)
    find_bot("greedy").choose(position.view(position.to_act[0]).resample(1).view(position.to_act[0]), 1)


def accepted(game: Game, content: bytes, folder: Path, chance: random.Random) -> bool:
    """Whether the file is accepted; if it is, it is told, drawn, and played at each number of players."""
    file = folder / f"tried-{random.SystemRandom().getrandbits(64):x}.toml"
    file.write_bytes(content)
    try:
        components = game.read_components(file)
    except AtollError as error:
        sentence = str(error)
        assert sentence.startswith(str(file)), f"the file is not named: {sentence}"
        assert printable(sentence) == sentence, f"not printable: {sentence!r}"
        return False
    finally:
        file.unlink()
    again = game.components_from("again", components.data)
    assert again.parts.tobytes() == components.parts.tobytes(), "another reading gives other components"
    tell(game, components, chance)
    for players in game.seats:
        play(game, components, players, chance)
        simulate_chunk(game, components, players, [find_bot("greedy")], chance.getrandbits(60), 0, 1)
    return True


def tell(game: Game, components: Components, chance: random.Random) -> None:
    """All that is said of components, in one of the languages."""
    language = chance.choice(list(LANGUAGES))
    list(listings(game, components, Translator(language)))
    if chance.random() < 0.1:
        rules_html(game, language, GameSetup(components))
        components_page(game, components, language)


def play(game: Game, components: Components, players: int, chance: random.Random) -> None:
    """A game to its end, within its declared bounds, its positions checked, drawn from a view and told."""
    greedy = find_bot("greedy")
    translator = GameTranslator(Translator("en").with_package(game.package), components)
    names = [str(seat) for seat in range(players)]
    position = game.start(players, chance.getrandbits(60), components)
    least, most = game.rules.points_range(components, players)
    for number in range(position.most_decisions + 1):
        if number % CHECK_EVERY == 0 or position.is_over:
            position.check()
            seat = chance.randrange(players)
            position.view(seat).resample(chance.getrandbits(60)).check()
        if position.is_over:
            break
        seat = chance.choice(position.to_act)
        moves = position.legal_moves(seat).actions
        assert len(moves) > 0, "a seat has to decide and has no move"
        view = position.view(seat)
        if chance.randrange(GREEDY_ONE_IN) == 0:
            events = position.play_action(seat, greedy.choose(view, chance.getrandbits(60)))
        else:
            events = position.play_action(seat, chance.choice(moves.tolist()))
        if number % CHECK_EVERY == 0:
            game.messages.tell(translator, names, events, position.view(seat))
    else:
        raise game.endless(components, players)
    position.check()
    outcome = position.outcome
    assert outcome is not None
    assert least <= min(outcome.points) <= max(outcome.points) <= most, "points beyond the declared range"
