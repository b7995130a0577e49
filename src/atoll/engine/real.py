"""Functions of real numbers by additions and multiplications alone, so that they give the same on every machine.

The exponential function is that of W. Cody and W. Waite ("Software Manual for the Elementary Functions", 1980): the
argument less a multiple of ln 2, a polynomial, and a power of 2.
"""

# mypy: disable-error-code="no-untyped-def"

from atoll.engine.compiling import compiled, inlined

PER_LN2 = 1.4426950408889634
LN2_HIGH = 0.693145751953125
"""The first bits of ln 2: its products with whole numbers up to 2^10 are exact."""
LN2_LOW = 1.4286068203094172e-06
LEAST, MOST = -708.0, 709.0
"""Beyond these float64 has no room for the result."""


@compiled
def exp(number):
    """e to a number, float64, to 15 digits; 0 where it is below LEAST, at most that of MOST."""
    x = float(number)
    if x < LEAST:
        return 0.0
    x = min(x, MOST)
    power = nearest(x * PER_LN2)
    rest = (x - power * LN2_HIGH) - power * LN2_LOW
    total = 1.0
    for term in range(13, 0, -1):
        total = 1.0 + total * rest / term
    return total * power_of_two(power)


@compiled
def power_of_two(power):
    """2 to a whole number from -1022 to 1023, exactly."""
    square = 2.0 if power >= 0 else 0.5
    left = abs(power)
    product = 1.0
    while left > 0:
        if left & 1:
            product *= square
        square *= square
        left >>= 1
    return product


@compiled
def tanh(number):
    """The hyperbolic tangent, float64."""
    return 1.0 - 2.0 / (exp(2.0 * float(number)) + 1.0)


@inlined
def nearest(number):
    """The nearest whole number; of two, the one further from 0."""
    x = float(number)
    return int(x + 0.5) if x >= 0.0 else int(x - 0.5)
