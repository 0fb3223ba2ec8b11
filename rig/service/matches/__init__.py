"""Matches and rounds: played, ended, signed, put right, added up."""
