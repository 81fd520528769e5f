"""Define the limits on what players type, in characters, lines and words. None of them can be set."""

from datetime import timedelta

MAX_TYPED_CHARS = 16_000
"""The maximum number of characters that are read of what a player typed, as typed and in normal form (NFKC).

One character may be eighteen in that form. The lines behind are left out, as of chat that is too long.
"""

MAX_LINES = 500
"""The maximum number of lines of a mail that are read as commands or boards. The lines after them are chat.

Reading a line costs more than storing it.
"""

MAX_CAREFUL_LINES = 50
"""The maximum number of lines of a mail in which more than an order in its exact form is looked for.

Blank ones are left out. The lines below them are such orders, or words.
"""

MAX_CAREFUL_CHARS = 2_500
"""The maximum number of characters of a mail in which more than an order in its exact form is looked for.

Lines that are too long for a move don't count: little is looked for in them, and nothing in one that is longer than all
of this.
"""

MAX_LINE_CHARS = 10_000
"""The maximum length of a line that may be a command, in characters. Each line is read by several patterns."""

MAX_MOVE_CHARS = 400
"""The maximum length of a line that may be a move or an attempt at one. Longer lines are chat."""

MAX_BOARD_COMMAND_CHARS = 200
"""The maximum number of characters of a line that are searched for a command that takes a board."""

MAX_COMMANDS = 50
"""The maximum number of commands in a mail. The lines after them are ignored.

All commands of a mail run in one transaction.
"""

MAX_TURN_LINES = 4
"""The maximum number of lines of one turn. Each line is tried together with those above it."""

MAX_BOARDS = 3
"""The maximum number of boards in a mail. Further boards are reported as too many. Comparing boards is slow."""

MAX_NAME_CHARS = 40
"""The maximum number of characters of a name. It has to fit into a Subject."""

MAX_NAME_DIGITS = 4
"""The maximum number of digits of a name. A year has four, and a number to call five or more."""

MAX_FIRST_NAME_COLUMNS = 16
"""The maximum length of the part of a name that stands in the Subject of a first invitation. No sentence fits."""

MAX_INVITATION_CHARS = 280
"""The maximum number of characters of the host's words that an invitation brings. The guest may not know the host."""

MAX_NAME_WORDS = 3
"""The maximum number of words after `name` that are taken for a name without a question. More are a sentence."""

MAX_NAMED_TURNS = 3
"""The maximum number of turns that an answer to words without a turn offers."""
MAX_OFFERED_LINES = 6
"""The maximum number of lines that an answer offers for what is probably an order."""

MAX_OFFERED_ZONES = 3
"""The maximum number of time zones that an answer offers for a name that is none."""

MAX_SAID_AGAIN_CHARS = 280
"""The maximum number of characters of words that an answer offers to send as they are."""

MAX_REFUSED_NAME_CHARS = 100
"""The maximum number of characters after `name` that are reported as too long for a name. Longer text is chat."""

MAX_REASON_CHARS = 500
"""The maximum number of characters of the reason for a dispute or an operator's ruling. Letters quote it in full."""

MAX_READ_REASON_CHARS = 2_000
"""The maximum number of characters of a reason to which further lines are added. More is not a reason, but a letter."""

MAX_OPERATOR_NAME_CHARS = 100
"""The maximum number of characters of an operator's name in the log."""

MAX_CHAT_CHARS = 4_000
"""The maximum number of characters of chat in one mail that are forwarded. The rest is cut off."""

MAX_WAITING_CHAT_CHARS = 8_000
"""The maximum number of characters of chat that wait for one reader. Chat that would exceed it is not stored."""

MAX_SIMILAR_TEXTS = 2
"""The number of texts in a row that may differ only in numbers. A further one counts as an automatic reply."""

MIN_REPEATED_CHARS = 20
"""The number of characters from which on a text that comes twice counts as an automatic reply."""

MAX_TEXTS_IN_A_ROW = 10
"""The number of texts in a row without an order, each within `IN_A_ROW` of the one before, that are answered."""

IN_A_ROW = timedelta(hours=1)
"""The time within which a text has to follow another to be in a row with it. People who talk take their time."""

MAX_REPEATED_LINE_CHARS = 200
"""The maximum number of characters of a typed line that an answer repeats."""

MAX_REPEATED_WORD_CHARS = 60
"""The maximum number of characters of a typed word, or of a short line, that an answer repeats or suggests."""

MAX_REPEATED_VALUE_CHARS = 5
"""The maximum number of characters of a typed value that an answer may repeat, such as `9x9` or `99.5`."""

MAX_DATE_CHARS = 80
"""The maximum number of characters of a date or a length of time. Longer text is none."""

LONGEST_TIME = timedelta(days=366)
"""The longest length of time that can be typed: a year."""
