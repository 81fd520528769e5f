"""Define what a player can have at the same time, and ask for in one mail. None of these limits can be set."""

MAX_INVITATIONS = 10
"""The maximum number of unanswered invitations of one host. It prevents a host from mailing many strangers."""

MAX_INVITATIONS_IN_MAIL = 5
"""The maximum number of invitations in one mail."""

MAX_INVITATIONS_TO_PLAYER = 5
"""The maximum number of unanswered invitations to a player who has begun a game. For anybody else, it is one."""

MAX_SEEKS = 3
"""The maximum number of open seeks per player. The list must have room for other players."""

MAX_ADDRESSES = 5
"""The maximum number of addresses per player.

Each `address add` sends a letter to an address, which may be a stranger's.
"""

MAX_DISPUTES_IN_MAIL = 3
"""The maximum number of disputes in one mail. For each, the opponent gets a long explanation."""

MAX_DAYS_A_TURN = 365
"""The maximum time limit for a turn, in days."""
