"""Say what follows for tournaments: a result counts in the table, and who leaves takmail has dropped out."""

from collections.abc import Iterator
from datetime import datetime

from takmail.games.interface import Seat
from takmail.world import GameEnd, PlayerId, Ruling, World, events
from takmail.world.clubs.results import counts_as
from takmail.world.clubs.values import DecidedBy, Outcome
from takmail.world.clubs_lookup import season_with_game, unfinished_tournaments


def result_counts(
    world: World, event: events.GameEnded | events.ResultCorrected
) -> Iterator[events.PairingDecided]:
    """Let the result of a game count in the table of its tournament, unless something else has decided it."""
    record = world.game(event.game).record
    if record.invitation.tournament is None:
        return  # the usual case
    tournament = season_with_game(world, record.invitation.tournament, event.game)
    pairing = None if tournament is None else tournament.pairing(event.game)
    if tournament is None or pairing is None or pairing.by not in (None, DecidedBy.PLAY):
        return
    decided = pairing._replace(outcome=outcome_of_end(record.end), by=DecidedBy.PLAY)
    if decided != pairing:
        yield events.PairingDecided(tournament=tournament.number, pairing=decided)


def outcome_of_end(end: GameEnd) -> Outcome:
    """Return how the end of a game counts in a table."""
    if end.ruling is Ruling.VOID:
        return Outcome.VOID
    if end.winner is None:
        return Outcome.DRAW
    return Outcome.FIRST if end.winner is Seat.FIRST else Outcome.SECOND


def player_leaves_tournaments(
    world: World, event: events.PlayerErased | events.MailStopped | events.PlayerBlockedByOperator
) -> Iterator[events.PlayerDroppedOut | events.EntryWithdrawn]:
    """Take who is gone, wants no mail or is blocked out of their tournaments, before their games end."""
    player, gone_at = _who_goes(event)
    for tournament in unfinished_tournaments(world, player):
        if tournament.plays(player):
            yield events.PlayerDroppedOut(
                tournament=tournament.number,
                player=player,
                counts_as=counts_as(tournament, player),
                dropped_at=gone_at,
            )
        else:
            yield events.EntryWithdrawn(tournament=tournament.number, player=player, gone_at=gone_at)


def _who_goes(
    event: events.PlayerErased | events.MailStopped | events.PlayerBlockedByOperator,
) -> tuple[PlayerId, datetime]:
    """Return who can't play any more, and since when."""
    match event:
        case events.PlayerErased():
            return event.erasure.player, event.left_at
        case events.MailStopped():
            return event.player, event.stopped_at
        case events.PlayerBlockedByOperator():
            return event.player, event.blocked_at


def organised_go_on(world: World, event: events.PlayerErased) -> Iterator[events.OrganiserLeft]:
    """Let the tournaments go on whose organiser leaves for good."""
    for tournament in unfinished_tournaments(world):
        if tournament.organiser == event.erasure.player:
            yield events.OrganiserLeft(tournament=tournament.number, left_at=event.left_at)
