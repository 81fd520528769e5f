"""Games, who sits in them, their turns, and what waits to be said or answered in them."""

from collections.abc import Iterable, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any

import sqlalchemy
from sqlalchemy import BindParameter, bindparam, exists, or_
from sqlmodel import Session, col, delete, select, update

from takmail.store import disputes, players
from takmail.store.beside import beside
from takmail.store.quick import few, insert, run
from takmail.store.remember import forget, remembered
from takmail.store.tables import (
    RUNNING,
    Address,
    Chat,
    GameRow,
    Offer,
    Player,
    Question,
    QuestionKind,
    Ruling,
    SeatRow,
    Standing,
    TakenBack,
    Turn,
    TurnRow,
)
from takmail.store.tables.kinds import LARGEST

_OF_GAME: BindParameter[int] = bindparam("game")
_LOCKED = (
    select(GameRow)
    .where(col(GameRow.id) == _OF_GAME)
    .with_for_update()
    .execution_options(populate_existing=True)  # what another process has just changed is seen
)
_SEATS = select(SeatRow.player_id).where(col(SeatRow.game_id) == _OF_GAME).order_by(col(SeatRow.seat))
_PEOPLE = (
    select(SeatRow.seat, Player, Address)
    .join(Player, col(Player.id) == SeatRow.player_id)
    .outerjoin(Address, col(Address.player_id) == Player.id)
    .where(col(SeatRow.game_id) == _OF_GAME)
    .order_by(col(SeatRow.seat), col(Address.address))
)
_OF_PLAYER = (
    select(GameRow)
    .join(SeatRow)
    .where(
        col(SeatRow.player_id) == bindparam("player"),
        col(GameRow.standing).in_(bindparam("standings", expanding=True)),
    )
    .order_by(col(GameRow.id))
)
_COLUMNS = [getattr(TurnRow, one.name) for one in fields(Turn)]
_TURNS = sqlalchemy.select(*_COLUMNS).where(col(TurnRow.game_id) == _OF_GAME).order_by(col(TurnRow.number))
_NEW_TURN = sqlalchemy.insert(TurnRow)
_PLAYED_BY = (
    select(TurnRow.game_id, TurnRow.number)
    .where(col(TurnRow.intake_id) == bindparam("mail"))
    .order_by(col(TurnRow.game_id), col(TurnRow.number))
)
_OFFERS = (
    select(Offer).where(col(Offer.game_id) == _OF_GAME, col(Offer.ended).is_(None)).order_by(col(Offer.id))
)
_TAKEN_BACK = (
    select(TakenBack)
    .where(col(TakenBack.game_id) == _OF_GAME)
    .order_by(col(TakenBack.branch), col(TakenBack.number))
)
_OF_SEAT = (col(Question.game_id) == _OF_GAME, col(Question.seat) == bindparam("seat"))
_QUESTIONS = (
    select(Question).where(*_OF_SEAT, col(Question.kind) == bindparam("kind")).order_by(col(Question.id))
)
_DROP = (
    delete(Question)
    .where(*_OF_SEAT, col(Question.kind).in_(bindparam("kinds", expanding=True)))
    .execution_options(synchronize_session=False)
)
_DROP_ANSWERED = (
    delete(Question)
    .where(
        col(Question.game_id) == _OF_GAME,
        or_(col(Question.seat) == bindparam("seat"), col(Question.kind) == bindparam("resign")),
    )
    .execution_options(synchronize_session=False)
)
_WAITING_WORDS = (
    select(Chat.words)
    .where(
        col(Chat.game_id) == _OF_GAME,
        col(Chat.seat) == bindparam("seat"),
        col(Chat.letter_id).is_(None),
    )
    .order_by(col(Chat.id))
)

_AT_ONCE = 500
"""Games that one query asks for: databases bound how many values it may hold."""


def add(session: Session, game: GameRow, seats: tuple[int, int]) -> int:
    """Store a new game with the players of its two seats, first seat first; gives its number."""
    session.add(game)
    session.flush()
    assert game.id is not None
    for seat, player_id in enumerate(seats):
        session.add(SeatRow(game_id=game.id, seat=seat, player_id=player_id))
    session.flush()
    return game.id


