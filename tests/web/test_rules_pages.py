"""Pages of rules: every number on them is of the components, their examples are played by the rules, and every phase of
a table has its place on them.
"""

import ast
import pathlib
import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from markupsafe import escape

from atoll.core.catalogue import find_game
from atoll.core.game import Game
from atoll.core.game_translator import GameTranslator
from atoll.core.lessons import scripts_of
from atoll.core.types import Components
from atoll.games.cast_away import illustrations as cast_away
from atoll.games.costa_ruana import illustrations as costa_ruana
from atoll.games.karuba import illustrations as karuba
from atoll.text.errors import ComponentError
from atoll.text.translation import LANGUAGES, Translator
from atoll.web.pages.anchors import anchor_of, phases_of
from atoll.web.pages.components_page import components_page
from atoll.web.pages.replay_page import draw_replay
from atoll.web.pages.rules_page import GameSetup, default_setup, rules_html, with_contents
from atoll.web.pages.sandbox_page import draw_sandbox
from atoll.web.pages.static_page import draw_static
from atoll.web.pages.table_page import draw_table
from atoll.web.serving.game_requests import setup_of
from atoll.web.store.store import SeatRow, now
from atoll.web.table.replay import look_of
from atoll.web.table.sandbox import SandboxTable
from atoll.web.table.seats import Viewer
from atoll.web.table.tables import Tables
from atoll.web.translation import translator_for
from tests.web.conftest import QuietTable

GAMES = ("cast-away", "costa-ruana", "karuba")
OF_A_LIST = 2
RULES_BY_NUMBER = pathlib.Path(__file__).parents[2] / "docs" / "rules"
Path = tuple[str | int, ...]

NOT_TOLD = {
    "format",
    "id",
    "counts",
    "calumet",
    "no_gift",
    "free_exploration",
    "double_fishing",
    "first_in_orientation",
}
"""Numbers of a components file that are no numbers of the game: its form, what names a tile, how long its lists are,
and effects that one has or has not.
"""


def numbers(data: Any, path: Path = ()) -> Iterator[Path]:
    """Where numbers of the game stand in a file."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        if key in NOT_TOLD and not (key == "counts" and path[:1] == ("cards",)):
            continue
        if isinstance(value, int) and not isinstance(value, bool):
            yield (*path, key)
        else:
            yield from numbers(value, (*path, key))


def sample(data: Any) -> Iterator[Path]:
    """Every number that stands by itself, and some of each list, spread over it."""
    listed: dict[object, list[Path]] = {}
    for path in numbers(data):
        if any(isinstance(key, int) for key in path):
            listed.setdefault(path[0], []).append(path)
        else:
            yield path
    for paths in listed.values():
        yield from paths[:: max(1, len(paths) // OF_A_LIST)]


@cache
def data_of(game: Game) -> Any:
    """The default_setup set's data, read once; to be copied before it is changed."""
    return game.components().data


def changed(game: Game, path: Path) -> Components | None:
    """The default_setup set with one number changed to the nearest that the game allows; None if it allows no other."""
    for by in (1, -1, 2, -2, 3):
        data = deepcopy(data_of(game))
        inside: Any = data
        for key in path[:-1]:
            inside = inside[key]
        inside[path[-1]] += by
        try:
            return game.components_from("changed", data)
        except ComponentError:
            continue
    return None


@cache
def told(game: Game, language: str) -> str:
    """The default_setup page as text."""
    return text_of(rules_html(game, language, default_setup(game), examples=False))


