"""The words of every package: translated, whole, and set as their language is set."""

import re
from collections import Counter
from pathlib import Path

import pytest
from babel.messages.catalog import Message

from atoll.core.catalogue import find_game, games
from atoll.core.entries import labels
from atoll.testing import wordcheck
from atoll.text.translation import LANGUAGES, Translator

TRANSLATED = list(LANGUAGES)[1:]


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("package", wordcheck.packages())
def test_every_text_is_translated(package: str, language: str):
    found = [str(problem) for problem in wordcheck.problems(package, language)]
    assert not found, "\n".join(["python -m atoll.testing.wordcheck --update brings texts in", *found])


def test_keys_of_a_file_are_called_as_they_stand_unless_the_sheet_says_more():
    """What the workshop shows of a file is translated like all other texts."""
    said = labels(find_game("cast-away"))
    assert (said["event_pile"], said["boxed"]) == ("Event pile", "Back into the box")
    assert not said.keys() & {"format", "attested"}
    for game in games().values():
        assert set(labels(game).values()) <= wordcheck.texts(game.package).keys()


def test_the_checker_reads_templates_modules_and_f_strings(tmp_path: Path):
    module = tmp_path / "module.py"
    module.write_text(
        'a = words("One", n=1)\nb = f"{words(\'Two\')}!"\nc = words.plural("%(num)s gem", "%(num)s gems", 3)\n'
        'raise Refusal(404, "Nothing here.")\nraise Gone("No longer here.", row)\n'
        'SAID = {1: texts("Ask", "Wait"), 2: plurals("%(num)s hut", "%(num)s huts")}\n'
    )
    template = tmp_path / "page.html.jinja"
    template.write_text('{{ _("Three %(n)s", n=3) }}{{ ngettext("%(num)s hut", "%(num)s huts", n) }}')
    assert list(wordcheck.texts_of_file(module)) == [
        "One",
        "Two",
        ("%(num)s gem", "%(num)s gems"),
        "Nothing here.",
        "No longer here.",
        "Ask",
        "Wait",
        ("%(num)s hut", "%(num)s huts"),
    ]
    assert list(wordcheck.texts_of_file(template)) == ["Three %(n)s", ("%(num)s hut", "%(num)s huts")]


@pytest.mark.parametrize(
    ("text", "translation", "what"),
    [
        ("Round", "", "not translated"),
        ("Round %(n)s", "Manche", "placeholders"),
        ("Round", "Manche %(n)s", "placeholders"),
        ("The island", "L'île", "apostrophe"),
        ("Wait...", "Attendez...", "ellipsis"),
        ("You win!", "Vous gagnez !", "narrow"),
        ("You win!", "Vous gagnez!", "narrow"),
        ("Log: %(n)s", "Journal\u00a0: %(n)s", "narrow"),
        ("Place", "« Placer »", "narrow"),
        ("Place", '"Placer"', "quotation"),
    ],
)
def test_the_checker_finds_what_is_wrong(text: str, translation: str, what: str):
    assert any(what in found for found in wordcheck.wrong_with(Message(text, translation), "fr"))


@pytest.mark.parametrize(
    ("text", "translation"),
    [
        ("You win!", "Vous gagnez\u202f!"),
        ("%(n)s: %(m)s", "«\u202f%(n)s\u202f»\u202f: %(m)s"),
        ("at 10:30", "à 10:30"),
        (("%(num)s gem", "%(num)s gems"), ("une gemme", "%(num)s gemmes")),
    ],
)
def test_the_checker_lets_good_translations_pass(
    text: str | tuple[str, str], translation: str | tuple[str, str]
):
    assert list(wordcheck.wrong_with(Message(text, translation), "fr")) == []


def test_a_text_that_nothing_says_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    catalogue = tmp_path / "fr.po"
    catalogue.write_text('msgid "Nobody ever says this"\nmsgstr "Personne ne dit cela"\n')
    monkeypatch.setattr(wordcheck, "catalogue_path", lambda package, language: catalogue)
    found = [problem.what for problem in wordcheck.problems("atoll.games.karuba", "fr")]
    assert "said nowhere" in found
    assert any(what.startswith("missing (said in") for what in found)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", games().values(), ids=games())
def test_pages_of_rules_keep_to_the_typography(game, language: str):
    from atoll.web.pages.rules_page import default_setup, rules_html

    html = rules_html(game, language, default_setup(game))
    html = re.sub(r"<svg\b.*?</svg>|</?(?:a|b|em|strong|span)\b[^>]*>", "", html, flags=re.DOTALL)
    shown = re.sub(r"<[^>]+>", " ", html)
    assert list(wordcheck.wrong_typography(shown, language)) == []


def test_french_counts_nothing_as_one():
    translator = Translator("fr").with_package("atoll.games.costa_ruana")
    assert [translator.plural("%(num)s treasure", "%(num)s treasures", n) for n in (0, 1, 2)] == [
        "0 trésor",
        "1 trésor",
        "2 trésors",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", games().values(), ids=games())
def test_pages_of_rules_name_every_option_and_say_what_it_changes(game, language: str):
    from atoll.web.pages.rules_page import GameSetup, default_setup, rules_html

    usual = rules_html(game, language, default_setup(game), examples=False)
    for option in game.options:
        assert Translator(language).with_package(game.package)(option.label) in usual
        components = default_setup(game).components
        switched = {**components.options, option.name: not option.default}
        turned = GameSetup(game.under(components, switched))
        assert rules_html(game, language, turned, examples=False) != usual


@pytest.mark.parametrize("package", wordcheck.packages())
def test_a_catalogue_has_each_text_once(package: str) -> None:
    """Two entries of one text would hide each other."""
    for language in TRANSLATED:
        with wordcheck.catalogue_path(package, language).open(encoding="utf-8") as file:
            entries = [block for block in file.read().split("\n\n") if "msgid" in block]
        texts = [re.sub(r"^#.*\n", "", entry, flags=re.M).partition("msgstr")[0] for entry in entries]
        assert [text for text, count in Counter(texts).items() if count > 1] == []
