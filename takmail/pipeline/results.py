"""Make the context of a cause, carry out in it what commands return, and make the result of it."""

from dataclasses import replace

from takmail.commands import show
from takmail.commands.answers import (
    Answer,
    Assurance,
    NewsAndChanges,
    Reported,
    Result,
    Said,
    SeatClaim,
    Sender,
)
from takmail.commands.context import Context
from takmail.commands.grammar.normalize import clipped
from takmail.letters.services import Services
from takmail.limits.words import MAX_REPEATED_LINE_CHARS
from takmail.mail.address import mask_addresses
from takmail.world import GameNumber, MailState, Match, SentLetter, Snapshot, news


def context_of(services: Services, snapshot: Snapshot, sender: Sender | None = None) -> Context:
    """Return the context of a cause before a game is found. `sender` is None if the cause is not a mail."""
    return Context(
        services=services,
        now=snapshot.now,
        seed=snapshot.seed,
        mail=snapshot.cause.mail,
        sender="" if sender is None else sender.address,
        sender_name="" if sender is None else sender.name,
        player=None if sender is None else sender.player,
        utc_offset=None if sender is None else sender.utc_offset,
        world=snapshot.world,
        before=snapshot.world,
        arrived_at=snapshot.cause.arrived_at,
    )


def seated_context(context: Context, claim: SeatClaim, answered: SentLetter | None = None) -> Context:
    """Return the context of a mail that was written for a seat.

    `answered` is the letter that the mail answers. The context gets its version only if it went to the same seat, and
    nothing newer is answered.
    """
    is_of_seat = answered is not None and (answered.game, answered.seat) == (claim.game, claim.seat)
    return replace(
        context,
        claim=claim,
        game=claim.game,
        seat=claim.seat,
        player_verified=claim.player_verified,
        version=answered.version if answered is not None and is_of_seat and claim.turn is not None else None,
        turn=claim.turn,
    )


def with_changes(context: Context, changes: NewsAndChanges) -> Context:
    """Return the context after the changes, made in order, and with the news, for which letters need their games.

    If nobody owned the sender's address and somebody does now, that is the context's player from now on. A player whose
    data was erased is no longer.
    """
    if not changes:
        return context
    world = context.world
    told: list[news.News] = []
    for item in changes:
        if not isinstance(item, news.News):
            world = item(world)
        elif isinstance(item, news.GameNews) and item.game in world.games:
            told.append(replace(item, version=world.games[item.game].record.version))
        else:
            told.append(item)
    you = context.player
    player = world.owner(context.sender) if you is None else world.players.get(you.id, you)
    after = replace(
        context,
        world=world,
        events=(*context.events, *told),
        order=context.order + len(changes),
        player=None if player is None or player.is_erased else player,
    )
    after.load_games([event.game for event in told if isinstance(event, news.GameNews)])
    return after


def carried_out(context: Context, line: str, answer: Answer, *, is_confirmed: bool = False) -> Context:
    """Return the context after the command in `line`: what its answer changes is made, and its report added."""
    shown = clipped(mask_addresses(line), MAX_REPEATED_LINE_CHARS)
    changes = answer.effects if isinstance(answer, Said) else answer
    first = answer if isinstance(answer, Said) else answer[0]
    assert isinstance(first, Said | news.News)
    context = replace(context, reports=(*context.reports, Reported(shown, first, is_confirmed)))
    return _continued(with_changes(context, changes), first)


def _continued(context: Context, first: Said | news.News) -> Context:
    """Continue where the answer to a command leads. `first` is what reports it.

    After an erasure, continue without a game and without a player. An answer about no game goes into the thread of
    a game that the command has made. When a game begins, the rules may have drawn other seats.
    """
    match first:
        case news.PlayerErased():
            return replace(context, claim=None, game=None, seat=None, player=None, player_verified=False)
        case news.GameProposed(game=number) if context.claim is None:
            return _entered(context, number)
        case news.SeekJoined(game=number, is_in_answer=True) | news.GameBegun(game=number):
            return _entered(context, number)
        case news.BidMade(game=number) if number == context.game:
            return _entered(context, number)
        case _:
            return context


def _entered(context: Context, number: GameNumber) -> Context:
    """Continue in a game that the sender has just entered."""
    assert context.player is not None
    seat = context.world.games[number].record.seat_of(context.player.id)
    return seated_context(context, SeatClaim(number, seat, Assurance.PLAYER))


def result_of(
    context: Context, note: str = "", *, is_silent: bool = False, mail_state: MailState | None = None
) -> Result:
    """Return the result of everything done so far. The arguments are as in `Result`."""
    return Result(
        world=context.world,
        events=context.events,
        reports=context.reports,
        chat=context.chat,
        claim=context.claim,
        player=context.player,
        matches=matches(context),
        note=note,
        is_silent=is_silent,
        mail_state=mail_state,
    )


def matches(context: Context) -> dict[GameNumber, Match]:
    """Return the match that each ended game belongs to, by the game's number. Void games belong to none.

    A match is seen from the first seat of its game.
    """
    # When a player leaves for good, the opponent's letter shows the match score again, as does one that tells the end
    # of a game anew.
    told = {event.game for kind in (news.OpponentLeft, news.EndReviewed) for event in context.done(kind)}
    world = context.world
    games = (
        game
        for number, game in world.games.items()
        if number in told or world.has_ended_since(context.before, number)
    )
    return {
        game.number: show.match_between(context, game.record.kind, *game.players)
        for game in games
        if show.counts(game.record)
    }
