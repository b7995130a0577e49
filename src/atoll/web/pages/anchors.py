"""Anchors on a game's page of rules: for each phase, the section about what is decided in it.

A game's `messages.ANCHORS` maps the names of the state's field `phase` to anchors. The anchor of a phase that is not in
it is its name, with hyphens for spaces.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from atoll.core.forms import Named
from atoll.core.game import Game

if TYPE_CHECKING:
    from atoll.core.game import View


def phases_of(game: Game) -> Named | None:
    """The names of the state's field `phase`; None for a game that declares none."""
    forms = (field.form for field in game.declared.fields if field.name == "phase")
    return next((form for form in forms if isinstance(form, Named)), None)


def anchor_of(game: Game, phase: str) -> str:
    """The anchor of a phase."""
    anchors: Mapping[str, str] = getattr(game.messages, "ANCHORS", {})
    return anchors.get(phase, phase.replace(" ", "-"))


def current_anchor(view: "View") -> str:
    """The anchor of the view's phase; empty for a game whose phases have no names."""
    form = phases_of(view.game)
    if form is None:
        return ""
    return anchor_of(view.game, form.names[view.fields.phase - form.least] or "")
