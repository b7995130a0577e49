"""The page of everything in a components file: what a designer changes is drawn and explained, in both languages."""

import re
from html import unescape

import pytest

from atoll.core.types import Components
from atoll.text.translation import LANGUAGES
from atoll.web.pages.components_page import components_page
from atoll.web.pages.rules_page import GameSetup, rules_html

from .positions import GAME, tile, variant
from .test_components import handicap, with_new_tile


def element(components: Components, element_id: str, language: str = "en") -> str:
    """An entry or a section of the page as HTML."""
    page = components_page(GAME, components, language, alone=True)
    [tag] = re.findall(rf'<(\w+)[^>]* (?:id|aria-labelledby)="{element_id}"', page)[:1]
    found = re.search(rf'<{tag}[^>]* (?:id|aria-labelledby)="{element_id}".*?</{tag}>', page, re.DOTALL)
    assert found is not None
    return found[0]


def told(components: Components, element_id: str, language: str = "en") -> str:
    """What an entry or a section of the page says."""
    text = re.sub(r"<[^>]+>", " ", element(components, element_id, language))
    return " ".join(unescape(text).replace("\u202f", " ").split())


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        (
            "en",
            [
                "64 Level 1 Prestige 2 Tide pool Mare",
                "1 liana",
                "When built: 1 building resource of your choice and 1 level in a domain of your choice.",
                "1 fish every round.",
                "For a meeple: 2 fish for 1 fruit.",
                "At the end: 1 prestige for each of your miracles.",
                "reconstructed 1 ×",
            ],
        ),
        (
            "fr",
            [
                "64 Niveau 1 Prestige 2 Mare Tide pool",
                "1 liane",
                "1 poisson à chaque manche.",
                "Pour un meeple : 2 poissons contre 1 fruit.",
                "reconstitué 1 ×",
            ],
        ),
    ],
)
def test_a_new_tile_is_shown_with_all_that_it_is(language: str, sentences: list[str]) -> None:
    """Name, level, prestige, price, every effect in words, source and number, from the file alone."""
    said = told(with_new_tile(), "construction-64", language)
    assert [sentence for sentence in sentences if sentence not in said] == []
    assert "34 tu" in told(with_new_tile(), "section-constructions", language).replace("tiles", "tuiles")


def test_a_changed_tile_says_and_draws_what_the_file_says() -> None:
    """`activate = { fish = 2 }` on the great hall; its name, and with it its picture, stay."""
    shipped, other = (
        GAME.components(),
        variant(tile(30, activate={"fish": 2}, cost={"palm": 7}, prestige=5, source="attested")),
    )
    assert "For a meeple: 2 fish." not in told(shipped, "construction-30")
    said = told(other, "construction-30")
    for words in ("Prestige 5 Great hall", "7 palm leaves", "For a meeple: 2 fish.", " attested "):
        assert words in said
    assert '<use href="#cube-fish"' in element(other, "construction-30")
    assert '<use href="#art-30"' in element(other, "construction-30")


def test_a_tile_of_another_name_is_shown_by_what_it_gives() -> None:
    """Not by the drawing of the tile whose number it took; a name that moved keeps its drawing."""
    pool, mat = {"en": "Tide pool", "fr": "Mare"}, {"en": "Woven mat", "fr": "Natte"}
    renamed = variant(tile(30, name=pool, activate={"fish": 2}), tile(31, name=mat))
    assert "#art-" not in element(renamed, "construction-30")
    assert element(renamed, "construction-30").count('<use href="#cube-fish"') == 2
    assert '<use href="#art-1"' in element(renamed, "construction-31")


