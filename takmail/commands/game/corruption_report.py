"""Write the report that the operator needs to repair a corrupt game."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from takmail.commands.game.corruption import CorruptGameError, Corruption, CorruptionKind
from takmail.commands.game.replay import replayed
from takmail.commands.game.table import Corrupt
from takmail.commands.grammar.commands import Play
from takmail.commands.grammar.line_reader import in_game
from takmail.commands.grammar.understand import understand
from takmail.commands.kinds import OfferEnd, Standing
from takmail.commands.records import DisputeEvidence, Turn
from takmail.games.interface import Game, Refused, State
from takmail.games.registry import Games


class Evidence(StrEnum):
    """What a repair is derived from.

    * `written`: what the player typed
    * `letter`: a stored letter
    * `seat`: whose turn it was
    * `text`: the canonical text of the turn
    * `offer`: no evidence is needed to close an offer, because its maker can repeat it
    """

    WRITTEN = "written"
    LETTER = "letter"
    SEAT = "seat"
    TEXT = "text"
    OFFER = "offer"


@dataclass(frozen=True, slots=True)
class Repair:
    """An SQL statement that repairs a faulty row. `clue` is what it is derived from."""

    clue: Evidence
    statement: str


@dataclass(frozen=True, slots=True)
class CorruptionReport:
    """The data about a corrupt game that the operator gets.

    * `rows` are the rows of two boards, side by side. The left one is the board of the replay. The right one is from
      the newest letter that shows the board after the faulty turn. The rows of a missing board are ''. If the fault
      does not affect the board, `rows` is empty.
    * `has_letter`: a stored letter shows the board
    * `mail` is the mail that played the turn, and `kept` are the mails that wait for the game
    * `repair` is None if only a person can find out the original value
    """

    fault: Corruption
    standing: Standing
    is_frozen: bool
    rows: tuple[tuple[str, str], ...]
    has_letter: bool
    mail: int | None
    kept: tuple[int, ...]
    repair: Repair | None


def corruption_report(
    games: Games, game: Corrupt, evidence: DisputeEvidence, *, is_frozen: bool
) -> CorruptionReport:
    """Return the report on a corrupt game."""
    fault = game.fault
    is_of_turns = fault.place.table in ("turn", "game")
    letter = _board_in_a_letter(game, evidence) if is_of_turns else ()
    state = fault.after or fault.before
    is_about_the_board = fault.flaw not in (CorruptionKind.SEAT, CorruptionKind.AGREED)
    replay = state.board() if state is not None else ()
    return CorruptionReport(
        fault=fault,
        standing=game.record.standing,
        is_frozen=is_frozen,
        rows=_side_by_side(replay, letter) if is_about_the_board else (),
        has_letter=bool(letter),
        mail=_mail_of_turn(fault, evidence) if is_of_turns else None,
        kept=evidence.waiting_mails,
        repair=_repair(games, game, evidence, letter),
    )


def _mail_of_turn(fault: Corruption, evidence: DisputeEvidence) -> int | None:
    """Return the mail that played the faulty turn, even if the turn's row is lost."""
    turn = next((one for one in evidence.turns if one.number == fault.turn), None)
    return evidence.mail if turn is None else turn.mail


def _board_in_a_letter(game: Corrupt, evidence: DisputeEvidence) -> tuple[str, ...]:
    """Return the board after the faulty turn from a stored letter, () if no letter shows it."""
    fault = game.fault
    for letter in evidence.letters:
        is_of_turn = fault.flaw == CorruptionKind.SETUP or letter.turn == fault.turn
        boards = game.rules.boards_in(letter.text.splitlines()) if is_of_turn else ()
        if len(boards) == 1:  # of several boards, it is unclear which one is the game's
            return game.rules.rows(boards[0].text)
    return ()


def _side_by_side(ours: Sequence[str], theirs: Sequence[str]) -> tuple[tuple[str, str], ...]:
    width = max((len(row) for row in ours), default=0)
    height = max(len(ours), len(theirs))
    filled = [(*one, *[""] * (height - len(one))) for one in (ours, theirs)]
    return tuple((left.ljust(width), right) for left, right in zip(*filled, strict=True))


