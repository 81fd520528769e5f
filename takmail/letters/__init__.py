"""Compose letters: choose them from events, word them, and decide whether they are sent now or later."""
