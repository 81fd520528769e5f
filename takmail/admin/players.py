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
    """A player in a list, and the number of the player's running games."""

    player: Player
    running: int


@dataclass(frozen=True, slots=True)
class Seated:
    """A game on the page about a player. `opponent` is the other player's name."""

    record: GameRecord
    title: str
    opponent: str


@dataclass(frozen=True, slots=True)
class AffectedGames:
    """The games that a ruling about a player has changed, and the letters about the ruling.

    * `games` were adjourned or resumed
    * `untold` are those of `games` whose players got no letter, because the game is corrupt
    * `withdrawn` are games whose invitation was withdrawn
    """

    games: tuple[int, ...]
    untold: tuple[int, ...]
    withdrawn: tuple[int, ...]
    letters: Sequence[object]


def list_players(store: Store, causes: Causes) -> str:
    """Return the list of all players as text, sorted by number."""
    with store.transaction() as session:
        listed = [
            Listed(one, len(games.of_player(session, one.id, RUNNING))) for one in people.every(session)
        ]
    return causes.services.templates.page("console/players.txt", players=listed)


def show_player(store: Store, causes: Causes, said: str) -> str:
    """Return a page about the player that `find` returns for `said`. Raises CannotRule."""
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
    """Block a player, or unblock the player with `undo`. Return a page about the ruling. Raises CannotRule."""
    cause = new_cause("a ruling about a player", causes.clock())

    def rule(session: Session) -> str:
        player = find(session, said)
        adjourned = games.of_player(session, player.id, (Standing.ADJOURNED,)) if undo else ()
        of_blocks = operator_log.adjourned_for_a_block(session, [one.number for one in adjourned])

        def decide(context: Context) -> Events:
            if undo:
                return rulings.unblock(context, player, by, of_blocks)
            return rulings.block(context, player, by)

        outcome = causes.decide(session, cause, decide, players=(player.id,))
        return causes.services.templates.page(
            "console/blocked.txt",
            player=player,
            is_blocked=not undo,
            touched=_touched(outcome),
        )

    return with_retries(store, rule)


def merge(store: Store, causes: Causes, source: str, into: str, by: OperatorNote) -> str:
    """Merge the player `source` into the player `into`, and return a page about the ruling. Raises CannotRule."""
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
    """Find a player by number, by name in any case of letters, or by address. Raises CannotRule."""
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
    """Return the games that a ruling has changed. There is at least one letter about each that is not corrupt."""
    adjourned_or_resumed = (ev.GameAdjourned, ev.GameResumed)
    touched = tuple(one.game for one in outcome.events if isinstance(one, adjourned_or_resumed))
    with_letters = {one.game for one in outcome.letters}
    withdrawn = tuple(one.game for one in outcome.events if isinstance(one, ev.InvitationWithdrawn))
    untold = tuple(one for one in touched if one not in with_letters)
    return AffectedGames(touched, untold, withdrawn, outcome.letters)


def _seated(session: Session, causes: Causes, record: GameRecord, you: Player) -> Seated:
    opponent = record.seats[record.seat_of(you.id).other]
    rules = causes.services.games.rules(record.kind, is_relay=record.is_relay)
    other = people.load(session, [opponent]).players[opponent]
    return Seated(record, title_of(rules, record.setup), other.name)
