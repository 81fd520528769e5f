"""What holds for every question that a letter asks."""

from datetime import timedelta

ASKED_FOR = timedelta(days=7)
"""How long a question waits for its `yes`; the letter says so."""
