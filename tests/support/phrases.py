"""What comes of the mails that people write, in the words of tests/data/phrases/README.md.

`python -m tests.support.phrases [--file FILE] [CONTEXT]` prints the mails that are read otherwise than wanted.
"""

import argparse
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from takmail.store.records import TURNS
from takmail.store.tables import ChatRow
from takmail.world.kinds import GameNumber
from tests.support.kept import TABLES, Row, rows_of
from tests.support.links import Link, links
from tests.support.memory_harness import BOTH_SIDES, MemoryHarness
from tests.support.players import ADA, BEN, Received

DATA = Path(__file__).parents[1] / "data" / "phrases"
GIVEN = DATA / "given.json"
MORE = DATA / "more.json"
MAILS = DATA / "mails.json"
SMALL_TALK = DATA.parent / "small_talk"
MOST_OFFERS = 6

_AS_ADA, _AS_BEN, _AS_STRANGER = f"Ada <{ADA}>", f"Ben <{BEN}>", "Zoe <zoe@example.org>"
_MOVE = re.compile(r"(?:p[swc]|m[nsew]) [a-h][1-8].*")
_ON_BOARD = re.compile(r"[A-Z]\d: |.*(?:Keep one line)", re.DOTALL)


@dataclass(frozen=True)
class Phrase:
    """A mail in a context, and what may come of it: any one of `want`."""

    context: str
    text: str
    want: tuple[str, ...]


def phrases(file: Path = GIVEN) -> list[Phrase]:
    """Return the mails of a file, in order. Each line of a `.txt` is small talk in the context `turn`."""
    if file.suffix == ".txt":
        return [
            Phrase("turn", line, ("words",)) for line in file.read_text(encoding="utf-8").splitlines() if line
        ]
    rows = json.loads(file.read_text(encoding="utf-8"))
    return [Phrase(one["context"], one["text"], tuple(one["want"])) for one in rows]


@dataclass(frozen=True)
class Scene:
    """What was before a mail: the harness, who writes the mail, and the letter that it answers."""

    harness: MemoryHarness
    writer: str
    answered: Received | None

    @property
    def address(self) -> str:
        """The address of who writes the mail."""
        return self.writer.partition("<")[2].removesuffix(">")

    @cached_property
    def turns(self) -> list[str]:
        """The turns before the mail."""
        return _turns(self.harness)

    @cached_property
    def stored(self) -> set[Row]:
        """What was stored before the mail, as far as it is compared."""
        return _compared(self.harness, self.address)


def _begun() -> MemoryHarness:
    harness = MemoryHarness(services=BOTH_SIDES)
    harness.begin()
    harness.play("ps a1", "ps e5", "ps c3", "pw c2")
    harness.confirms = False
    return harness


def _turn() -> Scene:
    harness = _begun()
    return Scene(harness, _AS_ADA, harness.last(ADA))


def _wait() -> Scene:
    harness = _begun()
    return Scene(harness, _AS_BEN, harness.last(BEN))


def _invited() -> Scene:
    harness = MemoryHarness(services=BOTH_SIDES)
    harness.send(_AS_ADA, f"new 5 vs {BEN}")
    harness.confirms = False
    return Scene(harness, _AS_BEN, harness.last(BEN))


def _asked() -> Scene:
    harness = MemoryHarness(services=BOTH_SIDES, confirms=False)
    harness.send(_AS_ADA, f"new 5 vs {BEN}")
    return Scene(harness, _AS_ADA, harness.last(ADA))


def _offer() -> Scene:
    harness = _begun()
    harness.send(_AS_BEN, "draw", harness.last(BEN))
    return Scene(harness, _AS_ADA, harness.last(ADA))


def _new() -> Scene:
    return Scene(_begun(), _AS_ADA, None)


def _stranger() -> Scene:
    return Scene(_begun(), _AS_STRANGER, None)


SCENES: dict[str, Callable[[], Scene]] = {
    "turn": _turn,
    "wait": _wait,
    "invited": _invited,
    "asked": _asked,
    "offer": _offer,
    "new": _new,
    "stranger": _stranger,
}


@cache
def scene(context: str) -> Scene:
    """Return the scene of a context. It is played once, so copy its harness before a mail."""
    return SCENES[context]()


