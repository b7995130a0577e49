"""What stands out in a set, on its page: each finding with what to try, and games to watch."""

from collections.abc import Callable, Sequence
from typing import Any

from atoll.core.game import Game
from atoll.core.types import Json
from atoll.lab.page.numbers import figure
from atoll.lab.sections.findings import UNSURE, Finding, beside_sentence, change_sentence, sentence, title
from atoll.text.translation import Translator
from atoll.web.pages.start_page import ago
from atoll.web.store.component_sets import Version
from atoll.web.store.engine import aware
from atoll.web.workshop.findings import KeptFindings, is_as_then


def findings_context(
    game: Game,
    kept: KeptFindings,
    versions: Sequence[Version],
    draft: Json,
    label: Callable[[str], str],
    translator: Translator,
) -> dict[str, Any]:
    """The context of a set's findings; `label` is what a place in the file is called."""
    section = kept.findings
    then = next(one.data for one in versions if one.number == kept.version)

    def context(finding: Finding) -> dict[str, Any]:
        change = finding.change
        return {
            "title": title(finding, translator),
            "sentence": sentence(finding, section, translator),
            "beside": beside_sentence(finding, section, translator)
            if section.beside and finding.verdict != UNSURE
            else "",
            "change": ""
            if change is None
            else change_sentence(change, finding.kind, label(change.path), translator),
            "can_try": change is not None and is_as_then(game, then, draft, change),
            "moments": [{"game": one.game + 1, "round": one.round} for one in finding.moments],
        }

    return {
        "id": kept.id,
        "version": kept.version,
        "players": kept.players,
        "games": kept.games,
        "at": aware(kept.made_at).isoformat(),
        "when": ago(aware(kept.made_at), translator),
        "looked_at": figure(section.looked_at, "count", translator),
        "findings": [context(one) for one in section.findings],
    }
