"""Shapes that the drawings are made of, as SVG path data."""

from collections.abc import Sequence

Point = tuple[float, float]


def toward(start: Point, goal: Point, distance: float) -> Point:
    """The point at a distance from `start` in the direction of `goal`, both in one row or column."""
    sign = [(b > a) - (b < a) for a, b in zip(start, goal, strict=True)]
    return start[0] + sign[0] * distance, start[1] + sign[1] * distance


def quarter_turn(start: Point, goal: Point) -> int:
    """The degrees by which an arrow that points right is turned to point from `start` to `goal`, both in one row or
    column.
    """
    if start[1] == goal[1]:
        return 0 if goal[0] > start[0] else 180
    return 90 if goal[1] > start[1] else 270


def bent_line(points: Sequence[Point], radius: float) -> str:
    """A line along rows and columns, with round bends."""
    parts = [f"M{points[0][0]:g} {points[0][1]:g}"]
    for before, at, after in zip(points, points[1:], points[2:], strict=False):
        arrive, leave = toward(at, before, radius), toward(at, after, radius)
        parts.append(f"L{arrive[0]:g} {arrive[1]:g}Q{at[0]:g} {at[1]:g} {leave[0]:g} {leave[1]:g}")
    parts.append(f"L{points[-1][0]:g} {points[-1][1]:g}")
    return "".join(parts)
