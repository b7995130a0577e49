"""Findings: a planted fault is among them with games to watch and a number to try, and chance alone brings none."""

import dataclasses
import re
import tomllib
from base64 import b64decode
from pathlib import Path

import msgspec
import numpy as np
import pytest

from atoll.bots import find_bot
from atoll.core.catalogue import find_game
from atoll.core.records import first_position, moment_of, read_records, replay
from atoll.lab import estimates
from atoll.lab.aims import ranges_of, read_aims
from atoll.lab.estimates import Estimate
from atoll.lab.figures import Provenance
from atoll.lab.finding_games import Beside, aims_text, changed_components, findings
from atoll.lab.findings import MOST, Claim, Standout, chosen, standouts, verdict
from atoll.lab.items import items_of
from atoll.lab.sections.findings import AGREES, DISAGREES, SEAT, UNSURE, USE, WIN, Findings, pictures
from atoll.text.errors import AtollError
from atoll.text.translation import LANGUAGES, Translator
from tests.soak.planted import FAULTS, measure, setup_of, with_changes

KARUBA = next(one for one in FAULTS if one.game == "karuba" and not one.held)


def claim(value: Estimate, norm: float, kind: str = USE, key: str = "one", **more: object) -> Claim:
    return Claim(kind, key, {"en": key}, value, norm, 4)._replace(**more)  # type: ignore[arg-type]


def test_chance_alone_brings_findings_in_one_report_of_a_hundred():
    """Shares of 500 units each, 300 figures a report: also beside figures of another report, which vary too."""
    chance = np.random.default_rng(5)
    false = {"alone": 0, "beside": 0}
    for _ in range(200):
        shares = chance.uniform(0.05, 0.95, 300)
        own, before = (
            {
                (USE, str(key)): claim(
                    estimates.share(int(chance.binomial(500, share)), 500), share, key=str(key)
                )
                for key, share in enumerate(shares)
            }
            for _ in range(2)
        )
        false["alone"] += bool(standouts(own)[0])
        false["beside"] += bool(standouts(own, before)[0])
    assert false["alone"] <= 5
    assert false["beside"] <= 5


def test_findings_are_ranked_by_the_size_that_is_sure():
    """A small difference of many games comes before a large one of few; what is too small to tell does not come."""
    sure, unsure = (
        claim(estimates.share(4000, 10_000), 0.6, key="sure"),
        claim(estimates.share(20, 100), 0.6, key="few"),
    )
    small = claim(estimates.share(5100, 10_000), 0.495, key="small")
    found, looked_at = standouts({one.identity: one for one in (unsure, small, sure)})
    assert looked_at == 3
    assert [one.claim.key for one in found] == ["few", "sure"]
    least = 2 * np.arcsin(np.sqrt(0.6)) - 2 * np.arcsin(np.sqrt(unsure.value.high))
    assert found[0].size == pytest.approx(least / 0.25, rel=0.1)
    more = claim(estimates.share(9000, 10_000), 0.6, is_too_small=True)
    assert standouts({more.identity: more})[0] == []
    assert (
        len(standouts({more.identity: more}, {more.identity: claim(estimates.share(6000, 10_000), 0.6)})[0])
        == 1
    )


def test_each_kind_comes_once_before_any_comes_twice():
    """And of a thing there is one finding, of seats at a table one; what another bot disputes comes later."""
    value = estimates.share(10, 1000)
    rows = [Standout(claim(value, 0.5, key=f"thing {i}"), 0.5, 9.0 - i / 10, 0.0) for i in range(9)]
    rows += [Standout(claim(value, 0.5, kind=WIN, key="thing 0"), 0.5, 8.0, 0.0)]
    rows += [Standout(claim(value, 0.5, kind=SEAT, key=f"4/{i}"), 0.5, 2.0 - i, 0.0) for i in (0, 1)]
    picked = chosen(rows, lambda one: False)
    assert [one.claim.key for one in picked] == ["thing 0", "thing 1", "thing 2", "4/0"]
    assert chosen(rows, lambda one: one.claim.key == "thing 0")[0].claim.key == "thing 1"
    assert (
        len(
            chosen(
                [one._replace(claim=one.claim._replace(kind=str(i % 4))) for i, one in enumerate(rows)], bool
            )
        )
        <= MOST
    )


def test_a_bot_of_another_strength_agrees_disagrees_or_cannot_say():
    one = Standout(claim(estimates.share(600, 1000), 0.5), 0.5, 1.0, 0.0)
    for count, of, said in (
        (650, 1000, AGREES),
        (500, 1000, DISAGREES),
        (300, 1000, DISAGREES),
        (6, 10, UNSURE),
    ):
        beside = claim(estimates.share(count, of), 0.5)
        assert verdict(one, {beside.identity: beside})[2] == said
    assert verdict(one, {}) == (None, 0.0, UNSURE)


