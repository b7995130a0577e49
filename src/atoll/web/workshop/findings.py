"""What stood out in a set when it was looked at last, and the change that a finding proposes."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from atoll.core import entries as en
from atoll.core.game import Game
from atoll.core.records import opened_at
from atoll.core.types import Json
from atoll.lab.sections.findings import Finding, Findings, NumberChange
from atoll.text.translation import Translator
from atoll.web.refusal import Refusal
from atoll.web.store.component_sets import Trial
from atoll.web.workshop.comparisons import setup_of
from atoll.web.workshop.edits import changed, section_of, structure_of


class KeptFindings(msgspec.Struct, frozen=True):
    """Findings as `web/workshop/comparisons.py` keeps them, and the version of the set that they are of."""

    id: str
    made_at: datetime
    version: int
    players: int
    games: int
    findings: Findings

    def finding(self, number: str) -> Finding:
        """A finding by its number on the page, from 1; raises Refusal."""
        for place, one in enumerate(self.findings.findings, start=1):
            if str(place) == number:
                return one
        raise Refusal(404, "There is no such finding.")

    def record(self, game: Game, data: Json, finding: Finding, number: str) -> str:
        """The text of the record of a finding's game to watch, by its number from 1, which opens at the moment; `data`
        are those of the version. Raises Refusal.
        """
        from atoll.lab.recording import record_game

        for place, moment in enumerate(finding.moments, start=1):
            if str(place) == number:
                text = record_game(setup_of(game.name, data, self.players), moment.game)[0]
                return opened_at(text, moment.decision)
        raise Refusal(404, "There is no such game.")


def latest_findings(trials: Sequence[Trial]) -> KeptFindings | None:
    """The latest findings among what came of a set's trials, the latest of which is the first."""
    for trial in trials:
        if "findings" in trial.result:
            return msgspec.convert({"id": trial.id, "made_at": trial.made_at, **trial.result}, KeptFindings)
    return None


def is_as_then(game: Game, then: Json, now: Json, change: NumberChange) -> bool:
    """Whether the entry of a change is as it was in the set in which it was found."""
    structure, entry = structure_of(game), section_of(change.path)
    try:
        before, after = (en.value_at(data | en.left_out(structure, data), entry) for data in (then, now))
    except LookupError:
        return False
    return bool(before == after)


def with_change(game: Game, data: Json, change: NumberChange, translator: Translator) -> Json:
    """The data with a number changed, as by the form of its entry; raises EditErrors and Refusal as that does."""
    posted = {f"v:{change.path}": str(change.after)}
    return changed(game, data, section_of(change.path), posted, "", translator)[0]