def get(session: Session, number: int, *, lock: bool = False) -> GameRow | None:
    """The game with this number, if there is one; with `lock` no other process changes it meanwhile."""
    if number > LARGEST:
        return None
    if not lock:
        return session.get(GameRow, number)
    forget(session)
    return session.exec(_LOCKED, params={"game": number}).one_or_none()


def seats(session: Session, number: int) -> tuple[int, int]:
    """The players of a game, first seat first."""
    first, second = session.exec(_SEATS, params={"game": number}).all()
    return first, second


def people(session: Session, number: int) -> Sequence[tuple[Player, bool]]:
    """The players of a game, first seat first, and whether each has left for good: who has, has no address."""
    return remembered(session, (SeatRow, number), lambda: _people(session, number))


def _people(session: Session, number: int) -> Sequence[tuple[Player, bool]]:
    found: tuple[list[Address], list[Address]] = ([], [])
    seated: dict[int, Player] = {}
    for seat, player, address in session.exec(_PEOPLE, params={"game": number}):
        seated[seat] = player
        found[seat].extend([address] if address is not None else [])
    for seat, player in seated.items():
        players.remember(session, players.number(player), found[seat])
    return [(seated[seat], not found[seat]) for seat in range(2)]


def of_player(session: Session, player_id: int, standings: Sequence[Standing]) -> Sequence[GameRow]:
    """The games that a player sits in, in the given standings, by number."""
    return few(session, _OF_PLAYER, player=player_id, standings=list(standings))


def was_asked(session: Session, player_id: int) -> bool:
    """Whether a player has ever got an invitation."""
    query = (
        select(GameRow.id)
        .join(SeatRow)
        .where(
            SeatRow.player_id == player_id,
            GameRow.invited_by != player_id,
            col(GameRow.asked_at).is_not(None),
        )
    )
    return session.exec(query.limit(1)).first() is not None


def rematch(session: Session, number: int) -> GameRow | None:
    """The game that follows on a finished one, unless it was declined."""
    query = select(GameRow).where(GameRow.rematch_of == number, GameRow.standing != Standing.DECLINED)
    return session.exec(query.limit(1)).first()


def running_numbers(session: Session) -> frozenset[int]:
    """The numbers of all games that run, or wait for an answer."""
    query = select(GameRow.id).where(col(GameRow.standing).in_((Standing.INVITED, *RUNNING)))
    return frozenset(number for number in session.exec(query) if number is not None)


def every(session: Session) -> Sequence[GameRow]:
    """All games, by number."""
    return session.exec(select(GameRow).order_by(col(GameRow.id))).all()


def turns(session: Session, number: int) -> Sequence[Turn]:
    """The turns of a game in the order that they were played."""
    rows: Iterable[Any] = run(session, _TURNS, game=number)
    return [Turn(*row) for row in rows]


def texts(session: Session, numbers: Sequence[int]) -> dict[int, list[str]]:
    """The turns of several games as text, in the order that they were played; no key for a game without any."""
    found: dict[int, list[str]] = {}
    for start in range(0, len(numbers), _AT_ONCE):
        some = numbers[start : start + _AT_ONCE]
        query = select(TurnRow.game_id, TurnRow.text).where(col(TurnRow.game_id).in_(some))
        for number, text in session.exec(query.order_by(col(TurnRow.game_id), col(TurnRow.number))):
            found.setdefault(number, []).append(text)
    return found


def add_turn(session: Session, turn: Turn) -> None:
    """Append a turn, which ends all disputes; raises sqlalchemy's IntegrityError if it was played meanwhile."""
    disputes.end(session, turn.game_id, turn.played_at)
    insert(session, _NEW_TURN, turn)


def played_by(session: Session, intake_id: int | None) -> tuple[tuple[int, int], ...]:
    """The turns that a mail has played, by game and number."""
    return tuple((one.game_id, one.number) for one in run(session, _PLAYED_BY, mail=intake_id))


