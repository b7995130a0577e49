"""The form for a new table: what is refused comes back as it was filled in."""

import html
from html.parser import HTMLParser

import pytest

from atoll.core.catalogue import games
from tests.web.conftest import Browser

SENT = {
    "game": "costa-ruana",
    "players": "3",
    "pace": "fast",
    "hints": "never",
    "clock": "decision:60",
    "stand_in": "easy",
    "seat0": "me",
    "seat1": "me",
    "seat2": "here",
    "name2": "Ann & Bo",
    "open_bots": "yes",
    "option:open_huts": "yes",
}


class Forms(HTMLParser):
    """What each game's form would send as it stands, by the game's name."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.sent: list[dict[str, str]] = []
        self.select = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.sent.append({})
        elif tag == "input" and self.sent and (values.get("type") != "checkbox" or "checked" in values):
            self.sent[-1][values.get("name", "")] = values.get("value", "")
        elif tag == "select":
            self.select = values["name"]
        elif tag == "option" and self.sent:
            if "selected" in values:
                self.sent[-1][self.select] = values["value"]
            else:
                self.sent[-1].setdefault(self.select, values["value"])


def form_of(page: str, game: str) -> dict[str, str]:
    """What the form of a game would send."""
    return next(sent for sent in Forms(page).sent if sent.get("game") == game and "players" in sent)


def test_a_refused_form_comes_back_as_it_was_filled_in(browser: Browser) -> None:
    """Whoever chose "You" twice loses nothing of what else they chose; without scripts it can be chosen."""
    answer = browser.post("/tables", SENT)
    assert answer.status_code == 400
    fresh = browser.get("/").text
    usual = form_of(fresh, "costa-ruana")
    del usual["wait"]  # a box without a tick sends nothing
    assert form_of(answer.text, "costa-ruana") == usual | SENT
    assert form_of(answer.text, "karuba") == form_of(fresh, "karuba")
    beside = answer.text.partition('id="options-costa-ruana" open>')[2].partition("</details>")[0]
    assert "You can sit in one seat only: say who plays in the other." in beside
    assert answer.text.count("You can sit in one seat only") == 1


@pytest.mark.parametrize(
    ("language", "said"), [("en", "only the file has to be chosen again"), ("fr", "seul le fichier")]
)
def test_a_refused_file_leads_back_to_the_form(browser: Browser, language: str, said: str) -> None:
    """With what is wrong in it; no page may fill a file in."""
    browser.client.cookies.set("atoll_language", language)
    fields = {"game": "karuba", "players": "4", "seat1": "friend", "components": "dead-end temples"}
    answer = browser.client.post("/tables", data=fields, files={"file": ("mine.toml", b"tiles")})
    assert answer.status_code == 400
    assert form_of(answer.text, "karuba") | fields == form_of(answer.text, "karuba")
    assert "mine.toml" in answer.text
    assert said in html.unescape(answer.text)
    assert said not in browser.post("/tables", SENT).text


@pytest.mark.parametrize(
    ("forged", "said"),
    [
        ({"players": "9"}, "Costa Ruana se joue de 2 à 6, et non à 9."),
        ({"players": "x"}, "« x » n’est pas un nombre de joueurs."),
        ({"pace": "wild"}, "il n’y a pas de vitesse « wild »."),
        ({"hints": "wild"}, "il n’y a pas de conseils « wild » ; il y a : "),
        ({"clock": "wild"}, "il n’y a pas de pendule « wild » ; il y a, par exemple : "),
        ({"clock": "days:99"}, "la pendule « days:99 » est hors limites : days va de "),
        ({"option:wild": "yes"}, "Costa Ruana n’a pas d’option « wild » ; il y a : "),
        ({"components": "wild"}, "Costa Ruana n’a pas de matériel nommé « wild » ; il y a : "),
        ({"components": "set:wild"}, "ce jeu de matériel n’est pas dans l’atelier."),
        ({"seat1": "wild"}, "personne du nom de « wild » ne peut s’asseoir là."),
        ({"seat1": "bot:wild"}, "aucun robot nommé « wild » ne joue aux tables ; il y a : "),
        ({"game": "wild"}, "aucun jeu ne s’appelle « wild » ; il y a : "),
    ],
)
def test_what_a_form_of_ones_own_asks_for_in_vain_is_said_in_the_readers_language(
    browser: Browser, forged: dict[str, str], said: str
) -> None:
    """Whatever the site does not offer, whether the form comes back or not."""
    browser.client.cookies.set("atoll_language", "fr")
    answer = browser.post("/tables", {"game": "costa-ruana", "players": "2"} | forged)
    assert answer.status_code == 400
    shown = " ".join(html.unescape(answer.text).split())
    assert f"Cette table ne peut pas être créée : {said}" in shown


def test_the_form_tells_what_each_set_of_components_changes(browser: Browser) -> None:
    """Against the first, in a sentence below the choice."""
    page = html.unescape(browser.get("/").text)
    for game in games().values():
        assert set(game.component_help) == set(list(game.component_files)[1:])
        for name, text in game.component_help.items():
            assert f'<p class="help"><b>{name}</b> – {text}</p>' in page
