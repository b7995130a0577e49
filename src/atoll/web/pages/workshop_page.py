"""The workshop's pages: a component set with its versions and comparison, and the list of a browser's sets."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
from markupsafe import Markup

from atoll.bots import DEFAULT_BOT, LEVELS
from atoll.core import entries as en
from atoll.core.catalogue import games
from atoll.core.component_sheets import ComponentSheets
from atoll.core.components import LONGEST_SET_NAME
from atoll.core.game import Game
from atoll.core.types import Json
from atoll.text.errors import AtollError, ComponentError
from atoll.text.spreadsheets import has_libraries
from atoll.text.toml_text import matched
from atoll.text.translation import Translator
from atoll.web.pages.components_page import sheet_context
from atoll.web.pages.rules_page import has_rules_page
from atoll.web.pages.start_page import ago
from atoll.web.pages.templating import draw, environment
from atoll.web.pages.workshop_findings import findings_context
from atoll.web.refusal import Refusal
from atoll.web.store.comparison_queue import QueuedComparison
from atoll.web.store.component_sets import ComponentSet, Trial, Version
from atoll.web.store.engine import aware
from atoll.web.translation import translator_for
from atoll.web.workshop.edits import EditErrors, problem_of, range_text, section_of, structure_of
from atoll.web.workshop.findings import KeptFindings

SIZES = (200, 1000, 5000, 20_000)
"""Deals that a comparison may play."""
USUAL_SIZE = 1000


def has_workshop(game: Game) -> bool:
    """Whether a game's components can be changed in the workshop."""
    return bool(game.component_files) and hasattr(game.component_reader, "ComponentsFile")


class OpenSet:
    """A component set on its page: its entries, their values, and what is wrong with them."""

    def __init__(
        self,
        game: Game,
        component_set: ComponentSet,
        base: Json,
        translator: Translator,
        open_path: str,
        errors: EditErrors | None,
    ) -> None:
        self.game = game
        self.structure = structure_of(game)
        self.data = component_set.draft | en.left_out(self.structure, component_set.draft)
        self.translator = translator
        self.open_path = open_path
        self.errors = errors or EditErrors({})
        self.problem = problem_of(game, component_set.draft)
        self.problem_text = "" if self.problem is None else self.problem.problem.translate(translator)
        self.sections = list(en.sections(self.structure, self.data))
        self.drawn_paths: set[str] = set()
        self._now = dict(moved_entries(component_set.playable, component_set.draft))
        self.differences = list(en.differences(base, component_set.draft))
        self._changed = {section_of(one.path) for one in self.differences if one.after is not None}
        self._names = en.labels(game)

    def label(self, key: str) -> str:
        """The label of a key of the file."""
        return self.translator(self._names.get(key, key.replace("_", " ")))

    def path_label(self, path: str) -> str:
        """The label of a path in the file."""
        labels = []
        data: Any = self.data
        for step in en.steps(path):
            try:
                data = data[step]
            except (LookupError, TypeError):
                data = None
            labels.append(self._entry_name(data, step) if isinstance(step, int) else self.label(step))
        return " · ".join(labels)

    def _entry_name(self, data: Any, index: int) -> str:
        name = data.get("name") if isinstance(data, Mapping) else None
        if isinstance(name, Mapping):
            name = name.get(self.translator.language, next(iter(name.values()), None))
        return str(name) if name else str(index + 1)

    def current(self, path: str) -> str | None:
        """The present path of an entry that is drawn at another; None if it was removed."""
        return self._now.get(path, path if "[" not in path else None)

    def entry(self, drawn_path: str) -> dict[str, Any] | None:
        """The context of a drawn entry; None if it was removed."""
        path = self.current(drawn_path)
        return None if path is None or path not in self.sections else self.entry_context(path)

    def entry_context(self, path: str) -> dict[str, Any]:
        """The context of an entry's template; marks it as drawn."""
        self.drawn_paths.add(path)
        value = en.value_at(self.data, path)
        kind = en.kind_at(self.structure, path)
        return {
            "path": path,
            "id": element_id(path),
            "name": self.path_label(path),
            "open": path == self.open_path,
            "text": self._text(value),
            "changed": path in self._changed,
            "problem": self._problem_at(path),
            "root": en.tree(kind, value, path, str(en.steps(path)[-1])) if path == self.open_path else None,
            "listed": path.endswith("]"),
            "offers": self._offers(kind, value, path) if path == self.open_path else [],
        }

    def _text(self, value: Any) -> str:
        """The values of an entry as one line of text, besides its name."""
        if isinstance(value, Mapping):
            value = {key: part for key, part in value.items() if key != "name"}
        return value_text(value, self.label)

    def _problem_at(self, path: str) -> str | None:
        """The checker's message, if it is about this entry."""
        if self.problem is not None and section_of(self.problem.entry) == path:
            return self.problem_text
        return None

    def loose_problem(self) -> str | None:
        """The checker's message, if it is about no entry of the page."""
        problem = self.problem
        if problem is None or section_of(problem.entry) in self.sections:
            return None
        if not problem.entry:
            return problem.translate(self.translator)
        return self.translator("%(place)s: %(problem)s", place=problem.entry, problem=self.problem_text)

    def _offers(self, kind: Any, value: Any, path: str) -> list[tuple[str, list[tuple[str, str]]]]:
        """What can be added to an entry, in groups: values and labels."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for offer in en.offers(kind, value, path):
            above, _, key = offer.path.rpartition(".")
            group = groups.setdefault(self._below(above, path), [])
            if offer.leaf.kind == "word":
                group.extend(
                    (f"{offer.path}={word}", f"{self.label(key)}: {self.label(str(word))}")
                    for word in offer.leaf.words
                )
            else:
                group.append((offer.path, self.label(key)))
        for listed in en.lists_below(kind, value, path):
            above, _, key = listed.rpartition(".")
            groups.setdefault(self._below(above, path), []).append((listed, self.label(key)))
        return list(groups.items())

    def _below(self, path: str, above: str) -> str:
        inner = path.removeprefix(above).lstrip(".")
        return " · ".join(
            self.label(str(step)) if isinstance(step, str) else str(step + 1) for step in en.steps(inner)
        )

    def fault(self, path: str) -> str | None:
        """What is wrong with the value at a path, by a refused form or by the checker."""
        if path in self.errors.faults:
            return self.errors.faults[path]
        return self.problem_text if self.problem is not None and self.problem.entry == path else None

    def field_value(self, value: en.Value) -> Any:
        """The content of a field: as it was posted in a refused form, else the value."""
        return self.errors.typed.get(value.path, value.value)

    def range_text(self, value: en.Value) -> str:
        """The range of a field's values, as text."""
        return range_text(value.leaf, self.translator)

    def lists(self) -> list[tuple[str, str, bool]]:
        """The lists of the file: name, label, and whether there is room for one more."""
        return [
            (name, self.label(name), most is None or len(self.data.get(name, [])) < most)
            for name, (_, most) in en.lists(self.structure).items()
        ]

    def rest(self) -> Iterator[dict[str, Any]]:
        """The entries that the game's sheet has not drawn so far."""
        for path in self.sections:
            if path not in self.drawn_paths:
                yield self.entry_context(path)


