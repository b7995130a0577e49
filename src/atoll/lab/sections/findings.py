"""The first section of a report: what to change next, at most seven findings, the largest that are sure first."""

from base64 import b64encode
from collections.abc import Iterator, Mapping
from shlex import quote

import msgspec
from markupsafe import Markup

from atoll.core.catalogue import find_game
from atoll.core.components import parse_toml
from atoll.core.entries import with_value
from atoll.lab.estimates import Estimate
from atoll.lab.figures import Names, Provenance, name_in
from atoll.lab.items import NamedItem
from atoll.lab.page.numbers import figure, sure
from atoll.lab.page.pictures import NumberTable, Picture
from atoll.lab.sections.examples import file
from atoll.text.toml_text import with_data
from atoll.text.translation import Translator

SEAT, USE, AVAILABLE, TIMES, WIN, OPENING, BEGIN = (
    *("seat", "use", "available", "times"),
    *("win", "opening", "begin"),
)
AGREES, DISAGREES, UNSURE = "agrees", "disagrees", "unsure"


class WatchedMoment(msgspec.Struct, frozen=True):
    """A game to watch: its number, the decision of it, from 1, its round, the seat, and the record's text, which the
    site and `atoll replay` open at that decision.
    """

    game: int
    decision: int
    round: int
    seat: int
    record: str


class NumberChange(msgspec.Struct, frozen=True):
    """A number of the components to try: where it stands, what it is and would be, what the finding's figure was then
    in some games, and the whole file with it.
    """

    path: str
    before: int
    after: int
    then: Estimate
    components: str


class Finding(msgspec.Struct, frozen=True):
    """Something to change. `kind`: a seat, how many of those who could use a thing do so, how many can, how often it is
    used, what its users win, or what who begins so wins, or how many begin so. `norm` is what would be expected: of
    seats that are alike, of the thing's like, or what it was in the set before.

    `size` is how many times as large as what is worth telling it is at least, with 95 % sureness; `p_value` that there
    is nothing, and all told are sure together (Bonferroni). `beside` is the same figure of a bot of another strength
    with its own norm, and `verdict` whether that agrees.
    """

    kind: str
    name: Names
    thing: NamedItem | None
    players: int
    seat: int
    value: Estimate
    norm: float
    size: float
    p_value: float
    beside: Estimate | None
    beside_norm: float
    verdict: str
    moments: list[WatchedMoment]
    change: NumberChange | None
    aims: str
    """an aims file for `atoll tune`, for what no single number mends"""


class Findings(msgspec.Struct, frozen=True):
    """The findings. `since` names the components that the games were compared with, "" for none; `changed` are the
    places where the two files differ; `beside` is the bot of another strength, and its games.
    """

    findings: list[Finding]
    looked_at: int
    since: str
    changed: list[str]
    beside: str
    beside_games: int


def pictures(section: Findings, translator: Translator, about: Provenance) -> Iterator[Picture]:
    """Each finding with what to try and games to watch."""
    if not section.findings:
        yield Picture(
            translator("Nothing stands out"),
            "",
            translator(
                "Of %(count)s figures of seats, things and openings none is sure to be out of line.",
                count=figure(section.looked_at, "count", translator),
            ),
            NumberTable([], []),
        )
    for number, finding in enumerate(section.findings, start=1):
        sentences = [
            sentence(finding, section, translator),
            *_tries(finding, section, about, number, translator),
        ]
        if section.beside:
            sentences.append(beside_sentence(finding, section, translator))
        yield Picture(
            f"{number}. {title(finding, translator)}",
            "",
            Markup(" ").join(sentences),
            NumberTable(
                [
                    *(translator("Watch"), translator("Round"), translator("Decision"), translator("Seat")),
                    translator("At the moment"),
                ],
                [
                    [
                        file(name := f"finding-{number}-game-{one.game}.jsonl", one.record),
                        str(one.round),
                        str(one.decision),
                        str(one.seat),
                        Markup("<code>atoll replay {}</code>").format(name),
                    ]
                    for one in finding.moments
                ],
            ),
        )


def title(finding: Finding, translator: Translator) -> str:
    """What it is about."""
    if finding.kind == SEAT:
        return translator("Seat %(number)s", number=finding.seat)
    return name_in(finding.name, translator)