@pytest.mark.parametrize(
    ("language", "what", "sentence", "row"),
    [
        (
            "en",
            "prestige",
            "When 3 play, the first to take boosts begins with 1 prestige, the third with 2.",
            "3 players 1 0 2",
        ),
        (
            "fr",
            "prestige",
            "À 3, la première personne à prendre ses boosts commence avec 1 point de prestige, la troisième avec "
            "2 points.",
            "3 joueurs 1 0 2",
        ),
        (
            "en",
            "happiness",
            "When 3 play, the second to take boosts begins with 1 happiness.",
            "3 players 0 1 0",
        ),
        (
            "fr",
            "happiness",
            "À 3, la deuxième personne à prendre ses boosts commence avec 1 point de bonheur.",
            "3 joueurs 0 1 0",
        ),
    ],
)
def test_a_head_start_is_told_where_anybody_has_one(
    language: str, what: str, sentence: str, row: str
) -> None:
    """On the page of rules and on that of the components; of the usual file, which gives none, neither speaks."""
    other = variant(handicap(what, two=[0, 0], three=[int(given) for given in row.split()[2:]]))
    assert row in told(other, f"section-start-{what}", language)
    rules = [rules_html(GAME, language, GameSetup(components)) for components in (other, GAME.components())]
    assert [sentence in unescape(page) for page in rules] == [True, False]
    assert f"start-{what}" not in components_page(GAME, GAME.components(), language)
    assert "2 play" not in rules[0]
    assert "À 2" not in rules[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_entry_of_the_file_is_on_the_page_by_its_name(language: str) -> None:
    data = GAME.components().data
    page = unescape(components_page(GAME, GAME.components(), language))
    for kind in ("constructions", "miracles", "events"):
        for entry in data[kind]:
            assert f'id="{kind[:-1]}-{entry["id"]}"' in page
            assert f"{entry['name'][language]} <span" in page
    assert page.count('id="fishing-') == len(data["fishing"])


def test_what_is_printed_says_where_it_is_from() -> None:
    """Of the aqueduct level, price and water are attested (p. 3), of happiness its prestige and of the highest level of
    health its needs (pp. 5 and 7), but nothing that a set has otherwise than the rulebook.
    """
    usual, fair = GAME.components(), GAME.components("fair")
    assert "attested reconstructed (prestige, who may use it) 1 ×" in told(usual, "construction-11")
    assert "Points reconstructed 2 4 6 8 10 Prestige attested 1 2 3 5 7" in told(usual, "section-happiness")
    assert "7 1 attested 5 attested 5 2 prestige each time it is fed attested" in told(
        usual, "section-health"
    )
    assert "0 1 1 3 attested 1 1 1 3 2" in told(usual, "section-health")
    assert "8 +4 4 prestige attested" in told(usual, "section-slots")
    assert "changed" not in components_page(GAME, usual, "en")
    for text, element_id in (
        ("the next 1, and 1 more for a fruit, as far as the stock goes. changed", "section-places"),
        ("There is always room. changed", "section-places"),
        ("3 points of happiness. reconstructed", "section-places"),
        ("5 white meeples. attested Most", "section-tribe"),
        ("score 1 prestige each round. changed", "section-tribe"),
        ("1 level in fire changed", "boost-1"),
        ("1 liana and 1 level in fishing 1 ×", "boost-3"),
        *((" changed 1 ×", f"event-{card}") for card in range(1, 5)),
        (" attested 1 ×", "event-5"),
        ("Prestige at the start changed", "section-start-prestige"),
    ):
        assert text in told(fair, element_id)


def test_figures_of_tracks_and_stocks_are_those_of_the_file() -> None:
    def change(data: dict[str, object]) -> None:
        data["stock"]["bamboo"] = 9  # type: ignore[index]
        data["favours"]["steps"][0] = {"fish": 6}  # type: ignore[index]
        data["happiness"]["thresholds"][0]["prestige"] = 13  # type: ignore[index]
        data["mystery"]["storeys"][0]["copies"] = 2  # type: ignore[index]
        data["events"][0]["lots"] = {"fish": 8}  # type: ignore[index]

    other = variant(change)
    assert "9 bamboo" in told(other, "section-stocks")
    assert "6 fish" in told(other, "section-favours")
    assert "Prestige attested 13 changed 2" in told(other, "section-happiness")
    assert "1 3 2 1 2" in told(other, "section-mystery")
    assert "On the compass reconstructed 8 8 fish" in told(other, "event-1")
