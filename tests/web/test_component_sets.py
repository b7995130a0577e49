"""What the workshop keeps."""

from pathlib import Path

import pytest
from sqlalchemy import URL

from atoll.web.store.component_sets import TRIALS_KEPT, ComponentSets
from atoll.web.store.engine import open_engine
from atoll.web.store.migrations import migrate
from atoll.web.store.store import Overtaken


@pytest.fixture
def sets(tmp_path: Path) -> ComponentSets:
    engine = open_engine(URL.create("sqlite", database=str(tmp_path / "atoll.sqlite")))
    migrate(engine)
    return ComponentSets(engine)


def test_a_set_is_its_browsers_alone(sets: ComponentSets):
    made = sets.make("ann", "reef", "Mine", "name = 'Mine'", {"name": "Mine"})
    found = sets.find(made.id, "ann")
    assert found is not None
    assert (found.id, found.draft, found.source) == (made.id, {"name": "Mine"}, "name = 'Mine'")
    assert sets.find(made.id, "bob") is None
    assert [found.id for found in sets.of("ann")] == [made.id]
    assert sets.of("ann", "lagoon") == sets.of("bob") == []
    assert sets.names("ann") == [("reef", made.id, "Mine")]


def test_who_knew_an_older_draft_does_not_overwrite_the_newer(sets: ComponentSets):
    made = sets.make("ann", "reef", "Mine", "", {"cards": 1})
    sets.change(made, "Mine", {"cards": 2}, playable=False)
    with pytest.raises(Overtaken):
        sets.change(made, "Mine", {"cards": 3}, playable=True)
    found = sets.find(made.id, "ann")
    assert found is not None
    assert (found.draft, found.playable, found.is_playable) == ({"cards": 2}, {"cards": 1}, False)


def test_what_is_kept_twice_is_one_version(sets: ComponentSets):
    made = sets.make("ann", "reef", "Mine", "", {"cards": 1})
    assert sets.keep(made.id, "", {"cards": 1}) == 1
    assert sets.keep(made.id, "two", {"cards": 2}) == 2
    assert sets.keep(made.id, "two cards", {"cards": 2}) == 2
    assert [(v.number, v.note, v.data) for v in sets.versions(made.id)] == [
        (1, "", {"cards": 1}),
        (2, "two cards", {"cards": 2}),
    ]


def test_the_latest_trials_are_kept_and_go_with_their_set(sets: ComponentSets):
    made = sets.make("ann", "reef", "Mine", "", {})
    for number in range(TRIALS_KEPT + 3):
        sets.note_trial(made.id, {"number": number})
    assert [trial.result["number"] for trial in sets.trials(made.id)] == list(range(TRIALS_KEPT + 2, 2, -1))
    sets.delete(made.id)
    sets.note_trial(made.id, {"number": 99})
    assert sets.find(made.id, "ann") is None
    assert (sets.trials(made.id), sets.versions(made.id)) == ([], [])
