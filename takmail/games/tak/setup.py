"""The set-up of a game of Tak: the width of the board, the komi and the scoring rules."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from takmail.games.interface import Reason, Refused
from takmail.games.tak.notation.errors import NotationError
from takmail.games.tak.notation.komi import parse_komi, write_komi
from takmail.games.tak.pieces import SIZES
from takmail.games.tak.score import Scoring


@dataclass(frozen=True, slots=True)
class TakSetup:
    """The set-up of a game; `str()` returns its canonical text, such as `5` or `5 komi=2.5 score=tarway`."""

    size: int
    half_komi: int = 0
    scoring: Scoring = Scoring.PLAIN

    def __str__(self) -> str:
        words = [str(self.size)]
        if self.half_komi:
            words.append(f"komi={write_komi(self.half_komi)}")
        if self.scoring is not Scoring.PLAIN:
            words.append(f"score={self.scoring.value}")
        return " ".join(words)

    @classmethod
    def of(cls, words: Sequence[str]) -> "TakSetup":
        """Parse the words of a set-up. Raises `Refused` as `TakGame.set_up` does."""
        size: int | None = None
        half_komi: int | None = None
        scoring: Scoring | None = None
        for word in words:
            name, equals, value = word.lower().partition("=")
            if name == "komi" and equals:
                _refuse_again(half_komi, "komi", word)
                half_komi = _komi(value)
            elif name == "score" and equals:
                _refuse_again(scoring, "score", word)
                scoring = _scoring(value)
            elif word[:1].isdigit() or word[:1] == "-":
                _refuse_again(size, "size", word)
                size = _size(word.lower())
            else:
                raise Refused(Reason("unknown-word", {"word": word[:40]}))
        if size is None:
            raise Refused(Reason("size-missing", _range()))
        return cls(size, half_komi or 0, scoring or Scoring.PLAIN)


def _refuse_again(value: int | Scoring | None, what: str, word: str) -> None:
    if value is not None:
        raise Refused(Reason("said-twice", {"what": what, "word": word[:40]}))


def _size(word: str) -> int:
    found = re.fullmatch(r"([0-9])(?:x([0-9]))?", word)
    if not found or found[2] not in (None, found[1]) or int(found[1]) not in SIZES:
        raise Refused(Reason("bad-size", {"text": word[:20], **_range()}))
    return int(found[1])


def _komi(text: str) -> int:
    try:
        return parse_komi(text)
    except NotationError as error:
        raise Refused(error.reason) from None


def _scoring(text: str) -> Scoring:
    try:
        return Scoring(text)
    except ValueError:
        raise Refused(Reason("bad-score", {"text": text[:20]})) from None


def _range() -> dict[str, object]:
    return {"smallest": SIZES[0], "largest": SIZES[-1]}
