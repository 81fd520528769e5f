"""Hypothesis without a time limit an example: a busy machine is no failure of the rules."""

from hypothesis import settings

settings.register_profile("games", deadline=None)
settings.load_profile("games")
