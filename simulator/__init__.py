"""The simulated table: rounds played by the rules, and photographs of them with their truth."""

from simulator.cards.printing import PRINTINGS
from simulator.conditions import Conditions
from simulator.presets import PRESETS, draw_conditions
from simulator.scene import SimulatedScene, conditions_of, simulate_scene

__all__ = [
    "PRESETS",
    "PRINTINGS",
    "Conditions",
    "SimulatedScene",
    "conditions_of",
    "draw_conditions",
    "simulate_scene",
]
