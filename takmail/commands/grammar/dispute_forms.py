"""Parse `im` and `why`, which name a turn to check against the rules."""

import re
from dataclasses import dataclass
from typing import Self

from takmail.commands.command import Arguments, Rest
from takmail.commands.grammar.faults import LineFault, Unclear
from takmail.commands.grammar.normalize import turn_number, without_move
from takmail.games.interface import NearMiss, Turn
from takmail.vocabulary import table, words_of

_ONLY_NUMBER = re.compile(r"(?:(?:turn|move|ply) )?#?(\d+)[.:,]?", re.IGNORECASE)
_BEFORE_A_REASON = re.compile(r"#(\d+)[.:,]? +")
_BEFORE_AN_ATTEMPT = re.compile(r"#?(\d+)[.:]? +")


@dataclass(frozen=True, slots=True)
class Dispute(Arguments):
    """The claim that a turn is invalid. If `turn` is None, it is the last turn."""

    reason: str
    turn: int | None = None

    @classmethod
    def read(cls, rest: Rest) -> Self | Unclear | None:
        """Parse `#14`, `you can't` or `#14 you can't`. A reason is only read on the first line, or after a `/`.

        A bare number is a turn only if nothing follows. For example, "im 14 pieces are too many" gives a reason. "Im
        sorry" may be a sentence.
        """
        text = rest.text
        if not text:
            return cls("")
        may_have_reason = rest.is_marked or rest.is_first
        alone = _ONLY_NUMBER.fullmatch(text)
        if alone and (may_have_reason or text.startswith("#")):
            return cls("", turn_number(alone[1]))
        if not may_have_reason:
            return None
        if named := _BEFORE_A_REASON.match(text):
            return cls(text[named.end() :], turn_number(named[1]))
        if not rest.is_marked and 0 in table("sentence").places(words_of(text)):
            return Unclear(LineFault.SENTENCE, rest.keyword)
        return cls(text)

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
        if not rest.text:
            return cls(None)
        if alone := _ONLY_NUMBER.fullmatch(rest.text):
            return cls(turn_number(alone[1]))
        numbered = _BEFORE_AN_ATTEMPT.match(rest.text)
        attempt = rest.text[numbered.end() :] if numbered else rest.text
        number = turn_number(numbered[1]) if numbered else None
        match rest.read_turn(without_move(attempt)):
            case Turn(_, meant):
                return cls(meant if number is None else number, attempt)
            case NearMiss() if rest.is_marked or rest.is_first:
                return cls(number, attempt)
            case _:
                return None

    def written(self) -> str | None:
        """Return the number of the turn if there is no attempt."""
        return None if self.attempt else "" if self.turn is None else str(self.turn)
