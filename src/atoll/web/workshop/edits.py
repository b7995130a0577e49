"""What a form of the workshop asks for, applied to the data of a set.

Values are posted as `v:PATH`; `do` says what else is asked for: "add" (with `add`, a path or `path=word`),
"remove:PATH", "copy:PATH" and "more:PATH". Only paths that the tree of the entry has are known; anything else is
refused.
"""

import copy
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from atoll.core import entries as en
from atoll.core.components import FileContent
from atoll.core.game import Game
from atoll.core.types import Json
from atoll.text.errors import ComponentError
from atoll.text.printable import fault_in_text
from atoll.text.translation import Translator
from atoll.web.refusal import Refusal

_NUMBER = re.compile(r"-?[0-9]{1,9}")
MOST_DATA = 120_000
"""Characters of a set as JSON: more than a form can bring at once, and less than a page can show."""


@dataclass
class EditErrors(Exception):
    """Values that cannot be: nothing was changed. `faults` has a sentence for each path; `typed` is what was posted."""

    faults: dict[str, str]
    typed: dict[str, str] = field(default_factory=dict)


def structure_of(game: Game) -> Any:
    """The structure of a game's components files; raises Refusal if the game has none."""
    structure = getattr(game.component_reader, "ComponentsFile", None)
    if structure is None:
        raise Refusal(404, "This game has no components to change.")
    return en.structure_of(structure)


def section_of(path: str) -> str:
    """The entry of the page in which a place of the file is."""
    way = en.steps(path)
    if len(way) > 1 and isinstance(way[1], int):
        return f"{way[0]}[{way[1]}]"
    return str(way[0]) if way else ""


def range_text(leaf: en.Leaf, translator: Translator) -> str:
    """What may be written there, in a few words."""
    match leaf.kind:
        case "number" if leaf.least is not None and leaf.most is not None:
            return translator("%(least)s to %(most)s", least=leaf.least, most=leaf.most)
        case "number" if leaf.least is not None:
            return translator("%(least)s or more", least=leaf.least)
        case "text" if leaf.most is not None:
            return translator("%(least)s to %(most)s characters", least=leaf.least or 0, most=leaf.most)
    return ""


def problem_of(game: Game, data: Json) -> ComponentError | None:
    """What keeps a set from being played, as the command line says it; None if nothing does."""
    try:
        game.components_from(str(data.get("name", "")), data)
    except ComponentError as error:
        return error
    return None


def changed(
    game: Game, data: Json, at: str, posted: Mapping[str, str], do: str, translator: Translator
) -> tuple[Json, str]:
    """The data with what a form asks for at an entry, and the path of the entry to be shown then.

    Raises Wrong for values that cannot be, and Refusal for a form that is not one of ours.
    """
    structure = structure_of(game)
    usual = en.left_out(structure, data)
    data = data | usual
    kind = en.kind_at(structure, at)
    try:
        value = en.value_at(data, at)
    except LookupError:
        raise Refusal(409, "This set was changed meanwhile; look again.") from None
    root = en.tree(kind, value, at)
    if root is None:
        raise Refusal(400, "Something went wrong with that form: go back, reload the page and try again.")
    after = _with_values(data, root, posted, translator)
    entry = at
    if do:
        after, entry = _done(game, structure, after, root, posted.get("add", ""), do, translator)
    settle: Callable[[Json], None] | None = getattr(game.component_reader, "settle", None)
    if settle is not None and do:
        settle(after)
    _check_form(game, after, translator)
    return en.shortened(after, usual), entry


def begun_entry(game: Game, data: Json, name: str, translator: Translator) -> tuple[Json, str]:
    """The data with one more entry in a list of the file, like its last one, and that entry's path."""
    structure = structure_of(game)
    least_most = en.lists(structure).get(name)
    if least_most is None or not isinstance(data.get(name, []), list):
        raise Refusal(400, "Something went wrong with that form: go back, reload the page and try again.")
    there = data.get(name, [])
    kind = en.kind_at(structure, f"{name}[0]")
    fresh = copy.deepcopy(there[-1]) if there else en.usual(kind)
    return _put(game, structure, data, f"{name}[{len(there)}]", fresh, translator)


def _put(
    game: Game, structure: Any, data: Json, path: str, fresh: Any, translator: Translator
) -> tuple[Json, str]:
    name = path.partition("[")[0]
    index = int(path.rpartition("[")[2].rstrip("]"))
    base = data if name in data else data | {name: []}
    if "id" in fresh:
        used = [entry.get("id") for entry in base[name]]
        leaf = en.leaf_of(en.kind_at(structure, f"{name}[0].id"))
        if leaf is not None:
            fresh["id"] = _unused(leaf, used, fresh["id"])
    after = en.inserted(base, f"{name}[{index}]", fresh)
    settle = getattr(game.component_reader, "settle", None)
    if settle is not None:
        settle(after)
    _check_form(game, after, translator)
    return after, path


def _unused(leaf: en.Leaf, used: list[Any], like: Any) -> Any:
    """What a new entry may be called, that no other one is."""
    if leaf.kind == "number":
        candidates: Iterator[Any] = iter(range(leaf.least or 0, (leaf.most or 10_000) + 1))
    elif leaf.kind == "word":
        candidates = iter(leaf.words)
    else:
        numbers = (str(number) for number in range(1, 1000))
        candidates = (one for one in numbers if leaf.pattern is None or re.search(leaf.pattern, one))
    return next((one for one in candidates if one not in used), like)


