"""Begin the next game of a match with an end, and give such a match up."""

from collections.abc import Iterator
from dataclasses import replace

from takmail.commands.answers import Answer, refused
from takmail.commands.beginnings import new_record, opened, setup_to_begin
from takmail.commands.context import Context
from takmail.commands.questions import ask_resign
from takmail.commands.series import score_of
from takmail.limits.games import MAX_RUNNING_GAMES
from takmail.world import RUNNING, Game, Player, Ruling, Series, events

GIVE_UP = "resign match"
"""The line that gives a match up."""


def next_game_begins(
    context: Context, event: events.GameEnded | events.ResultCorrected
) -> Iterator[events.SeriesResultCounted | events.SeriesGameBegun]:
    """Begin the next game of a match after a result, unless it is decided by it, or another game of it is on."""
    world, game = context.world, context.world.game(event.game)
    series = Series.of(game.record.series)
    if series is None or not game.record.is_over:
        return
    if game.number != series.first:
        yield events.SeriesResultCounted(game=series.first)
    score = score_of(world, game.record)
    assert score is not None
    last = world.game(max(game.number, score.last or game.number))
    if not (score.is_over or last.has_rematch) and _begins_by_itself(context, last):
        new = _next_game(context, last)
        yield events.SeriesGameBegun(game=new.number, new_game=new)


def _begins_by_itself(context: Context, last: Game) -> bool:
    """Return whether the next game needs no word of the players: both get letters, and may play with each other."""
    one, other = last.players
    may_meet = one.id not in other.blocked and other.id not in one.blocked
    return may_meet and all(_may_play(context, player) for player in last.players)


def _may_play(context: Context, player: Player) -> bool:
    if player.is_bot:
        return context.services.bots.named(player.bot_name) is not None
    is_there = (
        not player.is_erased and not player.is_blocked and player.is_reachable and not player.wants_no_mail
    )
    return is_there and len(context.world.games_of(player.id, *RUNNING)) < MAX_RUNNING_GAMES


def _next_game(context: Context, last: Game) -> Game:
    """Return the game after the last one of a match, which begins now. The players change sides unless that is void."""
    record, (first, second) = last.record, last.players
    is_again = record.end.ruling is Ruling.VOID
    host, guest = (first, second) if record.invitation.host == first.id else (second, first)
    seat = record.seat_of(host.id)
    new = new_record(
        context,
        record,
        last.rules.rematch_setup(record.setup),
        (host, guest),
        seat if is_again else seat.other,
    )
    setup = setup_to_begin(context, last.rules, new.setup)
    assert setup is not None, "a match has no bids"
    return opened(context, replace(new, rematch_of=last.number), setup, (host, guest))


# Giving up.


def give_up(context: Context) -> Answer:
    """Give the whole match up if the sender has confirmed it by a `yes`. Otherwise ask whether it is meant."""
    game, you = context.game, context.you
    score = score_of(context.world, game.record)
    if score is None:
        return refused("game_is_of_no_match")
    if score.is_over:
        return refused("match_is_over")
    following = context.world.rematch_of(game)
    if following is not None and following.has_begun:
        return refused("match_is_at_another_game", number=following.number)
    if context.line.is_confirmed and context.answered.turn == len(game.turns):
        given_up = events.SeriesGivenUp(game=game.number, seat=you)
        return (
            (given_up, events.Resigned(game=game.number, seat=you)) if game.record.is_running else (given_up,)
        )
    return ask_resign(context, GIVE_UP)
