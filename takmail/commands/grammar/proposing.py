"""Parse what players dispute and propose: the text after `im`, `why` and `propose`.

Whose turn it would be on a proposed board may stand behind it, or in a line below.
"""

import re
from dataclasses import dataclass
from typing import Self

from takmail.commands.command import Arguments, LineFault, Rest, Unclear
from takmail.commands.grammar.normalize import Behind, behind_im, joined, turn_number
from takmail.games.interface import NearMiss, ReadTurn
from takmail.limits.words import MAX_NAME_CHARS
from takmail.world import CONSENTS, PendingKind

_BACK = re.compile(r"(?:to go )?back[:,]?(?: to)?(?: turn| move| ply)? ?#?(\d+)", re.IGNORECASE)
_BOARD = re.compile(r"board[:,]?(?: (.+))?", re.IGNORECASE)
_WHOSE = re.compile(
    r"(?:and |with )?(?:it(?:'s| is) )?(?P<who>.+?)"
    r"(?P<turn>(?:'s?)? turn(?: next| to move)?|(?: is)?(?: next)? to (?:move|play)| is next| next| moves(?: next)?)",
    re.IGNORECASE,
)
SENDER = ("me", "i", "my", "mine")
"""Words for the sender in a line that says whose turn it would be."""
OTHER_ONE = ("them", "you", "your", "yours")
"""Words for the opponent in a line that says whose turn it would be."""


@dataclass(frozen=True, slots=True)
class Propose(Arguments):
    """A board to continue from. The opponent has to agree.

    * `target` is the turn to go back to
    * `board` is the board to continue from, in the game's notation. If it is None, it is the board that the sender
      showed last.
    * `whose` are the words that say whose turn it would be, '' if there are none
    * `is_unread`: the text below the command was not recognised as a board
    """

    kind: PendingKind
    target: int | None = None
    board: str | None = None
    whose: str = ""
    is_unread: bool = False

    @classmethod
    def read(cls, rest: Rest) -> Self | None:
        """Parse `back 17`, `restart` or `board white`. "propose a walk" is chat."""
        if rest.text.lower() == "restart":
            return cls(PendingKind.RESTART)
        target = _back_to(rest.text)
        if target is not None:
            return cls(PendingKind.BACK, target=target)
        board = _BOARD.fullmatch(rest.text)
        if board and len(whose := who_is_named(board[1] or "")) <= MAX_NAME_CHARS:
            return cls(PendingKind.BOARD, whose=whose)
        return None

    def written(self) -> str | None:
        """Return the kind of proposal, and the turn to go back to. A board is free text."""
        return None if self.kind is PendingKind.BOARD else joined(self.kind, self.target)


@dataclass(frozen=True, slots=True)
class Settle(Arguments):
    """The offer that is answered or withdrawn.

    * `kind` is the kind of offer that the player named, None if they named none
    * `target` is the turn to go back to, None if the player did not name one
    """

    kind: PendingKind | None
    target: int | None = None

    @classmethod
    def read(cls, rest: Rest) -> Self | None:
        """Parse `draw` or `back 6`. "agree with you" is chat."""
        offer = rest.text.lower()
        if not offer or offer in CONSENTS:
            return cls(PendingKind(offer) if offer else None)
        target = _back_to(offer)
        return None if target is None else cls(PendingKind.BACK if target else PendingKind.RESTART, target)

    def written(self) -> str:
        """Return the kind of offer. A restart is written as `back 0` if it has a target."""
        return joined(self.kind) if self.target is None else joined(PendingKind.BACK, self.target)


def _back_to(words: str) -> int | None:
    """Return the turn that text such as `back 17` names, None for any other text."""
    found = _BACK.fullmatch(words)
    return turn_number(found[1]) if found else None


def who_is_named(words: str) -> str:
    """Return the words for the player in text such as `white to move`, `Ben's turn`, `my turn` or `white`."""
    bare = words.strip(" ,:;.-")
    found = _WHOSE.fullmatch(bare)
    return found["who"] if found else bare


_TURN = re.compile(r"(?:(?:turn|move|ply) )?#?(\d+)[.:,]?(?: +|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Dispute(Arguments):
    """The claim that a turn is invalid. If `turn` is None, it is the last turn."""

    reason: str
    turn: int | None = None

    @classmethod
    def read(cls, rest: Rest) -> Self | Unclear | None:
        """Parse `#14`, `you can't` or `#14 you can't`. A reason is only read on the first line, or after a `/`.

        A bare number is a turn only if nothing follows. For example, "im 14 pieces are too many" gives a reason. "Im
        sorry about that wall" may be a sentence.
        """
        is_named = rest.text.startswith("#")
        number, reason = _turn_before(rest.text)
        if reason and not is_named:
            number, reason = None, rest.text
        is_plain = not rest.text or (is_named and not reason)
        if not (is_plain or rest.is_marked or rest.is_first):
            return None
        is_reason = number is not None or rest.is_marked or behind_im(reason) is Behind.REASON
        if not is_reason:
            return Unclear(LineFault.SENTENCE, rest.keyword)
        return cls(reason, number)

    def written(self) -> str | None:
        """Return the number of the turn if there is no reason."""
        return None if self.reason else "" if self.turn is None else f"#{self.turn}"


@dataclass(frozen=True, slots=True)
class Why(Arguments):
    """The turn to explain.

    * If `attempt` is '', turn `turn` is explained, or the last turn if `turn` is None.
    * Otherwise `attempt` is explained as if it had been played as turn `turn`, or as the next turn if `turn` is None.
    """

    turn: int | None
    attempt: str = ""

    @classmethod
    def read(cls, rest: Rest) -> Self | None:
        """Parse `14`, `ms b2 p3 2 1` or `14 ms b2 p3 2 1`. "why me" is chat.

        A malformed attempt is accepted only on the first line of a mail, or after a leading `/`.
        """
        number, attempt = _turn_before(rest.text)
        if not attempt:
            return cls(number)
        match rest.read_turn(attempt):
            case ReadTurn(_, meant):
                return cls(meant if number is None else number, attempt)
            case NearMiss() if rest.is_marked or rest.is_first:
                return cls(number, attempt)
            case _:
                return None

    def written(self) -> str | None:
        """Return the number of the turn if there is no attempt."""
        return None if self.attempt else "" if self.turn is None else str(self.turn)


def _turn_before(text: str) -> tuple[int | None, str]:
    """Return the turn that a text such as `14`, `#14 you can't` or `turn 14` names first, if any, and what follows."""
    named = _TURN.match(text)
    return (turn_number(named[1]), text[named.end() :]) if named else (None, text)
