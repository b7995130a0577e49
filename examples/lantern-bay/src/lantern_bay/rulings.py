"""What the rules leave to be asked, and how it is played here."""

from atoll.core.types import Ruling

RULINGS = (
    Ruling("5", "Gear works in every haul, the one that wrecks the boat excepted: that haul brings it nothing."),
    Ruling("6", "A boat alone at sea goes on deciding; nobody else is paid for that."),
    Ruling("7", "Boats that land together are all paid for the boats that stay, and for none of each other."),
)
