"""The set-up of a game of Tak: the board, komi, the scoring rules, and the rules about coins and calls."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from takmail.games.interface import Reason, Refused
from takmail.games.tak.bids import parse_bids
from takmail.games.tak.notation.errors import NotationError
from takmail.games.tak.notation.komi import parse_komi, write_komi
from takmail.games.tak.pieces import AGREED_CAPSTONES, AGREED_CAPSTONES_SIZE, SIZES, full_reserve
from takmail.games.tak.position import Position, empty_position
from takmail.games.tak.score import Scoring


class CoinRules(Enum):
    """The variants with coins: University Rules and Femr's Folly."""

    UNIVERSITY = "university"
    FEMR = "femr"


_COIN_RULES = {
    "university": CoinRules.UNIVERSITY,
    "femr": CoinRules.FEMR,
    "femrs": CoinRules.FEMR,
    "folly": CoinRules.FEMR,
}
_TITLES = {CoinRules.UNIVERSITY: "University Rules", CoinRules.FEMR: "Femr's Folly"}


_USUAL_SIZE = "5"
"""The size of a board if the words of a set-up do not name one."""


@dataclass(frozen=True, slots=True)
class TakSetup:
    """The set-up of a game; `str()` returns its canonical text, such as `5` or `5 komi=2.5 score=tarway`.

    * `capstones` is the number of each player's capstones if it is not the usual one, otherwise None
    * `coins` are the rules about coins, None if no coins are played for
    * `bids` are White's and Black's bid once both are in
    * `must_call`: takmail adds the call to each move that is tak
    """

    size: int
    half_komi: int = 0
    scoring: Scoring = Scoring.PLAIN
    capstones: int | None = None
    coins: CoinRules | None = None
    bids: tuple[int, int] | None = None
    must_call: bool = False

    def __str__(self) -> str:
        words = [str(self.size)]
        if self.capstones is not None:
            words.append(f"caps={self.capstones}")
        if self.half_komi:
            words.append(f"komi={write_komi(self.half_komi)}")
        if self.scoring is not Scoring.PLAIN:
            words.append(f"score={self.scoring.value}")
        if self.must_call:
            words.append("calls=must")
        if self.coins is not None:
            words.append(f"rules={self.coins.value}")
        if self.bids is not None:
            words.append(f"bids={self.bids[0]},{self.bids[1]}")
        return " ".join(words)

    @property
    def has_bids(self) -> bool:
        """Whether the players bid for the first turn."""
        return self.coins is CoinRules.UNIVERSITY

    @property
    def title(self) -> str:
        """The board, and what else is unusual enough to tell games apart."""
        words = [f"{self.size}x{self.size}"]
        if self.capstones is not None:
            words.append(f"{self.capstones or 'no'} {'capstone' if self.capstones == 1 else 'capstones'}")
        if self.must_call:
            words.append("tak must be called")
        if self.coins is not None:
            words.append(_TITLES[self.coins])
        return ", ".join(words)

    @property
    def position(self) -> Position:
        """The empty board."""
        return empty_position(self.size, self.half_komi, self.capstones)

    @classmethod
    def of(cls, words: Sequence[str]) -> "TakSetup":
        """Parse the words of a stored set-up.

        Raises `Refused` as `TakGame.set_up` does.
        """
        said: dict[str, str] = {}
        for word in words:
            name, equals, value = word.lower().partition("=")
            if not equals and (word[:1].isdigit() or word[:1] == "-"):
                name, value = "size", name
            elif not equals or name not in ("caps", "komi", "score", "calls", "rules", "bids"):
                raise Refused(Reason("unknown-word", {"word": word[:40]}))
            if name in said:
                raise Refused(Reason("said-twice", {"what": name, "word": word[:40]}))
            said[name] = value
        size = _size(said.get("size", _USUAL_SIZE))
        found = cls(
            size,
            _komi(said["komi"]) if "komi" in said else 0,
            _scoring(said["score"]) if "score" in said else Scoring.PLAIN,
            _capstones(size, said["caps"]) if "caps" in said else None,
            _coin_rules(said["rules"]) if "rules" in said else None,
            parse_bids(said["bids"]) if "bids" in said else None,
            "calls" in said and _must_call(said["calls"]),
        )
        found._refuse_contradictions()
        return found

    def _refuse_contradictions(self) -> None:
        if self.coins is not None and self.scoring is not Scoring.PLAIN:
            raise Refused(Reason("score-with-coins", {"scoring": self.scoring.value}))
        if self.coins is not None and self.must_call:
            raise Refused(Reason("calls-with-coins"))
        if self.bids is not None and not self.has_bids:
            raise Refused(Reason("unknown-word", {"word": "bids="}))


@lru_cache(maxsize=1_000)
def stored_setup(text: str) -> TakSetup:
    """Parse the text of a stored set-up. Raises `Refused` as `TakSetup.of` does."""
    return TakSetup.of(text.split())


def spelt_out(words: Sequence[str]) -> list[str]:
    """Return the words of a player with `rules=` before the name of rules about coins that stands alone."""
    return [f"rules={word}" if word.lower() in _COIN_RULES else word for word in words]


def _size(word: str) -> int:
    found = re.fullmatch(r"([0-9])(?:[xх×]([0-9]))?", word)
    if not found or found[2] not in (None, found[1]) or int(found[1]) not in SIZES:
        raise Refused(Reason("bad-size", {"text": word[:20], **_range()}))
    return int(found[1])


def _capstones(size: int, text: str) -> int | None:
    """Return the agreed number of capstones, None if it is the usual one."""
    if size != AGREED_CAPSTONES_SIZE:
        raise Refused(Reason("caps-elsewhere", {"size": size, "usual": full_reserve(size).capstones}))
    if text not in AGREED_CAPSTONES:
        raise Refused(Reason("bad-caps", {"text": text[:20]}))
    return None if int(text) == full_reserve(size).capstones else int(text)


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


def _coin_rules(text: str) -> CoinRules:
    if text not in _COIN_RULES:
        raise Refused(Reason("bad-rules", {"text": text[:20]}))
    return _COIN_RULES[text]


def _must_call(text: str) -> bool:
    if text != "must":
        raise Refused(Reason("bad-calls", {"text": text[:20]}))
    return True


def _range() -> dict[str, object]:
    return {"smallest": SIZES[0], "largest": SIZES[-1]}
