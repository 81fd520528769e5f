"""What puts a damaged row right, where that follows from what else is stored: a statement for the operator to run."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sqlmodel import Session

from takmail.games.game import Game, Refused, State
from takmail.games.registry import GAMES
from takmail.service.reading.commands import Play
from takmail.service.reading.understand import understand
from takmail.service.soundness.fault import BrokenGame, Fault, Flaw
from takmail.service.soundness.replay import replayed
from takmail.store import games, outbox
from takmail.store.tables import GameRow, OfferEnd, OutboxRow, Turn


class Clue(StrEnum):
    """From what a repair follows: how the turn was written, a letter, whose turn it was, or the text of the turn.

    offer: an offer can always be made anew.
    """

    WRITTEN = "written"
    LETTER = "letter"
    SEAT = "seat"
    TEXT = "text"
    OFFER = "offer"


@dataclass(frozen=True, slots=True)
class Repair:
    """One SQL statement, and from what it follows."""

    clue: Clue
    statement: str


def repair_of(session: Session, game: GameRow, fault: Fault, letter: Sequence[str]) -> Repair | None:
    """The repair of a fault; `letter` is the board after the turn as a letter shows it, () where none is kept.

    None: what is stored does not tell what it was.
    """
    rules = GAMES[game.kind]
    match fault.flaw, fault.place.table:
        case Flaw.ILLEGAL | Flaw.OTHER, _:
            return _text(rules, fault) or _checksum(fault, letter)
        case Flaw.SEAT, _ if fault.before is not None and not rules.is_agreement(fault.text):
            return _update(fault, Clue.SEAT, "seat", str(int(fault.before.to_move)))
        case Flaw.AGREED, _:
            return _update(fault, Clue.TEXT, "is_agreed", str(rules.is_agreement(fault.text)).lower())
        case Flaw.UNREADABLE, "offer":
            return _update(fault, Clue.OFFER, "ended", _quoted(OfferEnd.LAPSED))
        case Flaw.MISSING, "turn":
            return _missing(session, game, rules, fault)
        case _:
            return None


def _text(rules: Game, fault: Fault) -> Repair | None:
    """The turn as it was written, if that is one that leads where the turn once did."""
    for text, state in _readings(rules, fault.before, fault.written):
        if fault.stored in (None, state.checksum) and text != fault.text:
            return _update(fault, Clue.WRITTEN, "text", _quoted(text))
    return None


def _readings(rules: Game, before: State | None, written: str) -> Iterator[tuple[str, State]]:
    """The turns as which a line can be read and played, with the states to which they lead."""
    if before is None:
        return
    found = understand(written, before.read, rules.boards_in, question_open=False)
    texts = [one.command.text for one in found.orders if isinstance(one.command, Play)]
    for text in texts or [written]:
        try:
            yield text, before.play(text)
        except Refused:
            continue


def _checksum(fault: Fault, letter: Sequence[str]) -> Repair | None:
    """The checksum of the board to which the turn leads, if a letter has shown that board."""
    if fault.after is None or _spots(letter) != _spots(fault.after.board()):
        return None
    return _update(fault, Clue.LETTER, "checksum", _quoted(fault.after.checksum))


def _spots(rows: Sequence[str]) -> list[list[str]]:
    return [row.split() for row in rows]


def _missing(session: Session, game: GameRow, rules: Game, fault: Fault) -> Repair | None:
    """The lost row, if a letter tells of a turn with which all agrees again."""
    letter = outbox.that_told_of(session, fault.game, fault.turn)
    told = letter.text.splitlines()[:1] if letter is not None else []
    turns = games.turns(session, fault.game)
    if letter is None or not told or fault.before is None:
        return None
    for text, state in _readings(rules, fault.before, told[0]):
        row = _row(fault, letter, text, state)
        try:
            replayed(game, rules, [*turns[: row.number - 1], row, *turns[row.number - 1 :]])
        except BrokenGame:
            continue
        return Repair(Clue.LETTER, _insert(row))
    return None


def _row(fault: Fault, letter: OutboxRow, text: str, after: State) -> Turn:
    assert fault.before is not None
    return Turn(
        game_id=fault.game,
        number=fault.turn,
        seat=fault.before.to_move,
        text=text,
        written=text,
        checksum=after.checksum,
        played_at=letter.created_at,
        intake_id=letter.intake_id,
    )


def _insert(row: Turn) -> str:
    assert row.played_at is not None
    values = {
        "game_id": str(row.game_id),
        "number": str(row.number),
        "seat": str(int(row.seat)),
        "text": _quoted(row.text),
        "written": _quoted(row.written),
        "checksum": _quoted(row.checksum or ""),
        "played_at": _quoted(f"{row.played_at:%Y-%m-%d %H:%M:%S.%f+00}"),
        "intake_id": "NULL" if row.intake_id is None else str(row.intake_id),
    }
    return f"INSERT INTO turn ({', '.join(values)}) VALUES ({', '.join(values.values())});"


def _update(fault: Fault, clue: Clue, column: str, value: str) -> Repair:
    where = " AND ".join(f"{name} = {number}" for name, number in fault.place.key.items())
    return Repair(clue, f"UPDATE {fault.place.table} SET {column} = {value} WHERE {where};")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