def _repair(games: Games, game: Corrupt, evidence: DisputeEvidence, letter: Sequence[str]) -> Repair | None:
    """Return the repair of a fault, None if the original value cannot be derived from stored data.

    `letter` is the board after the turn as a letter shows it, () if no letter does.
    """
    rules, fault = game.rules, game.fault
    match fault.flaw, fault.place.table:
        case CorruptionKind.ILLEGAL | CorruptionKind.OTHER, _:
            return _repair_text(games, rules, fault) or _repair_checksum(fault, letter)
        case CorruptionKind.SEAT, _ if fault.before is not None and not rules.is_agreement(fault.text):
            return _update(fault, Evidence.SEAT, "seat", str(int(fault.before.to_move)))
        case CorruptionKind.AGREED, _:
            return _update(fault, Evidence.TEXT, "is_agreed", str(rules.is_agreement(fault.text)).lower())
        case CorruptionKind.UNREADABLE, "offer":
            return _update(fault, Evidence.OFFER, "ended", _quoted(OfferEnd.LAPSED))
        case CorruptionKind.MISSING, "turn":
            return _repair_missing(games, game, evidence)
        case _:
            return None


def _repair_text(games: Games, rules: Game, fault: Corruption) -> Repair | None:
    """Restore the turn from what the player typed, if the typed turn leads to the stored checksum."""
    for text, state in _readings(games, rules, fault.before, fault.written):
        if fault.stored in (None, state.checksum) and text != fault.text:
            return _update(fault, Evidence.WRITTEN, "text", _quoted(text))
    return None


def _readings(games: Games, rules: Game, before: State | None, written: str) -> Iterator[tuple[str, State]]:
    """Yield the legal turns that a typed line can be parsed as, each with the state after it."""
    if before is None:
        return
    found = understand(written, in_game(games, rules, before), question_open=False)
    texts = [one.command.text for one in found.orders if isinstance(one.command, Play)]
    for text in texts or [written]:
        try:
            yield text, before.play(text)
        except Refused:
            continue


def _repair_checksum(fault: Corruption, letter: Sequence[str]) -> Repair | None:
    """Restore the checksum from the board after the turn, if a letter shows the same board."""
    if fault.after is None or _spots(letter) != _spots(fault.after.board()):
        return None
    return _update(fault, Evidence.LETTER, "checksum", _quoted(fault.after.checksum))


def _spots(rows: Sequence[str]) -> list[list[str]]:
    return [row.split() for row in rows]


def _repair_missing(games: Games, game: Corrupt, evidence: DisputeEvidence) -> Repair | None:
    """Restore the lost row of a turn from a letter that reports it, if the game can be replayed with that turn."""
    fault, letter, at = game.fault, evidence.report, evidence.reported_at
    reported = letter.text.splitlines()[:1] if letter is not None else []
    if letter is None or at is None or not reported or fault.before is None:
        return None
    for text, state in _readings(games, game.rules, fault.before, reported[0]):
        turn = Turn(
            fault.turn,
            fault.before.to_move,
            text,
            text,
            letter.version or 0,
            checksum=state.checksum,
            mail=evidence.report_mail,
        )
        before = fault.turn - 1
        try:
            replayed(game.record, game.rules, [*evidence.turns[:before], turn, *evidence.turns[before:]])
        except CorruptGameError:
            continue
        return Repair(Evidence.LETTER, _insert(fault, turn, at))
    return None


def _insert(fault: Corruption, turn: Turn, at: datetime) -> str:
    values = {
        "game_id": str(fault.game),
        "number": str(turn.number),
        "version": str(turn.version),
        "seat": str(int(turn.seat)),
        "text": _quoted(turn.text),
        "written": _quoted(turn.written),
        "checksum": _quoted(turn.checksum or ""),
        "played_at": _quoted(f"{at:%Y-%m-%d %H:%M:%S.%f+00}"),
        "mail_id": "NULL" if turn.mail is None else str(turn.mail),
    }
    return f"INSERT INTO turn ({', '.join(values)}) VALUES ({', '.join(values.values())});"


def _update(fault: Corruption, clue: Evidence, column: str, value: str) -> Repair:
    where = " AND ".join(f"{name} = {number}" for name, number in fault.place.key.items())
    return Repair(clue, f"UPDATE {fault.place.table} SET {column} = {value} WHERE {where};")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