def element_id(path: str) -> str:
    """The element id of an entry."""
    return "entry-" + "-".join(map(str, en.steps(path)))


def moved_entries(before: Json, now: Json) -> Iterator[tuple[str, str]]:
    """Paths of list entries before and now, for those that are in both."""
    for name, entries in before.items():
        if isinstance(entries, list) and isinstance(now.get(name), list):
            for i, j in matched(entries, now[name]):
                if i is not None and j is not None:
                    yield f"{name}[{i}]", f"{name}[{j}]"


def draw_set(
    game: Game,
    component_set: ComponentSet,
    versions: Sequence[Version],
    language: str,
    *,
    open_path: str = "",
    errors: EditErrors | None = None,
    notice: str | None = None,
    comparison: Mapping[str, Any] | None = None,
    found: KeptFindings | None = None,
) -> str:
    """The page of a set."""
    translator = translator_for(language, game.package)
    last = versions[-1]
    open_set = OpenSet(game, component_set, base_of(game, versions), translator, open_path, errors)
    playable = game.components_from(component_set.name, component_set.playable)
    folder, package = str(game.folder), game.package
    template = environment(language, package, folder).get_template("workshop_entry.html.jinja")

    def edit(path: str) -> Markup:
        return Markup(template.render(entry=open_set.entry(path), workshop=open_set, set=component_set))

    def edit_entry(entry: Mapping[str, Any]) -> Markup:
        return Markup(template.render(entry=entry, workshop=open_set, set=component_set))

    return draw(
        "workshop_set.html.jinja",
        language,
        game,
        **sheet_context(game, playable, language) | {"edit": edit},
        edit_entry=edit_entry,
        workshop=open_set,
        set=component_set,
        longest_name=LONGEST_SET_NAME,
        versions=list(reversed(versions)),
        unsaved=last.data != component_set.draft,
        sheets=ComponentSheets(game, language).titles(),
        forms=[".xlsx", ".ods", ".zip"] if has_libraries() else [".zip"],
        when=lambda time: ago(aware(time), translator),
        iso=iso,
        notice=notice,
        form={
            "seats": list(game.seats),
            "players": game.default_players,
            "bots": [{"name": level.name, "label": translator(level.name)} for level in LEVELS],
            "bot": DEFAULT_BOT,
            "sizes": SIZES,
            "size": USUAL_SIZE,
        },
        comparison=comparison,
        found=None
        if found is None
        else findings_context(game, found, versions, component_set.draft, open_set.path_label, translator),
        here=f"/workshop/{component_set.id}",
    )


