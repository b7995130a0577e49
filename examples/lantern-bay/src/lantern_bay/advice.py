"""How good moves look, in thousandths of a coin: what gear may still bring, what another haul may cost."""

# mypy: disable-error-code="no-untyped-def"

from atoll.engine.compiling import compiled
from lantern_bay import state as lb
from lantern_bay.rules import GO_ON, total

NIGHTLY = (3300, 1700, 1700, 1700, 3000, 350, 350, 0)  # what so much of each gift is worth in a night
PEARL = 2000  # what each pearl is worth beside each other


@compiled
def advise(view, parts, moves, count, scores):
    """Write the worth of each move to the view's seat into `scores`, int32 of shape (count,)."""
    seat, nights = int(view.seat), int(parts.nights) - int(view.round_number) + 1
    for i in range(count):
        scores[i] = 0
        if view.phase == lb.OUTFITTING:
            for gift in range(len(lb.GIFTS)):
                gives, has = int(parts.gives[moves[i] + 1, gift]), total(view, parts, seat, gift)
                worth = NIGHTLY[gift] * nights // (1 + has if gift == lb.HULL else 1)
                scores[i] += gives * (PEARL * (1 + has) if gift == lb.PEARL else worth)
        elif moves[i] == GO_ON:
            scores[i] = worth_of_staying(view, parts, seat)


@compiled
def worth_of_staying(view, parts, seat):
    """What another haul brings on average, less what a wreck would lose and half of what landing now is paid."""
    catch, squally, sides, others = 0, 0, int(parts.sides), -1
    for i in range(sides):
        if parts.die[i] == lb.SQUALL:
            squally += 1
        else:
            catch += int(parts.worth[parts.die[i]]) + total(view, parts, seat, parts.die[i])
    for other in range(view.players):
        others += view.boat[other] == lb.OUT
    dice, margin = int(parts.dice[view.haul]), int(parts.hull) - int(view.squalls)
    safe, term = 0.0, 1.0  # chances of few enough squalls, and of just so many
    for _ in range(dice):
        term *= (sides - squally) / sides
    for squalls in range(margin + total(view, parts, seat, lb.HULL) + 1):
        safe += term
        term *= (dice - squalls) * squally / ((squalls + 1) * max(1, sides - squally))
    lost = max(0, int(view.hold[seat]) - total(view, parts, seat, lb.SAVES))
    paid = others * int(parts.quay) + min(others, 1) * total(view, parts, seat, lb.DRUM)
    return int(1000 * (safe * dice * catch / sides - (1 - safe) * lost - paid / 2))
