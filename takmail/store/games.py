"""Games, who sits in them, their turns, and what waits to be said or answered in them."""

from collections.abc import Collection, Iterable, Sequence
from functools import reduce
from operator import add as plus
from typing import Any

import sqlalchemy
from sqlalchemy import BindParameter, String, bindparam, case, cast, func
from sqlmodel import Session, col, delete, select

from takmail.store import disputes, players
from takmail.store.beside import beside
from takmail.store.quick import few, insert, run
from takmail.store.remember import forget, remembered
from takmail.store.tables import (
    RUNNING,
    Address,
    GameRow,
    Offer,
    Player,
    Question,
    Ruling,
    SeatRow,
    Standing,
    TakenBack,
    TakenBackTurn,
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
_COLUMNS = [getattr(TurnRow, name) for name in Turn._fields if name != "played_at"]
_TURNS = (
    sqlalchemy.select(*_COLUMNS)
    .where(col(TurnRow.game_id) == _OF_GAME, col(TurnRow.number) > bindparam("after"))
    .order_by(col(TurnRow.number))
)
_DIGEST: Sequence[Any] = (
    cast(TurnRow.number, String),
    " ",
    cast(TurnRow.seat, String),
    case((col(TurnRow.is_agreed), " agreed "), else_=" "),
    func.coalesce(TurnRow.checksum, "?"),
    " ",
    func.coalesce(cast(TurnRow.intake_id, String), "?"),
    ": ",
    TurnRow.text,
    " / ",
    TurnRow.written,
    "\n",
)
"""What `digest` says of a turn, made by the database."""
_OF_TURNS = (
    sqlalchemy.select(reduce(plus, _DIGEST).label("of_turn"))
    .where(col(TurnRow.game_id) == _OF_GAME)
    .order_by(col(TurnRow.number))
    .subquery()
)
_DIGESTS = sqlalchemy.select(func.aggregate_strings(_OF_TURNS.c.of_turn, ""))
_TEXTS = (
    select(TurnRow.game_id, TurnRow.text)
    .where(col(TurnRow.game_id).in_(bindparam("games", expanding=True)))
    .order_by(col(TurnRow.game_id), col(TurnRow.number))
)
_OF_GAMES: Any = _TEXTS.subquery().c
_TEXTS_IN_ONE = sqlalchemy.select(_OF_GAMES.game_id, func.aggregate_strings(_OF_GAMES.text, "\n")).group_by(
    _OF_GAMES.game_id
)
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
    sqlalchemy.select(*(getattr(TakenBack, name) for name in TakenBackTurn._fields))
    .where(col(TakenBack.game_id) == _OF_GAME)
    .order_by(col(TakenBack.branch), col(TakenBack.number))
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


def running_of(session: Session, numbers: Collection[int]) -> frozenset[int]:
    """Which of these games run, or wait for an answer."""
    runs = col(GameRow.standing).in_((Standing.INVITED, *RUNNING))
    query = select(GameRow.id).where(col(GameRow.id).in_(numbers), runs)
    return frozenset(number for number in session.exec(query) if number is not None)


def every(session: Session) -> Sequence[GameRow]:
    """All games, by number."""
    return session.exec(select(GameRow).order_by(col(GameRow.id))).all()


def turns(session: Session, number: int, after: int = -LARGEST) -> Sequence[Turn]:
    """The turns of a game with higher numbers than `after`, in the order that they were played."""
    rows: Iterable[Any] = run(session, _TURNS, game=number, after=after).all()
    return [Turn(*row) for row in rows]


def digests(session: Session, number: int) -> str:
    """The digests of all turns of a game, one behind the other; the database makes it far faster than it gives rows."""
    return run(session, _DIGESTS, game=number).scalar_one() or ""


def digest(turn: Turn) -> str:
    """All that is stored of a turn but its date, in one text."""
    agreed = " agreed " if turn.is_agreed else " "
    checksum = "?" if turn.checksum is None else turn.checksum
    mail = "?" if turn.intake_id is None else turn.intake_id
    return f"{turn.number} {int(turn.seat)}{agreed}{checksum} {mail}: {turn.text} / {turn.written}\n"


def texts(session: Session, number: int) -> list[str]:
    """The turns of a game as text, in the order that they were played."""
    rows: Iterable[Any] = run(session, _TEXTS, games=[number])
    return [row.text for row in rows]


def texts_in_one(session: Session, numbers: Sequence[int]) -> dict[int, str]:
    """All turns of several games as one text each, to tell whether any of them has changed; no key for one without."""
    found: dict[int, str] = {}
    for start in range(0, len(numbers), _AT_ONCE):
        rows: Iterable[Any] = run(session, _TEXTS_IN_ONE, games=numbers[start : start + _AT_ONCE])
        found.update((number, text) for number, text in rows)
    return found


def add_turn(session: Session, turn: Turn) -> None:
    """Append a turn, which ends all disputes; raises sqlalchemy's IntegrityError if it was played meanwhile."""
    assert turn.played_at is not None
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


def taken_back(session: Session, number: int) -> Sequence[TakenBackTurn]:
    """The turns of a game that were taken back, by branch, and of each the first turn first."""
    if not beside(session, number).given_up:
        return []
    rows: Iterable[Any] = run(session, _TAKEN_BACK, game=number).all()
    return [TakenBackTurn(*row) for row in rows]
