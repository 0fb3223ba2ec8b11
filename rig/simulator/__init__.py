"""The simulated table: rounds played by the rules, and photographs of them with their truth."""

from rig.simulator.cards.printing import PRINTINGS
from rig.simulator.conditions import Conditions
from rig.simulator.presets import PRESETS, draw_conditions
from rig.simulator.scene import SimulatedScene, conditions_of, simulate_scene

__all__ = [
    "PRESETS",
    "PRINTINGS",
    "Conditions",
    "SimulatedScene",
    "conditions_of",
    "draw_conditions",
    "simulate_scene",
]