def sentence(finding: Finding, section: Findings, translator: Translator) -> str:
    """What was found."""
    unit = "" if finding.kind == TIMES else "share"
    values = {
        "name": name_in(finding.name, translator),
        "value": sure(finding.value, unit, translator),
        "norm": figure(finding.norm, unit, translator),
        "seat": finding.seat,
        "players": finding.players,
    }
    if section.since:
        return {
            SEAT: translator(
                "Seat %(seat)s of %(players)s wins %(value)s; before it was %(norm)s.", **values
            ),
            USE: translator(
                "“%(name)s” is used by %(value)s of those who could; before it was %(norm)s.", **values
            ),
            AVAILABLE: translator(
                "“%(name)s” can be used by %(value)s of the seats; before it was %(norm)s.", **values
            ),
            TIMES: translator(
                "“%(name)s” is used %(value)s times in a game; before it was %(norm)s.", **values
            ),
            WIN: translator("Who uses “%(name)s” wins %(value)s; before it was %(norm)s.", **values),
            OPENING: translator(
                "Who begins with “%(name)s” wins %(value)s; before it was %(norm)s.", **values
            ),
            BEGIN: translator("%(value)s begin with “%(name)s”; before it was %(norm)s.", **values),
        }[finding.kind]
    return {
        SEAT: translator(
            "Seat %(seat)s of %(players)s wins %(value)s, where %(norm)s would be fair.", **values
        ),
        USE: translator(
            "“%(name)s” is used by %(value)s of those who could, where its like is used by %(norm)s.",
            **values,
        ),
        AVAILABLE: translator(
            "“%(name)s” can be used by %(value)s of the seats, where its like can be by %(norm)s.", **values
        ),
        WIN: translator(
            "Who uses “%(name)s” wins %(value)s, where users of its like win %(norm)s in such seats.",
            **values,
        ),
        OPENING: translator(
            "Who begins with “%(name)s” wins %(value)s, where such seats win %(norm)s.", **values
        ),
    }[finding.kind]


def _tries(
    finding: Finding, section: Findings, about: Provenance, number: int, translator: Translator
) -> Iterator[str]:
    """What to try, and the command that tries it."""
    change, name = finding.change, f"try-{number}.toml"
    compare = f"atoll compare {about.game} --players {about.players} --bots {quote(','.join(about.bots))}"
    if change is not None:
        yield change_sentence(change, finding.kind, change.path, translator)
        own, files = quote(about.components), {name: change.components}
        game = find_game(about.game)
        if about.sha256 not in [game.components(one).sha256 for one in game.component_files]:
            own = f"now-{number}.toml"
            files = {own: _unchanged(change), **files}
        yield _command(f"{compare} --components {own} --with {name}", files)
    elif section.changed:
        yield translator("Changed since: %(changes)s.", changes="; ".join(section.changed[:5]))
        sides = f"--components {quote(section.since)} --with {quote(about.components)}"
        yield Markup("<code>{}</code>").format(f"{compare} {sides}")
    elif finding.aims:
        yield translator("Search for numbers that mend it:")
        yield _command(f"atoll tune {about.game} --aims {name}", {name: finding.aims})


def change_sentence(change: NumberChange, kind: str, place: str, translator: Translator) -> str:
    """Which number to try, called `place`, and what came of it."""
    return translator(
        "Try %(path)s = %(after)s instead of %(before)s: in %(games)s games that made it %(then)s.",
        path=place,
        after=change.after,
        before=change.before,
        games=figure(change.then.units, "count", translator),
        then=sure(change.then, "" if kind == TIMES else "share", translator),
    )


def _unchanged(change: NumberChange) -> str:
    """The whole file without a change."""
    data = parse_toml("", change.components.encode())
    return with_data(change.components, with_value(data, change.path, change.before))


def _command(command: str, files: Mapping[str, str]) -> Markup:
    """A command, with the files that it reads to be saved."""
    links = [
        Markup('<a download="{}" href="data:application/toml;base64,{}">{}</a>').format(
            name, b64encode(text.encode()).decode(), name
        )
        for name, text in files.items()
    ]
    return Markup("<code>{}</code> ({})").format(command, Markup(", ").join(links))


def beside_sentence(finding: Finding, section: Findings, translator: Translator) -> str:
    """What the bot of another strength says."""
    if finding.beside is None:
        return translator("%(bot)s was not seen to come to that.", bot=section.beside)
    unit = "" if finding.kind == TIMES else "share"
    values = {
        "bot": section.beside,
        "value": sure(finding.beside, unit, translator),
        "norm": figure(finding.beside_norm, unit, translator),
    }
    return {
        AGREES: translator("%(bot)s agrees: %(value)s, and %(norm)s expected.", **values),
        DISAGREES: translator(
            "%(bot)s disagrees: %(value)s, and %(norm)s expected. It may be a habit of the bot.", **values
        ),
        UNSURE: translator(
            "%(bot)s played too few games to say: %(value)s, and %(norm)s expected.", **values
        ),
    }[finding.verdict]