@dataclass(frozen=True)
class Came:
    """What came of a mail.

    * `answer` are the letters to its writer, `others` those to everybody else
    * `is_changed`: something is stored otherwise than before, apart from words, questions and counts
    * `played` are the turns that it played
    * `note` is the operator's note about it, without what became of words
    """

    phrase: Phrase
    answer: tuple[Received, ...]
    others: tuple[Received, ...]
    is_changed: bool
    played: tuple[str, ...]
    note: str
    happened: tuple[str, ...]

    @property
    def is_nothing(self) -> bool:
        """Whether nothing was done and nobody else got a letter."""
        return not self.is_changed and not self.others

    @property
    def has_words(self) -> bool:
        """Whether the opponent got a letter with the text, and nothing else was done."""
        text = _squeezed(self.phrase.text).removeprefix("say")
        return not self.is_changed and any(text in _squeezed(one.text) for one in self.others)

    @property
    def offered(self) -> tuple[str, ...]:
        """The lines that the answer offers and that an ordinary letter does not, those of its text first."""
        parts = [part for one in self.answer for part in _fresh_paragraphs(one)]
        copied = (piece for part in parts for line in _indented(part) for piece in re.split(r"\s{2,}", line))
        quoted = (line for part in parts for line in re.findall(r'"([^"]+)"', _joined(part)))
        named = (found[1] for part in parts if (found := re.search(r"send this: (.+)$", _joined(part))))
        touched = (one.words for one in self.touchable)
        lines = (*copied, *quoted, *named, *touched)
        return tuple(dict.fromkeys(_canonical(line) for line in lines))

    @property
    def touchable(self) -> tuple[Link, ...]:
        """The links of the answer that an ordinary letter does not have, without those of the board."""
        standing = _standing()
        return tuple(
            one
            for letter in self.answer
            for one in links(letter)
            if (one.name, one.words) not in standing.links and not _ON_BOARD.match(f"{one.name}{one.words}")
        )

    @property
    def offers_too_many(self) -> bool:
        """Whether the answer to a mail that did nothing has too many lines to copy, not counting words as they are."""
        if not self.is_nothing or any(one.startswith("do ") and self.is_as(one) for one in self.phrase.want):
            return False
        lines = {line for one in self.answer for part in _fresh_paragraphs(one) for line in _indented(part)}
        return sum(not line.startswith("say ") for line in lines) > MOST_OFFERS

    def is_as(self, want: str) -> bool:
        """Whether one wish of the table is fulfilled."""
        want, _, beside = want.partition(" & ")
        kind, _, line = want.partition(" ")
        if beside:
            is_kept, words = beside.startswith("kept "), _squeezed(beside.partition(" ")[2])
            readers = self.answer if is_kept else self.others
            if not any(words in _squeezed(one.text) for one in readers):
                return False
        match kind:
            case "keep":
                return self.is_nothing
            case "words":
                return self.has_words
            case "offer":
                return self.is_nothing and any(
                    one == line or one.startswith(f"{line} ") for one in self.offered
                )
            case "do" if _MOVE.fullmatch(line):
                is_played = _canonical(line) in map(_canonical, self.played)
                return is_played and any(_begins_with(one, line) for one in self.others)
            case "do" if beside:
                return self.is_changed
            case "do":
                return self.did(line)
        raise ValueError(want)

    def did(self, line: str) -> bool:
        """Whether the same came of it as of a mail with this line alone."""
        alone = _of_line(self.phrase.context, line)
        return (
            (alone.happened, alone.note, alone.played) == (self.happened, self.note, self.played)
            and _to(alone.answer) == _to(self.answer)
            and _to(alone.others) <= _to(self.others)
            and (not line.startswith("new ") or _shown(alone) == _shown(self))
        )

    @property
    def is_right(self) -> bool:
        """Whether one of the wanted things came of it."""
        return any(self.is_as(one) for one in self.phrase.want)

    def __str__(self) -> str:
        """What came of it, in the words of the table, as far as that can be said without knowing what was wanted."""
        parts = [f"do {one}" for one in self.played]
        parts += [f"offer {one}" for one in self.offered] if self.is_nothing else []
        parts += ["words"] if self.has_words else []
        parts += ["keep"] if self.is_nothing else []
        return ", ".join(parts) + f" ({self.note})"

    def first_lines(self, most: int = 3) -> list[str]:
        """Return the first lines of the answer."""
        return [line for one in self.answer for line in one.lines if line.strip()][:most]


