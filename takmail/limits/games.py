"""Define what a player can have and ask for at the same time, and how much work a game can cause.

None of these limits can be set.
"""

MAX_INVITATIONS = 10
"""The maximum number of unanswered invitations of one host. It prevents a host from mailing many strangers."""

MAX_INVITATIONS_IN_MAIL = 5
"""The maximum number of invitations in one mail. Each sends a letter to somebody who may not want it."""

MAX_INVITATIONS_TO_PLAYER = 5
"""The maximum number of unanswered invitations to a player who has begun a game. For anybody else, it is one."""

MAX_SEEKS = 3
"""The maximum number of open seeks per player. The list must have room for other players."""

MAX_UNPLAYED = 10
"""The maximum number of running games of others in which a player who joins one more has played no turn yet.

Somebody who takes more seeks only keeps them from others.
"""

MAX_UNPLAYED_DUE = 3
"""The maximum number of these games in which it is that player's turn."""

MAX_RUNNING_GAMES = 100
"""The maximum number of running games of a player. A club may play fifty at once."""

MAX_LISTED_OVER = 10
"""The maximum number of finished games that a list of a player's games has."""

MAX_ADDRESSES = 5
"""The maximum number of addresses per player.

Each `address add` sends a letter to an address, which may be a stranger's.
"""

MAX_DISPUTES_IN_MAIL = 3
"""The maximum number of disputes in one mail. For each, the opponent gets a long explanation."""

MAX_DAYS_A_TURN = 365
"""The maximum time limit for a turn, in days. A longer one would be none."""

MAX_GIFT_SECONDS = 365 * 24 * 60 * 60
"""The maximum time that a player can be given for a turn, in seconds."""

MAX_BRANCHES = 20
"""The maximum number of branches of moves that a player may prepare in advance in a game."""

MAX_BRANCH_PLIES = 10
"""The maximum number of turns of such a branch, those of both players."""

MAX_HINTS = 3
"""The maximum number of positions of a game against a bot in which a player gets a hint."""

MAX_RECORD_CHARS = 4_000_000
"""The maximum length of a game record that is parsed, in characters, so that a wrong file is refused at once."""

MAX_COMPARISON_STEPS = 30_000
"""The maximum number of plies undone to explain a written board, which bounds the time for games of any length."""

MAX_CACHED_STATES = 5_000
"""The maximum number of cached states of games, about 25 MB. The game that was replayed last is kept even beyond it."""

MAX_MATCH_GAMES = 25
"""The maximum number of games of a match with an end, so that it is played to its end."""

MAX_MATCH_POINTS = 2_000
"""The maximum number of points to which a match goes, for the same reason."""
