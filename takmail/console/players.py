"""What the operator sees of people, and decides about them."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session

from takmail.mail.address import normal_address
from takmail.render.templates import Templates
from takmail.service.desk import Desk
from takmail.service.game.title import title_of
from takmail.service.people import blocking
from takmail.service.people.blocking import Touched
from takmail.service.rulings import CantRule, Decision
from takmail.service.trust.identify import game_number
from takmail.store import games, log, players, seeks
from takmail.store.database import Store
from takmail.store.tables import RUNNING, Address, GameRow, Player, Standing


@dataclass(frozen=True, slots=True)
class Mailbox:
    """An address with what keeps letters from it, if anything does."""

    row: Address
    rests: bool


@dataclass(frozen=True, slots=True)
class Listed:
    """A player as a line of the list."""

    player: Player
    mailboxes: tuple[Mailbox, ...]
    running: int


@dataclass(frozen=True, slots=True)
class Seated:
    """A game of a player's."""

    row: GameRow
    title: str
    opponent: str


def list_players(store: Store, templates: Templates) -> str:
    """A line for each player, by number."""
    with store.transaction() as session:
        listed = [
            Listed(one, _mailboxes(session, one), len(games.of_player(session, players.number(one), RUNNING)))
            for one in players.every(session)
        ]
        return templates.page("console/players.txt", players=listed)


def show_player(store: Store, templates: Templates, said: str) -> str:
    """All that is known of a player, who is named by number, name or address; raises CantRule."""
    with store.transaction() as session:
        player = find(session, said)
        number = players.number(player)
        return templates.page(
            "console/player.txt",
            player=player,
            mailboxes=_mailboxes(session, player),
            games=[
                _seated(session, row, number) for row in games.of_player(session, number, tuple(Standing))
            ],
            seeks=seeks.of_player(session, number),
            blocks=[one.name for one in players.blocked_by(session, number)],
            log=log.of_player(session, number),
        )


def block(store: Store, desk: Desk, said: str, by: Decision, *, undo: bool) -> str:
    """Block a player, or let them write again; gives what there is to say of it, raises CantRule."""
    with store.transaction() as session:
        player = find(session, said)
        touched: Touched = (blocking.unblock if undo else blocking.block)(desk, session, player, by)
        return desk.templates.page("console/blocked.txt", player=player, touched=touched)


def merge(store: Store, desk: Desk, source: str, into: str, by: Decision) -> str:
    """Make one player of two; gives and raises as `block` does."""
    with store.transaction() as session:
        one, other = find(session, source), find(session, into)
        gone = players.number(one)
        blocking.merge(desk, session, one, other, by)
        return desk.templates.page(
            "console/merged.txt", gone=gone, player=other, mailboxes=_mailboxes(session, other)
        )


def find(session: Session, said: str) -> Player:
    """The player who is meant by a number, a name in any case of letters or an address; raises CantRule."""
    if "@" in said:
        player = players.by_address(session, normal_address(said))
        found: Sequence[Player] = [player] if player else []
    elif said.isdecimal():
        found = [one for one in players.every(session) if one.id == int(said)]
    else:
        found = [one for one in players.every(session) if one.name.casefold() == said.strip().casefold()]
    if not found:
        raise CantRule("no_player", said=said)
    if len(found) > 1:
        raise CantRule("many_players", said=said, numbers=[one.id for one in found])
    return found[0]


def _mailboxes(session: Session, player: Player) -> tuple[Mailbox, ...]:
    rows = players.mailboxes(session, players.number(player))
    return tuple(Mailbox(row, row.bounces >= players.MOST_BOUNCES) for row in rows)


def _seated(session: Session, row: GameRow, you: int) -> Seated:
    first, second = games.seats(session, game_number(row))
    other = players.get(session, second if first == you else first)
    return Seated(row, title_of(row), other.name)
