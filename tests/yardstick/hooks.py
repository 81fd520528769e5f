"""The ways in which tests reach the service besides its mails, and the steps that they are written down as."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Engine, text
from sqlmodel import Session

from takmail.console import letters as console_letters
from takmail.console import mails as console_mails
from takmail.forgetter import Forgetter
from takmail.keeper import Keeper
from takmail.service import rulings
from takmail.service.desk import Desk
from takmail.service.letters import bounces
from takmail.service.people import blocking
from takmail.service.rulings import Decision
from takmail.store import keeping, leaving
from takmail.store.tables import Player

Described = Callable[..., tuple[Session | Engine, Desk | None, dict[str, Any]]]


def _by(by: Decision) -> dict[str, str]:
    return {"who": by.who, "why": by.why}


def _tidied(keeper: Keeper) -> dict[str, Any]:
    return {"do": "tidy", "at": keeper._clock().isoformat(), "days": keeper._days.days}


def _place(session: Session, number: int | None) -> int:
    """The place of a letter among all, counted from 1."""
    found = session.execute(text("SELECT count(*) FROM outbox WHERE id <= :number"), {"number": number})
    return int(found.scalar_one())


def _address(session: Session, player: Player) -> str:
    found = session.execute(
        text("SELECT address FROM address WHERE player_id = :number ORDER BY address LIMIT 1"),
        {"number": player.id},
    )
    return str(found.scalar_one_or_none())


def _of_game(do: str) -> Described:
    return lambda desk, session, game, by: (session, desk, {"do": do, "game": game, **_by(by)})


def _of_player(do: str) -> Described:
    return lambda desk, session, player, by: (
        session,
        desk,
        {"do": do, "player": _address(session, player), **_by(by)},
    )


HOOKS: tuple[tuple[Any, str, Described], ...] = (
    (Keeper, "work", lambda it: (it._store.engine, None, _tidied(it))),
    (Forgetter, "work", lambda it: (it._store.engine, None, {"do": "erase"})),
    (rulings, "adjourn", _of_game("adjourn")),
    (rulings, "resume", _of_game("resume")),
    (
        rulings,
        "end",
        lambda desk, session, game, ruling, by: (
            session,
            desk,
            {"do": "end", "game": game, "ruling": str(ruling), **_by(by)},
        ),
    ),
    (blocking, "block", _of_player("block")),
    (blocking, "unblock", _of_player("unblock")),
    (
        blocking,
        "merge",
        lambda desk, session, player, into, by: (
            session,
            desk,
            {"do": "merge", "player": _address(session, player), "into": _address(session, into), **_by(by)},
        ),
    ),
    (
        bounces,
        "came_back",
        lambda desk, session, letter, reason, _mail=None: (
            session,
            desk,
            {"do": "came back", "letter": _place(session, letter.id), "reason": reason},
        ),
    ),
    (
        leaving,
        "claim",
        lambda session, now, _by="", most=1: (
            session,
            None,
            {"do": "claim", "at": now.isoformat(), "most": most},
        ),
    ),
    (
        leaving,
        "sent",
        lambda session, numbers: (
            session,
            None,
            {"do": "sent", "letters": [_place(session, one) for one in numbers]},
        ),
    ),
    (
        leaving,
        "failed",
        lambda session, number, error: (
            session,
            None,
            {"do": "failed", "letter": _place(session, number), "error": error},
        ),
    ),
    (
        leaving,
        "later",
        lambda session, number, due, attempts, error: (
            session,
            None,
            {
                "do": "later",
                "letter": _place(session, number),
                "due": due.isoformat(),
                "attempts": attempts,
                "error": error,
            },
        ),
    ),
    (
        keeping,
        "drop_questions",
        lambda session, before: (session, None, {"do": "drop questions", "before": before.isoformat()}),
    ),
    (
        console_mails,
        "requeue",
        lambda store, desk, numbers, is_persons: (
            store.engine,
            desk,
            {"do": "requeue", "mails": [*numbers], "is_persons": is_persons},
        ),
    ),
    (
        console_letters,
        "retry",
        lambda store, desk, numbers: (store.engine, desk, {"do": "retry", "letters": [*numbers]}),
    ),
    (
        console_letters,
        "drop",
        lambda store, desk, numbers, by: (
            store.engine,
            desk,
            {"do": "drop", "letters": [*numbers], **_by(by)},
        ),
    ),
)
"""What tests call, and how a call is written down: whose database it is about, the desk if it has one, the step."""
