"""The ratings of a match as a picture; needs matplotlib, which the extra `lab` brings."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from atoll.lab.arena import Match, MatchGames
from atoll.lab.estimates import Estimate
from atoll.lab.rating_table import RatedBot
from atoll.text.files import write_whole

INK, SEA, SAND = "#23313a", "#0b6e99", "#e6ddcb"
LONGEST = 32
"""Characters of a bot's name that fit beside the picture."""


def picture_beside(file: Path) -> Path:
    """Where the plot of the games in a file lies: never the file itself, whatever it is called."""
    picture = file.with_suffix(".png")
    return file.with_name(f"{file.name}.png") if picture == file else picture


def plot_ratings(match: Match, results: MatchGames, bots: Sequence[RatedBot], path: Path) -> None:
    """Draw each bot's rating and share of the win with their intervals into a PNG file."""
    deals = len(results.whole_deals())
    order = sorted(bots, key=lambda bot: bot.rating.value)
    figure = Figure(figsize=(9, 1.7 + 0.45 * len(order)), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    _panel(left, "Rating", [bot.rating for bot in order])
    left.axvline(0, color=INK, linewidth=0.8, zorder=0)
    percent = [
        Estimate(100 * share.value, 100 * share.low, 100 * share.high)
        for share in (bot.share for bot in order)
    ]
    _panel(right, "Won, %", percent)
    right.axvline(100 / match.players, color=INK, linewidth=0.8, zorder=0)
    right.set_xlim(0, 100)
    left.set_yticks(range(len(order)), [_short(bot.name) for bot in order], parse_math=False)
    left.set_ylim(-0.6, len(order) - 0.4)
    figure.suptitle(
        f"{match.game.title}, {match.players} players: {deals * len(match.seatings)} games in {deals} "
        f"{'deal' if deals == 1 else 'deals'}, with 95 % intervals",
        color=INK,
        fontsize=11,
    )
    image = BytesIO()
    figure.savefig(image, dpi=150, format="png")
    write_whole(path, image.getvalue())


def _panel(axes: Axes, heading: str, estimates: Sequence[Estimate]) -> None:
    values = [estimate.value for estimate in estimates]
    # A share of 1 may lie above its interval's end by a rounding error.
    below = [max(0.0, estimate.value - estimate.low) for estimate in estimates]
    above = [max(0.0, estimate.high - estimate.value) for estimate in estimates]
    axes.errorbar(
        values, range(len(values)), xerr=[below, above], fmt="o", color=SEA, capsize=4, markersize=6
    )
    axes.set_xlabel(heading, color=INK)
    axes.grid(axis="x", color=SAND)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0, labelcolor=INK)


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"
