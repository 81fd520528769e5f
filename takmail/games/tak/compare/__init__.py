"""Boards that people write down: found in a mail, and held against the game."""
