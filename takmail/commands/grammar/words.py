"""Define the words that end the commands of a mail."""

STOPS = ("quit", "--", ".")
"""Lines that end the part of a mail that is searched for commands."""
