"""The page of a report: of every game, in every language, one file that asks for nothing else."""

import re
from base64 import b64decode
from html.parser import HTMLParser
from pathlib import Path

import pytest
from msgspec.structs import replace

from atoll.core.catalogue import games
from atoll.lab.estimates import Bar, Estimate
from atoll.lab.figures import FORMAT, Provenance
from atoll.lab.items import NamedItem, existing, named_items
from atoll.lab.page.drawing import histogram
from atoll.lab.page.numbers import figure
from atoll.lab.page.pictures import Picture
from atoll.lab.report import GameReport, read_report
from atoll.lab.report_page import write_page
from atoll.lab.sections import lead, luck, strategies, usage
from atoll.lab.sections.lead import Comeback, CourseRound, LeadCourse
from atoll.lab.sections.luck import ChanceSource, LuckAndSkill
from atoll.lab.sections.strategies import Opening, Restriction, Strategies
from atoll.lab.sections.usage import ItemUsage, UsageStatistics, UseInRound
from atoll.text.translation import LANGUAGES, Translator
from tests.conftest import Run

ABOUT = Provenance("game", "Game", 1, "own", "", {}, 2, ["greedy"], 100, 1, "")
RECORD = "data:application/x-ndjson;base64,"
"""How the link of a record begins."""
COMPONENTS = "data:application/toml;base64,"
"""How the link of a file to try begins."""