@pytest.fixture(scope="module")
def planted() -> Findings:
    """A card of Karuba with four more nuggets, beside the set without, and `random` beside `greedy`."""
    before = setup_of(KARUBA.game, KARUBA.components, KARUBA.players)
    own = dataclasses.replace(before, components=with_changes(before, KARUBA.changes))
    beside = Beside(find_bot("random"), 300)
    return findings(measure(own, 600), own, measure, before.components, beside)


def test_a_planted_fault_is_found_with_games_to_watch(planted: Findings):
    """Each record can be replayed, and at its decision the thing is used, or there and left alone."""
    assert planted.changed == ["cards[2].nuggets: None → 4"]
    assert 1 <= len(planted.findings) <= MOST
    first = planted.findings[0]
    assert KARUBA.is_found_by(first)
    assert first.p_value < 1e-4
    game = find_game("karuba")
    table = items_of(game)
    for finding in planted.findings:
        assert finding.thing is not None
        number = next(at for at, item in enumerate(table.items) if item.key == finding.thing.key)
        assert len({moment.game for moment in finding.moments}) == 3
        for moment in finding.moments:
            (record,) = read_records(iter(moment.record.splitlines(keepends=True)))
            assert moment_of(record) == moment.decision
            positions = [first_position(record)]
            steps = []
            for step in replay(record):
                steps.append(step)
                positions.append(step.position.copy())
            step, before = steps[moment.decision - 1], positions[moment.decision - 1]
            assert int(before.state.round_number) == moment.round
            legal = [number in table.move_items[action] for action in before.legal_moves(step.seat).actions]
            assert any(legal)
            if finding.value.value > finding.norm:
                assert number in table.move_items[game.notation.action_of(step.move)]


def test_the_page_says_findings_in_every_language(planted: Findings):
    about = Provenance("karuba", "Karuba", 1, "planted", "", {}, 2, ["greedy"], 600, 1, "")
    for language in LANGUAGES:
        shown = list(pictures(planted, Translator(language), about))
        assert len(shown) == len(planted.findings)
        assert all(one.table.rows and "%" not in one.title for one in shown)
        assert "random" in shown[0].sentence
        assert "cards[2].nuggets" in shown[0].sentence
    nothing = msgspec.structs.replace(planted, findings=[])
    assert "Nothing stands out" in next(pictures(nothing, Translator("en"), about)).title


def test_a_number_is_proposed_that_mends_a_card():
    """Without a set to compare with, beside its like: a card of Karuba with four more nuggets."""
    before = setup_of(KARUBA.game, KARUBA.components, KARUBA.players)
    own = dataclasses.replace(before, components=with_changes(before, KARUBA.changes))
    report = measure(own, 600)
    section = findings(report, own, measure, most=3)
    found = section.findings
    changes = [one.change for one in found if one.change is not None]
    assert changes
    assert changes[0].path == "cards[2].nuggets"
    assert changes[0].after < changes[0].before == 4
    assert "nuggets = " in changes[0].components
    place = next(place for place, one in enumerate(found) if one.change is not None)
    page = list(pictures(section, Translator("en"), report.about))[place].sentence
    command = "atoll compare karuba --players 2 --bots greedy --components now-1.toml --with try-1.toml"
    assert command.replace("-1.", f"-{place + 1}.") in page
    files = [tomllib.loads(b64decode(text).decode()) for text in re.findall('base64,([^"]*)"', page)]
    assert [one["cards"][2]["nuggets"] for one in files] == [4, changes[0].after]
    assert files[0] == own.components.data
    with pytest.raises(AtollError):
        changed_components(own, "cards[2].nuggets", 1000)


def test_aims_of_a_finding_can_be_tuned(planted: Findings, tmp_path: Path):
    """That the thing is used, by numbers of the file; of a seat that seats are alike."""
    before = setup_of(KARUBA.game, KARUBA.components, KARUBA.players)
    own = dataclasses.replace(before, components=with_changes(before, KARUBA.changes))
    seat = claim(estimates.share(1, 2), 0.5, kind=SEAT)
    texts = [aims_text(own, seat), *(one.aims for one in planted.findings)]
    for number, text in enumerate(texts):
        path = tmp_path / f"{number}.toml"
        path.write_text(text)
        aims = read_aims(path)
        assert ranges_of(aims, own.components)
        assert bool(aims.aims.seats) or aims.aims.used
    assert read_aims(tmp_path / "0.toml").aims.seats == 2
