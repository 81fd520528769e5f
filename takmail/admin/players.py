"""Show players to the operator, and rule on them."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session

from takmail.commands import events as ev
from takmail.commands.context import Context
from takmail.commands.game.table import title_of
from takmail.commands.kinds import RUNNING, Standing
from takmail.commands.records import GameNumber, GameRecord, Player
from takmail.mail.address import normal_address
from takmail.pipeline import rulings
from takmail.pipeline.rulings import CannotRule, Events, OperatorNote
from takmail.pipeline.values import Outcome
from takmail.store import games, operator_log, people
from takmail.store import merge as store_merge
from takmail.store.causes import Causes, new_cause, with_retries
from takmail.store.database import Store


@dataclass(frozen=True, slots=True)
class Listed:
    """A player in a list, and how many games of theirs are running."""

    player: Player
    running: int


@dataclass(frozen=True, slots=True)
class Seated:
    """A game of a player."""

    record: GameRecord
    title: str
    opponent: str


@dataclass(frozen=True, slots=True)
class AffectedGames:
    """The games that a ruling about a player has adjourned, resumed or withdrawn, and the letters about it.

    The `untold` ones are corrupt, so that no letter can show them.
    """

    games: tuple[int, ...]
    untold: tuple[int, ...]
    withdrawn: tuple[int, ...]
    letters: Sequence[object]


def list_players(store: Store, causes: Causes) -> str:
    """Return the list of all players, by number."""
    with store.transaction() as session:
        listed = [
            Listed(one, len(games.of_player(session, one.id, RUNNING))) for one in people.every(session)
        ]
    return causes.services.templates.page("console/players.txt", players=listed)


def show_player(store: Store, causes: Causes, said: str) -> str:
    """Return a page about a player, found by number, name or address. Raises CannotRule."""
    with store.transaction() as session:
        player, queries = find(session, said), causes.queries(session, causes.clock())
        seated = games.of_player(session, player.id, tuple(Standing))
        return causes.services.templates.page(
            "console/player.txt",
            player=player,
            games=[_seated(session, causes, record, player) for record in seated],
            seeks=[one for one in queries.seeks() if one.player == player.id],
            blocks=[one.name for one in queries.blocked_by(player.id)],
            log=operator_log.of_player(session, player.id),
        )


def block(store: Store, causes: Causes, said: str, by: OperatorNote, *, undo: bool) -> str:
    """Block a player, or with `undo` unblock them. Return a page about it. Raises CannotRule."""
    cause = new_cause("a ruling about a player", causes.clock())

    def rule(session: Session) -> str:
        player = find(session, said)
        adjourned = games.of_player(session, player.id, (Standing.ADJOURNED,)) if undo else ()
        of_blocks = operator_log.adjourned_for_a_block(session, [one.number for one in adjourned])

        def decide(context: Context) -> Events:
            if undo:
                return rulings.readmit(context, player, by, of_blocks)
            return rulings.bar(context, player, by)

        outcome = causes.decide(session, cause, decide, players=(player.id,))
        return causes.services.templates.page(
            "console/blocked.txt",
            player=player,
            is_blocked=not undo,
            touched=_touched(outcome),
        )

    return with_retries(store, rule)


def merge(store: Store, causes: Causes, source: str, into: str, by: OperatorNote) -> str:
    """Merge two players. Returns and raises as `block` does."""
    cause = new_cause("a merger of players", causes.clock())

    def rule(session: Session) -> str:
        one, other = find(session, source), find(session, into)
        shared = tuple(GameNumber(number) for number in store_merge.shared_games(session, one.id, other.id))
        causes.decide(
            session,
            cause,
            lambda context: rulings.merge(context, one, other, by, shared),
            players=(one.id, other.id),
        )
        merged = people.load(session, [other.id]).players[other.id]
        return causes.services.templates.page("console/merged.txt", gone=one.id, player=merged)

    return with_retries(store, rule)


def find(session: Session, said: str) -> Player:
    """Find a player by number, by name in any case, or by address. Raises CannotRule."""
    if "@" in said:
        found = list(people.load(session, (), normal_address(said)).players.values())
    elif said.isdecimal():
        found = [one for one in people.every(session) if one.id == int(said)]
    else:
        found = [one for one in people.every(session) if one.name.casefold() == said.strip().casefold()]
    if not found:
        raise CannotRule("no_player", said=said)
    if len(found) > 1:
        raise CannotRule("many_players", said=said, numbers=[one.id for one in found])
    return found[0]


def _touched(outcome: Outcome) -> AffectedGames:
    """Return the games that a ruling has affected. Each game that can be shown has at least one letter."""
    adjourned_or_on = (ev.GameAdjourned, ev.GameResumed)
    touched = tuple(one.game for one in outcome.events if isinstance(one, adjourned_or_on))
    told = {one.game for one in outcome.letters}
    withdrawn = tuple(one.game for one in outcome.events if isinstance(one, ev.InvitationWithdrawn))
    untold = tuple(one for one in touched if one not in told)
    return AffectedGames(touched, untold, withdrawn, outcome.letters)


def _seated(session: Session, causes: Causes, record: GameRecord, you: Player) -> Seated:
    opponent = record.seats[record.seat_of(you.id).other]
    rules = causes.services.games.rules(record.kind, is_relay=record.is_relay)
    other = people.load(session, [opponent]).players[opponent]
    return Seated(record, title_of(rules, record.setup), other.name)
