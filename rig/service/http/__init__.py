"""How requests are let in and answered: limits, languages, errors, how a route is declared."""
