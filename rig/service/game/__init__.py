"""A game followed card by card while it is played: kept, told, corrected, ruled on, ended."""