class Page(HTMLParser):
    """What a page holds: its elements with their attributes, and what is said under the pictures of each section."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.sentences: dict[str, list[str]] = {}
        self.is_sentence = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag == "section":
            self.sentences[str(dict(attrs)["id"])] = []
        self.is_sentence = tag == "figcaption"

    def handle_endtag(self, tag: str) -> None:
        self.is_sentence = False

    def handle_data(self, data: str) -> None:
        if self.is_sentence:
            self.sentences[list(self.sentences)[-1]].append(data)


@pytest.mark.parametrize("game", games())
def test_a_report_makes_figures_and_a_page_in_every_language(game: str, run: Run, tmp_path: Path):
    """`atoll report` of a few games says every section that was measured."""
    json = tmp_path / "report.json"
    file = tmp_path / "en.html"
    status, _, complaint = run(
        *("report", game, "--games", 40, "--deals", 2, "--seats", 10, "--seed", 1, "--workers", 1),
        *("--json", json, "-o", file),
    )
    assert (status, complaint) == (0, "")
    figures = read_report(json)
    assert figures.about.games == 40
    assert figures.seats is not None
    assert [table.players for table in figures.seats.tables] == list(games()[game].seats)
    assert file.is_file()
    for language in LANGUAGES:
        path = tmp_path / f"{language}.html"
        write_page(figures, language, path)
        check_page(path.read_text("utf-8"), figures, language)
    assert not list(tmp_path.glob(".*")), "the file is there whole, and nothing else"


@pytest.mark.parametrize(
    ("language", "one", "two"),
    [
        ("en", "What 1 game between bots shows.", "What 2 games between bots show."),
        ("fr", "Ce que montre 1 partie entre robots.", "Ce que montrent 2 parties entre robots."),
    ],
)
def test_a_report_of_one_game_says_so_in_the_singular(
    run: Run, tmp_path: Path, language: str, one: str, two: str
):
    for count, said in ((1, one), (2, two)):
        page, json = tmp_path / f"{count}.html", tmp_path / f"{count}.json"
        asked = ("--games", count, "--players", 2, "--deals", 0, "--seats", 0, "--seed", 1, "--workers", 1)
        status, _, complaint = run(
            "report", "costa-ruana", *asked, "--json", json, "-o", page, "--language", language
        )
        assert (status, complaint) == (0, "")
        assert said in page.read_text("utf-8")


def test_the_page_of_all_that_can_be_asked_for_has_every_section(run: Run, tmp_path: Path):
    """Forced swaps and restricted players, too."""
    json, file = tmp_path / "report.json", tmp_path / "report.html"
    asked = ("--deals", 2, "--seats", 0, "--swaps", 35, "--restricted", 20, "--only", "move/discard/card/7")
    status, _, complaint = run(
        *("report", "karuba", "--players", 2, "--games", 100, "--seed", 1, "--workers", 1, *asked),
        *("--json", json, "-o", file, "--language", "fr"),
    )
    assert (status, complaint) == (0, "")
    figures = read_report(json)
    assert [name for name in figures.__struct_fields__ if getattr(figures, name) is None] == ["people"]
    assert figures.causes is not None
    assert len(figures.causes.causes) == 1
    assert figures.strategies is not None
    *styles, without = [one.bot for one in figures.strategies.restrictions]
    tastes = [f"taste={name}" for name in ("builder", "explorer", "hoarder", "spoiler")]
    assert sorted(styles) == [f"restrict:greedy,{rule}" for rule in ("only=points", *tastes)]
    assert without == "restrict:greedy,never=move/discard/card/7"
    check_page(file.read_text("utf-8"), figures, "fr")


def check_page(text: str, figures: GameReport, language: str) -> None:
    """Nothing is loaded, every section is there, and a sentence says its number as the language writes it."""
    assert set(re.findall(r"https?://[^\s\"'<>)]+", text)) <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"@import|url\(", text)
    page = Page(text)
    assert ("html", {"lang": language}) in page.elements
    for tag, attributes in page.elements:
        assert tag not in ("script", "link", "img", "iframe", "object", "embed", "image", "use", "base"), tag
        assert not {"src", "srcset", "data", "background"} & attributes.keys(), tag
        assert not [name for name in attributes if name.startswith("on")], tag
        assert str(attributes.get("href", "#")).startswith(("#", RECORD, COMPONENTS)), attributes
    measured = [name for name in figures.__struct_fields__[2:] if getattr(figures, name) is not None]
    assert {"length", "seats", "course", "choice", "luck", "things", "strategies", "examples"}.issubset(
        measured
    )
    assert list(page.sentences) == measured
    links = [str(attributes["href"]) for tag, attributes in page.elements if tag == "a"]
    assert links[1 : len(measured) + 1] == [f"#{name}" for name in measured]
    assert figures.examples is not None
    kept = [b64decode(link.partition(",")[2]).decode() for link in links[len(measured) + 1 :]]
    assert figures.findings is not None
    told = []
    for one in figures.findings.findings:
        told += [one.change.components if one.change is not None else one.aims]
        told += [moment.record for moment in one.moments]
    assert kept == told + [one.record for one in figures.examples.examples]
    assert not re.search(r">[^<]{600,}<", text.partition("</style>")[2]), "no cell is as wide as a book"
    assert all(page.sentences.values())
    assert figures.length is not None
    decisions = figures.length.decisions.value
    mark = "," if language == "fr" else "."
    digits = 0 if decisions >= 100 else 1
    said = f"{decisions:.{digits}f}".replace(".", mark)
    if len(figures.length.decisions_histogram) == 1:
        said = f"{decisions:g}"
    assert any(re.search(rf"(?<![\d.,]){re.escape(said)}(?!\d)", one) for one in page.sentences["length"]), (
        said
    )


EN = Translator("en")


def name(text: str) -> dict[str, str]:
    return dict.fromkeys(LANGUAGES, text)


def estimate(value: float, width: float = 0.01) -> Estimate:
    return Estimate(value, value - width, value + width, 1000)


def opening(text: str, value: float, width: float, moves: int = 1) -> Opening:
    return Opening(name(text), ["move"] * moves, estimate(0.1), estimate(value, width), 0.5, [0.5, 0.5])


def test_the_sentence_on_openings_is_about_the_one_at_the_top_of_the_picture():
    """A picture, and under it a sentence that says what is seen and how sure it is (docs/lab.md)."""
    rare, sure = opening("rare", 0.6, 0.2), opening("sure", 0.55, 0.02)
    (shown,) = strategies.pictures(Strategies([], [sure, rare]), EN, ABOUT)
    assert shown.sentence.startswith("“rare” stood out most: who began so won 60.0%")
    assert "that may be chance" in shown.sentence
    (shown,) = strategies.pictures(Strategies([], [sure, opening("other", 0.4, 0.2)]), EN, ABOUT)
    assert shown.sentence.startswith("“sure” stands out most: who began so won 55.0%")
    first, kinds = strategies.pictures(
        Strategies([], [sure, opening("three", 0.6, 0.02, moves=3)]), EN, ABOUT
    )
    assert "three" not in first.sentence + str(first.table)
    assert kinds.sentence.startswith("“three” stands out most")


def test_what_one_seat_alone_can_do_is_compared_with_that_seat():
    """A first choice, or a thing, of a seat that wins more anyway does nothing for it (docs/lab.md)."""
    last = Opening(name("last"), ["move"], estimate(0.1), estimate(0.6, 0.02), 0.6, [0.0, 1.0])
    (shown,) = strategies.pictures(Strategies([], [opening("all", 0.52, 0.01), last]), EN, ABOUT)
    assert (
        shown.sentence
        == "“all” stands out most: who began so won 52.0% (95% sure: 51.0% to 53.0%), where the same seats win 50.0%."
    )
    assert shown.svg.count("dot sure") == 1
    thing = NamedItem("move/build/tile/3", "move", "build", "tile", 3, name("Build"))
    one, win = estimate(0.5), estimate(0.6, 0.02)
    used = ItemUsage(thing, one, one, one, win, one, 0.6, [0.0, 1.0], [])
    shown, _ = usage.pictures(UsageStatistics([used]), EN, ABOUT)
    assert "where their seats win 60.0%" in shown.sentence
    assert "dot sure" not in shown.svg


def test_what_is_used_least_is_one_of_each_kind():
    """A kind of many cards does not fill the picture."""

    def item(kind: str, value: int, used: float) -> ItemUsage:
        thing = NamedItem(f"move/{kind}/card/{value}", "move", kind, "card", value, name(f"{kind} {value}"))
        one = estimate(0.5)
        return ItemUsage(thing, one, estimate(used), one, one, one, 0.5, [0.5, 0.5], [])

    found = [item("lay", value, value / 100) for value in range(1, 9)] + [item("build", 1, 0.5)]
    _, least = usage.pictures(UsageStatistics(found), EN, ABOUT)
    assert [row[0] for row in least.table.rows] == ["lay 1", "build 1"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_report_says_first_what_it_lacks_and_how_good_the_bots_are(tmp_path: Path, language: str):
    """Of a stopped run each missing part says so, one that has figures of its own, too (docs/lab.md)."""
    thing = Strategies([], [opening("sure", 0.55, 0.02)])
    missing, path = ["luck", "causes", "strategies"], tmp_path / "page.html"
    told = replace(ABOUT, finished=False, missing=missing, weak=["greedy", "random"])
    write_page(GameReport(FORMAT, told, strategies=thing), language, path)
    text = path.read_text("utf-8")
    page = Page(text)
    assert list(page.sentences) == missing
    assert text.count('<p class="caution">') == 1 + len(missing)
    assert text.index('<p class="caution">') < text.index('<p class="lead">')
    write_page(GameReport(FORMAT, ABOUT, strategies=thing), language, path)
    assert '<p class="caution">' not in path.read_text("utf-8")


def test_an_opening_of_too_few_games_is_not_said_to_win():
    few = Opening(name("few"), ["move"], estimate(0.1), Estimate(1.0, 1.0, 1.0, 3, "none"), 0.5, [1.0, 0.0])
    (shown,) = strategies.pictures(Strategies([], [few, opening("sure", 0.55, 0.02)]), EN, ABOUT)
    assert shown.sentence.startswith("“sure” stands out most")
    assert "few" in str(shown.table)
    assert "few" not in shown.svg
    assert list(strategies.pictures(Strategies([], [few]), EN, ABOUT)) == []


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (0, 0, None),
        (1, 1, "Who is 1 point behind"),
        (3, 3, "Who is 3 points behind"),
        (4, 6, "Who is 4 to 6 points"),
    ],
)
def test_the_comeback_curve_is_of_those_who_are_behind(low: int, high: int, said: str | None):
    one = estimate(0.5)
    rows = [Comeback(1, 0, 0, one), Comeback(1, low, high, one)]
    found = LeadCourse("round", [], one, [], one, rows, one, [], one, one, one, [])
    assert [shown.sentence[: len(said or "")] for shown in lead.pictures(found, EN, ABOUT)] == (
        [said] if said else []
    )


def test_what_is_red_is_said_beside_each_picture_with_red_in_it():
    (shown,) = strategies.pictures(Strategies([], [opening("sure", 0.55, 0.02)]), EN, ABOUT)
    assert 'class="dot sure"' in shown.svg
    assert "red: the range does not reach the line" in shown.svg


@pytest.mark.parametrize(
    ("cost", "is_sure", "said"),
    [
        (0.05, True, "“it” costs most: 5.0% (95% sure: 3.0% to 7.0%). it: it is so."),
        (0.03, False, "Nothing is sure to cost anything; “it” cost most: 3.0%"),
        (-0.05, True, "Nothing is sure to cost anything"),
    ],
)
def test_a_restriction_that_may_cost_nothing_is_not_said_to_cost(cost: float, is_sure: bool, said: str):
    """It is sure after the correction, and not where its own interval alone leaves 0 out."""
    shown = shown_style(cost, is_sure)
    assert shown.sentence.startswith(said)
    assert ("even wins more than free players, by 5.0% (95% sure: 3.0% to 7.0%)" in shown.sentence) == (
        cost < 0
    )
    assert ("dot sure" in shown.svg) == is_sure
    assert shown.table.rows[0][-1] == ("yes" if is_sure else "no")


def test_styles_stand_before_the_things_that_are_never_used():
    """A picture each, the styles first and with what they are."""
    thing = NamedItem("move/lay/card/1", "move", "lay", "card", 1, name("a card"))
    told = [
        Restriction("bot", thing.name, {}, thing, estimate(0.4), 0.5, estimate(0.1), 0.0, True),
        Restriction("bot", name("a style"), name("so."), None, estimate(0.5), 0.5, estimate(0.0), 1.0, False),
    ]
    first, second = strategies.pictures(Strategies(told, []), EN, ABOUT)
    assert (first.title, second.title) == ("What a style of play costs", "What it costs never to …")
    assert "a style: so." in first.sentence
    assert "a card" not in first.sentence + first.svg
    assert [row[0] for row in second.table.rows] == ["a card"]


def shown_style(cost: float, is_sure: bool) -> Picture:
    """The picture of one style."""
    found = Restriction(
        "bot", name("it"), name("it is so."), None, estimate(0.5), 0.5, estimate(cost, 0.02), 0.01, is_sure
    )
    (shown,) = strategies.pictures(Strategies([found], []), EN, ABOUT)
    return shown


@pytest.mark.parametrize(
    ("share", "said"), [(0.6, "Seat 2 leads most often"), (0.505, "no seat is seen to lead")]
)
def test_a_seat_leads_more_often_only_where_that_is_sure(share: float, said: str):
    after = CourseRound(
        1, 100, [estimate(1 - share), estimate(share)], estimate(0.5), estimate(1.0), estimate(0.5)
    )
    one = estimate(0.5)
    found = LeadCourse("round", [after], one, [], one, [], one, [], one, one, one, [])
    who = next(shown for shown in lead.pictures(found, EN, ABOUT) if shown.title == "Who leads")
    assert said in who.sentence


def test_the_area_of_a_bar_is_how_often_it_came():
    """Classes of moves are twice as wide each time; 4 moves that came as often as 3 stand no higher together."""
    drawn = histogram([Bar(1, 1, 10), Bar(2, 2, 10), Bar(3, 4, 20)], 2.0, str, "moves")
    heights = re.findall(r'height="([\d.]+)" class="bar"', drawn)
    assert len(heights) == 3
    assert len(set(heights)) == 1


def test_no_source_of_chance_settles_less_than_nothing_or_more_than_all():
    """Differences of estimated parts may; a part that is told may not."""
    sources = [
        ChanceSource(name("chance"), "chance", Estimate(-0.03, -0.08, 0.01, 40, "bootstrap")),
        ChanceSource(name("players"), "players", Estimate(1.02, 0.9, 1.07, 40, "bootstrap")),
    ]
    (shown,) = luck.pictures(LuckAndSkill([], 40, 16, None, [], sources), EN, ABOUT)
    assert [row[1:4] for row in shown.table.rows] == [["0.0%", "0.0%", "1.0%"], ["100.0%", "90.0%", "100.0%"]]


@pytest.mark.parametrize(
    ("hands", "said"),
    [
        (
            (0.1, 0.04, 0.16),
            "1 of 2 sources of chance in the deal is sure to settle something; the strongest here is “The hands”",
        ),
        ((0.1, -0.04, 0.24), "No source of chance in the deal is sure to settle anything."),
    ],
)
def test_a_source_is_said_to_settle_something_only_where_that_is_sure(
    hands: tuple[float, float, float], said: str
):
    """Not the one that was seen to settle most, if its range holds nothing."""
    dealt = [
        ChanceSource(name("the hands"), "hands", Estimate(*hands, 40, "bootstrap")),
        ChanceSource(name("the pile"), "pile", Estimate(0.2, -0.1, 0.5, 40, "bootstrap")),
    ]
    (shown,) = luck.pictures(LuckAndSkill([], 40, 16, None, [], [], dealt), EN, ABOUT)
    assert shown.sentence.startswith(said)
    assert shown.svg.count("dot sure") == (hands[1] > 0)
    assert "the total index" in shown.measure


def test_what_is_rounded_to_nothing_has_no_sign():
    assert figure(-0.0001, "share", EN) == "0.0%"
    assert figure(-0.01, "share", EN) == "\N{MINUS SIGN}1.0%"


def test_by_whom_and_in_which_round_a_thing_was_used_stands_in_its_table():
    """How often available, used, by whom, and the share of the win by round of use."""
    thing = NamedItem("move/build/tile/3", "move", "build", "tile", 3, name("Build"))
    uses = [UseInRound(2, estimate(0.25)), UseInRound(3, estimate(0.75))]
    one = estimate(0.5)
    found = ItemUsage(thing, one, one, one, one, one, 0.5, [0.3, 0.7], uses)
    (row,) = next(usage.pictures(UsageStatistics([found]), EN, ABOUT)).table.rows
    assert row[-2:] == ["30% · 70%", "2: 25% · 3: 75%"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", games())
def test_no_two_moves_are_called_alike(game: str, language: str):
    """A card on the table is told by where it lies, which at the start is the same for all."""
    found = games()[game]
    called = [one.name[language] for one in named_items(found, found.components()) if one.what == "move"]
    assert len(set(called)) == len(called)


@pytest.mark.parametrize("game", games())
def test_what_is_numbered_in_records_is_called_in_french_too(game: str):
    """Such as a card on the table, or a meeple of one's own; French has the word "meeple"."""
    found = games()[game]
    there = existing(found, found.components(), found.default_players)
    for one, exists in zip(named_items(found, found.components()), there, strict=True):
        if exists and one.what == "move" and one.of and not isinstance(one.value, list):
            assert one.of == "meeple" or not one.name["fr"].endswith(f"{one.of} {one.value}")
            assert not one.name["fr"].endswith(" own")