def text_of(html: str) -> str:
    """A page without its drawings and tags."""
    shown = re.sub(r"<svg\b.*?</svg>", "", html, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", shown).split())


@pytest.mark.parametrize("name", GAMES)
def test_every_number_of_the_components_is_on_the_page(name: str) -> None:
    """Whatever number of the file is changed, the page says something else: none is written down on the page itself."""
    game = find_game(name)
    silent = []
    for index, path in enumerate(sample(data_of(game))):
        language = list(LANGUAGES)[index % len(LANGUAGES)]
        components = changed(game, path)
        if components is not None:
            html = rules_html(game, language, GameSetup(components), examples=False)
            if text_of(html) == told(game, language):
                silent.append(path)
    assert silent == []


@pytest.mark.parametrize(("language", "two"), [("en", "just two cards left"), ("fr", "que deux cartes")])
def test_the_last_hand_follows_the_size_of_a_hand(language: str, two: str) -> None:
    """KA-7: with 16 cards and 8 rounds two are left; with a hand of two that is no news, with 18 cards four are."""
    game = find_game("karuba")
    assert two in told(game, language)
    data = deepcopy(game.components().data)
    data["game"]["hand"] = 2
    assert two not in text_of(
        rules_html(game, language, GameSetup(game.components_from("x", data)), examples=False)
    )
    data["game"] |= {"hand": 6, "rounds": 7}
    html = rules_html(game, language, GameSetup(game.components_from("x", data)), examples=False)
    assert two not in text_of(html)
    assert re.search(r"\b4 (cards left|cartes)", text_of(html))


@pytest.mark.parametrize(
    ("name", "language", "sentence"),
    [
        ("costa-ruana", "en", "every native in your supply 1 point"),  # CR-22
        ("costa-ruana", "fr", "chaque autochtone dans votre réserve 1 point"),
        ("costa-ruana", "fr", "Entre plusieurs cartes d’une de ces quatre sortes"),  # CR-14
        ("karuba", "en", "Of the cards with neither adventurer nor temple, the lower numbers"),  # KA-2
        ("karuba", "fr", "Parmi les cartes sans aventurier ni temple, les plus petits numéros"),
        ("cast-away", "en", "A player drawn by lot (the rulebook says: the youngest) is the first"),  # CA-5
        ("cast-away", "fr", "Une personne tirée au sort (selon le livret"),
        ("cast-away", "en", "list of the box counts 16 event cards"),
        ("cast-away", "fr", "16 cartes Évènement"),  # CA-7
        ("cast-away", "en", "your meeple, too, may be placed later in this round"),  # CA-25
        ("cast-away", "fr", "lui aussi pourra être placé plus tard dans la manche"),
        ("cast-away", "en", "without a discount for the first to arrive"),  # CA-28, the great workshop
        ("cast-away", "fr", "sans réduction pour le premier arrivé"),
        ("cast-away", "en", "announced before it is turned over"),  # CA-27, event 6
        ("cast-away", "fr", "à annoncer avant de la retourner"),
        ("cast-away", "en", "if first in resources of all six kinds together"),  # CA-41, abundance
        ("cast-away", "en", "Resources are those that are left after the last Feeding"),
        ("cast-away", "fr", "ressources des six sortes réunies"),
        ("cast-away", "fr", "Les ressources sont celles qui restent après la dernière alimentation"),
    ],
)
def test_what_players_ask_is_told(name: str, language: str, sentence: str) -> None:
    """What the rulebooks say, or the rulings on them, and the pages once left out."""
    assert sentence in told(find_game(name), language)


@pytest.mark.parametrize(
    ("option", "english", "french"),
    [
        (
            "free_compass",
            "before a meeple, or after your last one",
            "avant un meeple, ou après votre dernier",
        ),  # CA-13
        (
            "any_storey",
            "of any storey, whatever you have of those below",
            "quoi que vous ayez en dessous",
        ),  # CA-18
        ("lots_may_stay", "They may also take nothing", "On peut aussi ne rien prendre"),  # CA-29
        (
            "boost_of_first_design",
            "a boost gives is the first design",
            "est du premier motif disponible",
        ),  # CA-5
    ],
)
def test_the_page_tells_another_reading_where_its_option_is_on(
    option: str, english: str, french: str
) -> None:
    game = find_game("cast-away")
    components = default_setup(game).components
    other = GameSetup(game.under(components, {**components.options, option: True}))
    for language, sentence in (("en", english), ("fr", french)):
        assert sentence not in told(game, language)
        assert sentence in text_of(rules_html(game, language, other, examples=False))


def test_natives_stand_in_the_supply_and_one_word_is_used_for_collecting() -> None:
    """CR-19, CR-22: huts hold treasures alone. In French who collects “récolte”, on the page and in all messages."""
    game = find_game("costa-ruana")
    translator = GameTranslator(Translator("fr").with_package(game.package), game.components())
    assert translator("Natives in the supply") == "Autochtones dans la réserve"
    assert translator("Nobody collects a treasure.") == "Personne ne récolte de trésor."
    for language, in_hut in (
        ("en", r"in (?:the|your|their) huts?"),
        ("fr", r"(?:à|dans) (?:la|sa|votre) hutte"),
    ):
        assert not re.search(in_hut, told(game, language))
    assert "collect" not in told(game, "fr")


def test_what_low_numbers_have_on_them_follows_the_cards() -> None:
    """KA-2: the numbers of temples and adventurers say nothing of their paths, nor may any in another file."""
    game = find_game("karuba")
    data = deepcopy(data_of(game))
    data["cards"][:8] = data["cards"][7::-1]
    other = rules_html(game, "en", GameSetup(game.components_from("x", data)), examples=False)
    assert "lower numbers lead" in told(game, "en")
    assert "lower numbers lead" not in text_of(other)


@pytest.mark.parametrize(
    ("language", "points"),
    [("en", ("2 points", "supply 1", "island nothing")), ("fr", ("2 points", "réserve 1", "île rien"))],
)
def test_the_first_lesson_says_what_points_are_before_it_ends(language: str, points: tuple[str, ...]) -> None:
    """CR-22: the numbers of the components."""
    game = find_game("costa-ruana")
    numbers = game.components().file.game
    assert (numbers.treasure_points, numbers.native_points) == (2, 1)
    translator = Translator(language).with_package(game.package)
    [script] = scripts_of(game).values()
    sentences = [translator(step.why) for step in script.steps]
    assert any(all(words in sentence for words in points) for sentence in sentences)


@pytest.mark.parametrize("name", GAMES)
def test_every_phase_has_its_place_on_the_page(name: str) -> None:
    """In all languages, with and without the examples' drawings."""
    game = find_game(name)
    phases = phases_of(game)
    assert phases is not None
    for language in LANGUAGES:
        html, chapters = with_contents(rules_html(game, language, default_setup(game), examples=False))
        anchors = re.findall(r' id="([^"]*)"', html)
        assert len(anchors) == len(set(anchors))
        assert {anchor_of(game, phase) for phase in phases.names if phase} <= set(anchors)
        assert len(chapters) > 5


def test_both_languages_have_the_same_places() -> None:
    """A link into one page leads somewhere in the other too."""
    for name in GAMES:
        game = find_game(name)
        pages = [rules_html(game, language, default_setup(game), examples=False) for language in LANGUAGES]
        first, *others = (re.findall(r' id="([^"]*)"', page) for page in pages)
        assert all(first == other for other in others)


def test_headings_of_markdown_name_their_places() -> None:
    """For games that bring no template of their own; the others are numbered."""
    html, chapters = with_contents("<h2>Lay [#lay]</h2><h3>Twice</h3><h2>End</h2>")
    assert html.startswith('<h2 id="lay">Lay</h2>')
    assert [chapter.anchor for chapter in chapters] == ["lay", "part-3"]
    assert [part.title for part in chapters[0].below] == ["Twice"]


# Examples, played by the rules


def test_the_island_of_the_example_scores_as_the_rules_say() -> None:
    """KA-9 to KA-13: three arrive, one of them over a card of another, and purple is stopped."""
    game = find_game("karuba")
    data = deepcopy(game.components().data)
    example = karuba.examples(game.components(), {})["scored"]
    assert [fate.state for fate in example.fates] == ["arrives", "arrives", "arrives", "stopped"]
    assert example.fates[3].stopped_by == "orange"
    assert set(example.fates[1].path) & set(example.fates[2].path)
    data["game"]["adventurer_points"] += 10
    more = karuba.examples(game.components_from("x", data), {})["scored"]
    assert more.points == example.points + 30
    html = rules_html(game, "en", GameSetup(game.components_from("x", data)))
    assert f"This island is worth {more.points} points" in text_of(html)


def test_the_sums_of_the_example_are_of_a_round() -> None:
    """KA-5: the lowest sum discards, and everybody who shares it."""
    sums = karuba.examples(find_game("karuba").components(), {})["sums"]
    lowest = min(one.total for one in sums)
    assert all(one.total == sum(one.cards) for one in sums)
    assert all(one.discards == (one.total == lowest) for one in sums)
    assert sum(one.discards for one in sums) == 2


def test_natives_of_the_examples_argue_as_the_rules_say() -> None:
    """CR-17, for each island drawn: equal numbers argue, of the others the most collect, if there is treasure."""
    found = costa_ruana.examples(find_game("costa-ruana").components(), {"open_huts": False})
    assert len(found["collected"]) == 6
    for island in [*found["collected"], *found["round"].collected]:
        counts = {group["seat"]: group["count"] for group in island["groups"]}
        alone = {seat: count for seat, count in counts.items() if list(counts.values()).count(count) == 1}
        collector = max(alone, key=alone.__getitem__, default=None) if island["treasures"] else None
        for group in island["groups"]:
            state = "argues" if group["seat"] not in alone else "stands"
            assert group["state"] == ("collects" if group["seat"] == collector else state)


def test_an_example_that_the_components_forbid_is_left_out() -> None:
    """Islands for three natives do not hold the crowds of the examples."""
    game = find_game("costa-ruana")
    data = deepcopy(game.components().data)
    data["game"]["island_capacity"] = 3
    html = rules_html(game, "en", GameSetup(game.components_from("x", data)))
    assert "Red 3, Blue 3, Yellow 1" not in text_of(html)
    assert 'id="example"' not in html


def test_the_feeding_of_the_example_is_the_rules() -> None:
    """CA-31 to CA-33: fire makes a meal of fish, without it one goes down; prestige keeps the last health."""
    game = find_game("cast-away")
    components = game.components()
    eats, starves, pays = cast_away.examples(components, {})["feeding"].eaters
    fish = components.file.food.fish
    assert eats.food == eats.resources["fruit"] + fish * eats.resources["fish"]
    assert starves.food == starves.resources["fruit"]
    assert len(eats.meals) > 1
    assert all(fish * fishes + fruit >= eats.food_needed for fishes, fruit in eats.meals)
    assert (eats.health_after - eats.health, starves.health_after - starves.health) == (1, -1)
    assert (pays.health_after, pays.prestige) == (pays.health, -components.file.food.ransom)


# Opened from a table


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_shows_the_rules_with_which_it_was_begun(quiet_table: QuietTable, language: str) -> None:
    """Its components and options, not the game's own."""
    table = quiet_table("costa-ruana")
    game = table.game
    data = deepcopy(game.components().data)
    data["game"]["treasure_points"] = 37
    row = replace(
        table.row,
        id="begun-otherwise",
        components_name="mine",
        components_data=data,
        components_sha256=game.components_from("mine", data).sha256,
        options={"open_huts": True},
    )
    table.store.make_table(row, [SeatRow(0)])
    begun = setup_of(table.store, game, row.id)
    assert (begun.players, begun.table) == (row.players, row.id)
    page = rules_html(game, language, begun, examples=False)
    used = {"en": ">used at your table<", "fr": ">activée à votre table<"}[language]
    assert "37 points" in text_of(page)
    assert used in page
    own = rules_html(game, language, setup_of(table.store, game, None), examples=False)
    assert "37 points" not in text_of(own)
    assert used not in own
    assert setup_of(table.store, find_game("karuba"), row.id) == default_setup(find_game("karuba"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_pages_of_a_table_tell_the_game_with_its_options(quiet_table: QuietTable, language: str) -> None:
    """CA-41: with the option each of the six miracles scores for all players, wherever it is told: at the table, in the
    past, while trying, as a page by itself, in the rules and among the components.
    """
    usual = quiet_table("cast-away")
    game, store = usual.game, usual.store
    row = replace(usual.row, id="for-everybody", options=game.check_options({"miracles_for_all": True}))
    store.make_table(row, [SeatRow(seat, str(seat), None, now()) for seat in range(row.players)])
    words = {
        "en": ("for each player:", "for its owner:"),
        "fr": ("pour chaque joueur", "pour son propriétaire"),
    }
    told_to_all, told_to_owner = words[language]
    for table, wanted in ((usual, (0, 6)), (Tables(store).find(row.id), (6, 0))):
        viewer, setup = Viewer(0, True), setup_of(store, game, table.row.id)
        past = draw_replay(table, look_of(table, viewer, None, None, None), language, whole=True)
        sandbox = SandboxTable.begin(table, table.timeline.view(0), 1)
        pages = {
            "table": str(draw_table(table, viewer, language, {}, whole=True)),
            "past": str(past),
            "try": str(draw_sandbox(sandbox, language, {}, whole=True, confirms=False, stale=False)),
            "still": draw_static(table.timeline.position, 0, language),
            "rules": rules_html(game, language, setup, examples=False),
            "components": components_page(game, setup.components, language),
        }
        counts = {
            name: (text_of(page).count(told_to_all), text_of(page).count(told_to_owner))
            for name, page in pages.items()
        }
        assert counts == dict.fromkeys(pages, wanted)


# What the rulebook leaves open


@pytest.mark.parametrize("name", GAMES)
def test_each_page_ends_with_what_the_rulebook_leaves_open(name: str) -> None:
    """Every ruling in both languages, at the number of its rule. There is one for each rule that docs/rules or the head
    of the game's `rules.py` calls open, and every option is named at one.
    """
    game = find_game(name)
    numbers = [int(ruling.rule.partition("-")[2]) for ruling in game.rulings]
    assert numbers == sorted(numbers)
    assert open_rules(game) <= {ruling.rule for ruling in game.rulings}
    assert {ruling.option for ruling in game.rulings} - {None} == {option.name for option in game.options}
    for language in LANGUAGES:
        translator = translator_for(language, game.package)
        html = rules_html(game, language, default_setup(game), examples=False)
        last = html[html.rindex("<section>") :]
        assert ' id="rulings"' in last
        assert [
            translator(ruling.text) for ruling in game.rulings if escape(translator(ruling.text)) not in last
        ] == []
        assert re.findall(r'<dt id="([^"]+)">\1</dt>', last) == list(
            dict.fromkeys(one.rule for one in game.rulings)
        )
        links = re.findall(r'href="#([^"]+)"', last)
        assert links == [f"option-{ruling.option}" for ruling in game.rulings if ruling.option]
        assert all(f'id="{link}"' in html for link in links)


def open_rules(game: Game) -> set[str]:
    """The numbers of the rules that are called open: in docs/rules, and at the head of the game's rules."""
    page = (RULES_BY_NUMBER / f"{game.name}.md").read_text("utf-8")
    rules, _, readings = page.partition("\n## Readings that stay open")
    entries = re.split(r"^- \*\*(?=[A-Z])", rules, flags=re.MULTILINE)[1:]
    ruled = {entry.partition("**")[0] for entry in entries if "**Ruling**" in entry}
    head = ast.get_docstring(ast.parse((game.folder / "rules.py").read_text("utf-8"))) or ""
    listed = head.partition("leaves something open:")[2] + readings
    return ruled | set(re.findall(r"\b[A-Z]{2}-\d+", listed))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_set_that_departs_from_the_rulebook_says_so(language: str) -> None:
    """The rulebook's majority scores 2 prestige (p. 9); the usual set keeps to all that is attested, others do not."""
    game = find_game("cast-away")
    data = deepcopy(game.components().data)
    data["name"], data["tribe"]["majority"] = "mine", 3
    edited = game.components_from("mine", data)
    parts = {"en": "here: Tribe.", "fr": "ici : Tribu."}[language]
    words = {"en": "has other figures than the rulebook", "fr": "s’écarte du livret"}[language]
    for components in (*map(game.components, game.component_files), edited):
        page = text_of(rules_html(game, language, GameSetup(components), examples=False)).replace(
            "\u202f", " "
        )
        assert (words in page) == (components.name != "reconstruction")
        assert (parts in page) == (components is edited)