def end(
    session: Session,
    game: GameRow,
    score: str | None,
    *,
    resigned: int | None = None,
    ruling: Ruling | None = None,
) -> None:
    """Note that a game is over, and if it was not played out, how; what was asked and offered in it is moot."""
    game.standing, game.score, game.resigned, game.ruling = Standing.OVER, score, resigned, ruling
    session.add(game)
    assert game.id is not None
    session.exec(delete(Question).where(col(Question.game_id) == game.id))
    session.exec(delete(Offer).where(col(Offer.game_id) == game.id))
    session.flush()


def offers(session: Session, number: int) -> Sequence[Offer]:
    """The offers in a game of which nothing has come yet, oldest first."""
    if not beside(session, number).offers:
        return []
    return session.exec(_OFFERS, params={"game": number}).all()


def taken_back(session: Session, number: int) -> Sequence[TakenBack]:
    """The turns of a game that were taken back, by branch, and of each the first turn first."""
    if not beside(session, number).given_up:
        return []
    return session.exec(_TAKEN_BACK, params={"game": number}).all()


def questions(session: Session, number: int, seat: int, kind: QuestionKind) -> Sequence[Question]:
    """The questions of a kind that are open to a seat, oldest first."""
    if not beside(session, number).questions:
        return []
    return session.exec(_QUESTIONS, params={"game": number, "seat": seat, "kind": kind}).all()


def ask(session: Session, question: Question) -> None:
    """Open a question to a seat."""
    session.add(question)
    session.flush()
    forget(session)


def asked_in(session: Session, number: int, seat: int, letter: int) -> None:
    """Note which letter asks a seat whether it means to resign."""
    for one in questions(session, number, seat, QuestionKind.RESIGN):
        one.letter_id = letter
        session.add(one)
    session.flush()


def drop_question(session: Session, question: Question) -> None:
    """Close one question."""
    session.delete(question)
    session.flush()


def drop_questions(session: Session, number: int, seat: int, *kinds: QuestionKind) -> None:
    """Close what was asked of a seat: the kinds given, or all."""
    if beside(session, number).questions:
        run(session, _DROP, game=number, seat=seat, kinds=kinds or tuple(QuestionKind))


def drop_answered(session: Session, number: int, seat: int) -> None:
    """Close what was asked of a seat that has played a turn, and whether the other one gives up the game as it was."""
    if beside(session, number).questions:
        run(session, _DROP_ANSWERED, game=number, seat=seat, resign=QuestionKind.RESIGN)


def say(session: Session, number: int, seat: int, words: str, now: datetime) -> None:
    """Keep words for the opponent until a letter brings them; words that already wait are not doubled."""
    if words not in waiting_words(session, number, seat):
        session.add(Chat(game_id=number, seat=seat, words=words, said_at=now))
        session.flush()
        forget(session)


def waiting_words(session: Session, number: int, seat: int) -> Sequence[str]:
    """What a seat has said and no letter has brought yet, oldest first."""
    if not beside(session, number).words:
        return []
    return session.exec(_WAITING_WORDS, params={"game": number, "seat": seat}).all()


def drop_waiting_words(session: Session, player_id: int, *, reader: int | None = None) -> None:
    """Forget what a player has said in any game, or in those with `reader`, and no letter has brought yet."""
    is_theirs = exists().where(
        col(SeatRow.game_id) == Chat.game_id,
        col(SeatRow.seat) == Chat.seat,
        col(SeatRow.player_id) == player_id,
    )
    query = delete(Chat).where(col(Chat.letter_id).is_(None), is_theirs)
    if reader is not None:
        query = query.where(
            exists().where(col(SeatRow.game_id) == Chat.game_id, col(SeatRow.player_id) == reader)
        )
    session.exec(query)
    session.expire_all()


def last_words_brought(session: Session, number: int, seat: int) -> str | None:
    """The newest words of a seat that a letter has brought, if any have been."""
    query = select(Chat.words).where(
        Chat.game_id == number, Chat.seat == seat, col(Chat.letter_id).is_not(None)
    )
    return session.exec(query.order_by(col(Chat.id).desc()).limit(1)).first()


def words_brought(session: Session, number: int, seat: int, letter_id: int) -> None:
    """Note that a letter brings all that a seat had said."""
    session.exec(
        update(Chat)
        .where(col(Chat.game_id) == number, col(Chat.seat) == seat, col(Chat.letter_id).is_(None))
        .values(letter_id=letter_id)
    )
