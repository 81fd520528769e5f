"""Define the limits on questions that wait for an answer. None of them can be set."""

MAX_OPEN_QUESTIONS = 3
"""The maximum number of open questions of one kind to one address or seat. The newest one replaces the oldest."""

MAX_KEPT_QUESTIONS = 20
"""The maximum number of questions of one kind to one address or seat that a `yes` can answer, including replaced ones.

A new question closes the oldest one. If it were refused instead, an attacker could fill all places, and no letter would
ask about the owner's own mails.
"""

MAX_OPEN_ABOUT_ADDRESS = 2
"""The maximum number of open questions to one address about whether it belongs to a player."""

MAX_HELD_CHARS = 6_000
"""The maximum number of characters of a mail that are held until its question is answered. The rest is dropped."""

MAX_SHOWN_COMMANDS = 10
"""The maximum number of commands of the held mail that a question shows."""

MAX_SHOWN_COMMAND_CHARS = 100
"""The maximum number of characters of a command that a question shows. It fits on one line, and hides nothing."""