def _check_form(game: Game, data: Json, translator: Translator) -> None:
    """Raise Wrong, with the checker's sentence at its path, for data that do not have the form of a file."""
    if len(msgspec.json.encode(data)) > MOST_DATA:
        raise Refusal(413, "This set would be larger than the workshop can keep.")
    try:
        content = FileContent(str(data.get("name", "")), data, game.package)
        content.checked(game.component_reader.ComponentsFile)
    except ComponentError as error:
        raise EditErrors({error.entry: error.problem.translate(translator)}) from None


# Values


def values_below(node: en.Node) -> Iterator[en.Value]:
    """All single values of a tree."""
    if isinstance(node, en.Value):
        yield node
    else:
        for child in node.children:
            yield from values_below(child)


def _with_values(data: Json, root: en.Node, posted: Mapping[str, str], translator: Translator) -> Json:
    faults: dict[str, str] = {}
    after = data
    gone: list[str] = []
    for node in values_below(root):
        text = posted.get(f"v:{node.path}")
        if text is None:
            continue
        text = text.strip()
        if not text and node.removable and node.leaf.kind in ("number", "word"):
            gone.append(node.path)
            continue
        value, fault = _parsed(node.leaf, text, translator)
        if fault is not None:
            faults[node.path] = fault
        elif value != node.value:
            after = en.with_value(after, node.path, value)
    if faults:
        typed = {name.removeprefix("v:"): text for name, text in posted.items() if name.startswith("v:")}
        raise EditErrors(faults, typed)
    for path in reversed(gone):
        after = en.without(after, path)
    return after


def _parsed(leaf: en.Leaf, text: str, translator: Translator) -> tuple[Any, str | None]:
    """The value that a text stands for, or what is wrong with it."""
    match leaf.kind:
        case "number":
            value = int(text) if _NUMBER.fullmatch(text) else None
            low, high = leaf.least, leaf.most
            if value is None or (low is not None and value < low) or (high is not None and value > high):
                return None, translator(
                    "Write a whole number: %(range)s.", range=range_text(leaf, translator) or "…"
                )
            return value, None
        case "truth":
            return text == "yes", None
        case "word":
            matches = [word for word in leaf.words if str(word) == text]
            return (
                (matches[0], None)
                if matches
                else (None, translator("Choose one of the words that are offered."))
            )
    if (wrong := fault_in_text(text)) is not None:
        return None, translator(
            "Such a character is not possible here: %(why)s.", why=wrong.translate(translator)
        )
    if len(text) < (leaf.least or 0) or (leaf.most is not None and len(text) > leaf.most):
        return None, translator("Write %(range)s.", range=range_text(leaf, translator))
    if leaf.pattern is not None and not re.search(leaf.pattern, text):
        form = translator(leaf.form) if leaf.form else leaf.pattern
        return None, translator("Write %(range)s.", range=form)
    return text, None


# What else a form asks for


def nodes_below(node: en.Node) -> Iterator[en.Node]:
    """A tree's nodes, itself first."""
    yield node
    if not isinstance(node, en.Value):
        for child in node.children:
            yield from nodes_below(child)


def _done(
    game: Game, structure: Any, data: Json, root: en.Node, added: str, do: str, translator: Translator
) -> tuple[Json, str]:
    what, _, path = do.partition(":")
    nodes = {node.path: node for node in nodes_below(root)}
    at = root.path
    node = nodes.get(path)
    match what:
        case "add":
            return _added(structure, data, at, added), at
        case "remove" if path == at and at.endswith("]"):
            return en.without(data, at), ""
        case "copy" if path == at and at.endswith("]"):
            name, _, index = at.rstrip("]").rpartition("[")
            entry = copy.deepcopy(en.value_at(data, at))
            return _put(game, structure, data, f"{name}[{int(index) + 1}]", entry, translator)
        case "remove" if node is not None and not isinstance(node, en.Items) and node.removable:
            return _without(data, path), at
        case "copy" if isinstance(node, en.Branch) and node.listed:
            name, _, index = path.rstrip("]").rpartition("[")
            value = copy.deepcopy(en.value_at(data, path))
            return en.inserted(data, f"{name}[{int(index) + 1}]", value), at
        case "more" if isinstance(node, en.Items) and node.has_room:
            there = en.value_at(data, path)
            fresh = copy.deepcopy(there[-1]) if there else en.usual(en.kind_at(structure, f"{path}[0]"))
            return en.inserted(data, f"{path}[{len(there)}]", fresh), at
    raise Refusal(400, "Something went wrong with that form: go back, reload the page and try again.")


def _without(data: Json, path: str) -> Json:
    try:
        return en.without(data, path)
    except LookupError:  # the same form emptied it, too
        return data


def _added(structure: Any, data: Json, at: str, added: str) -> Json:
    """The data with what is chosen from the list of what may be added."""
    path, _, word = added.partition("=")
    kind, value = en.kind_at(structure, at), en.value_at(data, at)
    for offer in en.offers(kind, value, at):
        if offer.path == path:
            word_chosen = next((one for one in offer.leaf.words if str(one) == word), None)
            if offer.leaf.kind == "word" and word_chosen is None:
                break
            usual = en.usual(en.kind_at(structure, path))
            return en.with_value(data, path, word_chosen if word_chosen is not None else usual)
    if path in en.lists_below(kind, value, at):
        fresh = en.usual(en.kind_at(structure, path)) or [en.usual(en.kind_at(structure, f"{path}[0]"))]
        return en.with_value(data, path, fresh)
    raise Refusal(400, "Choose what is to be added.")
