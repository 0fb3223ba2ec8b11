"""What lies over the cards of a scene: arms, sleeves, cups, telephones, napkins, books."""

from simulator.over.placing import OverCards, lay_over
from simulator.over.things import OVER

__all__ = ["OVER", "OverCards", "lay_over"]
