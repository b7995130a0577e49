"""How good moves look, in thousandths of a coin: what gear may still bring, what another haul may cost."""

# mypy: disable-error-code="no-untyped-def"

from atoll.engine.compiling import compiled
from lantern_bay import state as lb
from lantern_bay.rules import GO_ON, total

WORTH = (3300, 1700, 1700, 1700, 3000, 350, 350, 2000)  # of a gift in a night, of a pearl beside another


@compiled
def advise(view, parts, moves, count, scores):
    """Write the worth of each move to the view's seat into `scores`, int32 of shape (count,)."""
    seat, nights = int(view.seat), int(parts.nights) - int(view.round_number) + 1
    for i in range(count):
        scores[i] = 0
        if view.phase == lb.OUTFITTING:
            for gift in range(len(lb.GIFTS)):
                has = total(view, parts, seat, gift)
                worth = WORTH[gift] * int(parts.gives[moves[i] + 1, gift])
                worth *= 1 + has if gift == lb.PEARL else nights
                scores[i] += worth // (1 + has if gift == lb.HULL else 1)
        elif moves[i] == GO_ON:
            scores[i] = worth_of_staying(view, parts, seat)


@compiled
def worth_of_staying(view, parts, seat):
    """What another haul brings on average, less what a wreck would lose."""
    catch, squally, sides = 0, 0, int(parts.sides)
    for i in range(sides):
        if parts.die[i] == lb.SQUALL:
            squally += 1
        else:
            catch += int(parts.worth[parts.die[i]]) + total(view, parts, seat, parts.die[i])
    dice, margin = int(parts.dice[view.haul]), int(parts.hull) - int(view.squalls)
    safe, term = 0.0, 1.0  # chances of few enough squalls, and of just so many
    for _ in range(dice):
        term *= (sides - squally) / sides
    for squalls in range(margin + total(view, parts, seat, lb.HULL) + 1):
        safe += term
        term *= (dice - squalls) * squally / ((squalls + 1) * max(1, sides - squally))
    lost = max(0, int(view.hold[seat]) - total(view, parts, seat, lb.SAVES))
    return int(1000 * (safe * dice * catch / sides - (1 - safe) * lost))
