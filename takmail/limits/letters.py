"""Define how many letters are sent, to one address and to all strangers, and how long a letter is."""

from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class RateLimits:
    """The maximum numbers of letters to one address. Each kind has its own limit, so that one cannot use up another's.

    Each field has a key of the same name in `[limits]`. Two players of a quick game reach none of them.

    * `answers_per_hour`: answers to players' verified mails. It stops two robots that answer each other.
    * `unproven_answers_per_hour`: answers to mails that may be forged, from an address whose owner has written before.
      It keeps a forger from flooding a player. Verified mails of who is no player get as many.
    * `stranger_answers_per_hour`: answers to all other mails. Their From may name a forger's victim.
    * `letters_per_day`: letters of each limited kind to an address whose owner has written
    * `stranger_letters_per_day`: letters of each limited kind to an address whose owner has never written
    * `chat_letters_per_hour`: letters that contain only chat, so that chat delays no move

    Four limits are on the letters to all strangers together, so that a provider's limit is not used up for them.

    * `total_stranger_answers_per_hour`, `total_stranger_answers_per_day`: answers to mails that may be forged, to
      addresses whose owners have never written
    * `total_stranger_invitations_per_hour`, `total_stranger_invitations_per_day`: letters to addresses that players
      typed
    """

    answers_per_hour: int = 300
    unproven_answers_per_hour: int = 30
    stranger_answers_per_hour: int = 5
    letters_per_day: int = 200
    stranger_letters_per_day: int = 10
    chat_letters_per_hour: int = 30
    total_stranger_answers_per_hour: int = 60
    total_stranger_answers_per_day: int = 150
    total_stranger_invitations_per_hour: int = 30
    total_stranger_invitations_per_day: int = 100


DEFAULT_RATES = RateLimits()
"""The default limits."""


MAX_WELCOMES = 4
"""How many welcomes a day answer an address that answers letters and writes no command. A robot may do so."""

INVITATION_WAITS = timedelta(days=3)
"""After how long the host hears in the answer to a mail that an invitation has no answer yet."""

WAIT_FOR_THOUGHT = timedelta(minutes=4)
"""How long a letter waits for what a process thinks about, so that the next letter may take its place.

If many wait, a turn is thought about within two rounds of `takmail.runtime.fair_queue` and the turn that runs.
"""


@dataclass(frozen=True, slots=True)
class SendingLimits:
    """How many letters leave within a minute and within a day. None means no limit.

    Each field has a key of the same name in `[smtp]`. Letters that are not about games get at most half of a day's
    amount, so that the other half is left for games.
    """

    per_minute: int | None = None
    per_day: int | None = None


UNLIMITED = SendingLimits()
"""As many letters leave as there are."""


STRANGER_SHARES = 4
"""One organisation or player gets at most this part, a fourth, of a limit on the letters to all strangers together."""

MAX_LETTERS_AT_ONCE = 20
"""The number of letters of one cause that leave at once. The others follow in portions of this size."""

PORTION_PAUSE = timedelta(minutes=1)
"""The time between two portions of the letters of one cause."""

LONGEST_POSTPONEMENT = timedelta(days=30)
"""The longest time for which a letter is postponed. One that is due later was written before the clock was set back."""

MAX_BOUNCES = 3
"""The number of bounced letters from which on nothing is sent to an address until its owner writes."""

MAX_WORDS_BYTES = 6_000
"""How much of the page of a letter about several games their opponents' words take together, in bytes."""

MAX_HTML_BYTES = 80_000
"""The maximum size of an HTML part, in bytes. Gmail cuts a mail off at about 100 KB."""

MAX_LINKS_BYTES = 24_000
"""The maximum size of the links in lists of moves, with their HTML tags, in bytes. A longer list has fewer links."""

MAX_LINK_CHARS = 900
"""The maximum length of the link of a place on the board. With its tags it has to fit into a line of a mail."""

MAX_SHORT_LINK_CHARS = 200
"""The same in a letter about several games."""


class MostBoards(NamedTuple):
    """How many boards of a letter are tables of pictures, and how many of its sections can be touched.

    All other boards are text.
    """

    pictures: int
    touched: int


MOST_BOARDS = (MostBoards(4, 4), MostBoards(1, 1))
"""The maximum numbers in a letter: the first ones with which it is not too long."""

MOST_BOARDS_OF_GAMES = tuple(
    MostBoards(*most)
    for most in (
        (12, 8),
        (12, 7),
        (12, 6),
        (12, 5),
        (12, 4),
        (12, 3),
        (12, 2),
        (12, 0),
        (8, 0),
        (4, 0),
        (0, 0),
    )
)
"""The same in a letter about several games."""

MAX_ANIMATED_TURNS = 80
"""The maximum number of turns in the animation of a finished game. Each takes 3 to 5 KB in the letter."""

MAX_THREAD_REFERENCES = 12
"""The maximum number of Message-IDs in References: the first one of the thread and the newest ones."""

MAX_SHOWN_IN_ANSWER = 10
"""The maximum number of boards, lists and pages in one answer. Some take 0.1 s to compute during a transaction."""

MAX_LISTED_SEEKS = 30
"""The maximum number of seeks that one letter lists. A longer list would not be read."""

MAX_DATA_CHARS = 34_000
"""The maximum number of characters of the data that `mydata` sends, without blanks.

A letter beyond `MAX_COMPARED_CHARS` is not fully recognised when it is quoted.
"""

MAX_DATA_POSTS = 500
"""The maximum number of mails, and of letters, that are loaded for `mydata`. `MAX_DATA_CHARS` has no room for more."""