def came_of(phrase: Phrase) -> Came:
    """Send the mail of a phrase in its context, and return what came of it."""
    before = scene(phrase.context)
    harness = before.harness.scene()
    address = before.address
    letters = harness.send(before.writer, phrase.text, before.answered)
    state, note = harness.notes[-1]
    parts = [one for one in note.split(", ") if not one.startswith("words:")]
    return Came(
        phrase,
        tuple(one for one in letters if one.to == address),
        tuple(one for one in letters if one.to != address),
        is_changed=_compared(harness, address) != before.stored,
        played=tuple(_turns(harness)[len(before.turns) :]),
        note=", ".join([state, *parts]),
        happened=tuple(one for one in harness.happened if one not in _BESIDE),
    )


@cache
def _of_line(context: str, line: str) -> Came:
    """Return what comes of a mail with one line alone."""
    return came_of(Phrase(context, line, ()))


_BESIDE = frozenset({"VerifiedMailReceived", "LettersReleased", "ChatQueued", "ChatSent", "ChatShown"})
"""Events of any mail, and those of words."""


def _turns(harness: MemoryHarness) -> list[str]:
    with harness.store.transaction() as session:
        return [turn.text for turn in TURNS.load(session, GameNumber(1))]


def _compared(harness: MemoryHarness, address: str) -> set[Row]:
    """Return what is stored, without chat, and what any mail of a guest may change."""
    tables = [one for one in TABLES if one is not ChatRow]
    offers = {one for one in harness.memory.pending if one.is_offer and one.is_open}
    return rows_of(harness.store, tables, address, ["version", "skeleton", "zone"]) | {
        ("offers", frozenset(offers))
    }


@dataclass(frozen=True)
class Standing:
    """The paragraphs and links that stand in ordinary letters."""

    paragraphs: frozenset[str]
    links: frozenset[tuple[str, str]]


@cache
def _standing() -> Standing:
    """Return what stands in answers that only show something, and in a receipt."""
    letters = [
        one
        for context in ("turn", "wait")
        for line in ("rs", "rules")
        for one in came_of(Phrase(context, line, ())).answer
    ]
    return Standing(
        frozenset(_squeezed(part) for one in letters for part in _paragraphs(one)),
        frozenset((one.name, one.words) for letter in letters for one in links(letter)),
    )


def _paragraphs(letter: Received) -> Iterator[str]:
    """Yield the paragraphs above the line, below which ordinary facts stand."""
    above = re.split(r"^-{8,}$", letter.text, maxsplit=1, flags=re.MULTILINE)[0]
    yield from re.split(r"\n\s*\n", above)


def _fresh_paragraphs(letter: Received) -> Iterator[str]:
    """Yield the paragraphs that ordinary letters do not have."""
    standing = _standing().paragraphs
    yield from (part for part in _paragraphs(letter) if _squeezed(part) not in standing)


def _indented(part: str) -> Iterator[str]:
    """Yield the indented lines of a paragraph, which are to be copied, without those that quote a mail."""
    for line in part.splitlines():
        # A deeper line goes on with what the line above it does.
        if re.match(r"  [^\s|]", line):
            yield line.strip()


def _canonical(line: str) -> str:
    """Return an offered line without the number of its turn. `me c3` is short for `me c3 p1 1`."""
    line = re.sub(r" #\d+$", "", line)
    return f"{line} p1 1" if re.fullmatch(r"m[nsew] [a-h][1-8]", line) else line


def _joined(part: str) -> str:
    return " ".join(part.split())


def _begins_with(letter: Received, move: str) -> bool:
    return bool(letter.lines) and letter.lines[0].startswith(move)


def _to(letters: Sequence[Received]) -> set[str]:
    return {one.to for one in letters}


def _shown(came: Came) -> list[str]:
    return [_squeezed(one.text) for one in (*came.answer, *came.others)]


def _squeezed(text: str) -> str:
    """Return a text without spaces, line breaks and marks of quotes, as letters wrap it."""
    return re.sub(r"[\s|>]+", "", text).lower()


def main() -> None:
    """Print the mails of a file that are read otherwise than wanted, and the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--file", type=Path, default=GIVEN)
    parser.add_argument("context", nargs="?", choices=SCENES)
    chosen = parser.parse_args()
    rows = [one for one in phrases(chosen.file) if chosen.context in (None, one.context)]
    missed = 0
    for one in rows:
        came = came_of(one)
        if not came.is_right:
            missed += 1
            print(f"{one.context:8} {one.text!r}\n    wanted {', '.join(one.want)}\n    came   {came}")
            print(*(f"    | {line}" for line in came.first_lines()), sep="\n")
        if came.offers_too_many:
            print(f"{one.context:8} {one.text!r}\n    offers too many: {', '.join(came.offered)}")
    print(f"{len(rows) - missed} of {len(rows)} are read as wanted")


if __name__ == "__main__":
    main()
