"""Whole games on the simulated table, frame by frame, with what is true of each."""

from simulator.game.filming import Film, GameFrame, film_game

__all__ = ["Film", "GameFrame", "film_game"]