def base_of(game: Game, versions: Sequence[Version]) -> Json:
    """The data of a set's first version."""
    return versions[0].data


def iso(time: datetime) -> str:
    """A time in ISO 8601."""
    return aware(time).isoformat()


@dataclass(frozen=True)
class FilledEntry:
    """A refused form for a new set: its fields, why, in the reader's language, and whether a field is to blame.

    An uploaded file has to be chosen again, since a page cannot fill that in.
    """

    fields: Mapping[str, str]
    why: str
    is_wrong: bool


def draw_sets(
    game: Game, sets: Sequence[ComponentSet], language: str, filled: FilledEntry | None = None
) -> str:
    """The page of a browser's sets of a game; `filled` is a refused form, shown as it was sent."""
    translator = translator_for(language, game.package)
    return draw(
        "workshop.html.jinja",
        language,
        game={"key": game.name, "title": game.title},
        shipped=[(name, translator(name)) for name in game.component_files],
        sets=[
            {
                "id": one.id,
                "name": one.name,
                "playable": one.is_playable,
                "changed": iso(one.changed_at),
                "when": ago(aware(one.changed_at), translator),
            }
            for one in sets
        ],
        usual_name=translator("My %(game)s", game=game.title)[:LONGEST_SET_NAME],
        longest_name=LONGEST_SET_NAME,
        others=[
            (other.name, other.title)
            for other in games().values()
            if other is not game and has_workshop(other)
        ],
        to_rules=has_rules_page(game),
        filled=filled,
        here=f"/games/{game.name}/workshop",
    )


def draw_differences(
    game: Game, component_set: ComponentSet, first: Version, second: Version | None, language: str
) -> str:
    """The page of differences between two versions of a set; for None, its draft."""
    translator = translator_for(language, game.package)
    after = component_set.draft if second is None else second.data
    open_set = OpenSet(game, component_set, first.data, translator, "", None)
    open_set.data = after
    rows = [
        (
            open_set.path_label(one.path),
            value_text(one.before, open_set.label),
            value_text(one.after, open_set.label),
        )
        for one in en.differences(first.data, after)
    ]
    return draw(
        "workshop_differences.html.jinja",
        language,
        rows=rows,
        first=first,
        second=second,
        set=component_set,
        game={"key": game.name, "title": game.title},
        here=f"/workshop/{component_set.id}/differences?from={first.number}",
    )


def value_text(value: Any, label: Callable[[str], str]) -> str:
    """A value of the file as one line of text."""
    if value is None:
        return "–"
    if isinstance(value, Mapping):
        return ", ".join(f"{label(key)} {value_text(part, label)}" for key, part in value.items()) or "–"
    if isinstance(value, list):
        return " · ".join(value_text(part, label) for part in value) or "–"
    if isinstance(value, bool):
        return "✓" if value else "–"
    return label(value) if isinstance(value, str) and value.isidentifier() else str(value)


# What a change does


def comparison_context(
    running: QueuedComparison | None, trials: Sequence[Trial], set_id: str, language: str
) -> dict[str, Any] | None:
    """The context of what is played for a set, else of its last comparison; None if there was none."""
    translator = translator_for(language)
    if running is not None:
        of = running.question["games"]
        url, here = f"/workshop/{set_id}/trial", running.by_browser
        return {"state": running.state, "done": running.done, "of": of, "url": url, "here": here}
    results = [one for one in trials if "comparison" in one.result]
    if not results:
        return None
    from atoll.lab.differences import Comparison
    from atoll.web.workshop.results import findings

    comparison = msgspec.convert(results[0].result["comparison"], Comparison)
    return {
        "state": "done",
        "names": results[0].result["names"],
        "when": ago(aware(results[0].made_at), translator),
        "at": iso(results[0].made_at),
        "games": comparison.first.games,
        "players": comparison.first.players,
        "findings": findings(comparison, translator),
    }


def workshop_game(name: str) -> Game:
    """A game whose components can be changed; raises Refusal."""
    game = games().get(name)
    if game is None:
        raise Refusal(404, "There is no such game.")
    if not has_workshop(game):
        raise Refusal(404, "This game has no components to change.")
    return game


def file_refusal(error: AtollError | ComponentError) -> Refusal:
    """The refusal of an uploaded file."""
    return Refusal(400, "This file cannot be opened: %(why)s", why=error.message)
