"""Say what follows from an event, and settle it. `REACTIONS` is the only table that says "then".

A reaction looks at the world after the event, and yields events. Its annotation names those that it may yield, so that
a test sees that nothing leads back to its own cause.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from takmail.commands.advance_reactions import (
    answer_waits_for_go,
    preparations_end,
    question_holds_answer,
    turn_meets_branches,
    words_hold_answer,
)
from takmail.commands.answers import Events
from takmail.commands.clubs_reactions import organised_go_on, player_leaves_tournaments, result_counts
from takmail.commands.context import Context
from takmail.commands.ratings_reactions import game_counts_otherwise, player_is_gone, two_are_one
from takmail.commands.series_games import next_game_begins
from takmail.games.readonly import replace
from takmail.world import (
    ON_TIME,
    QUIET_DIGEST,
    NamedTurn,
    PendingKind,
    Player,
    Queries,
    Ruling,
    Standing,
    TakenBackBy,
    Task,
    TaskKind,
    World,
    events,
    state_after,
    waits_for_bot,
)

Reaction = Callable[[World, Any], Iterator[events.Event]]
"""Yields what follows from an event, in the world after it."""
ReactionOfCause = Callable[[Context, Any], Iterator[events.Event]]
"""Yields what follows from an event, for which it needs the time, the chance or the services of the cause."""


@dataclass(frozen=True, slots=True)
class OfCause:
    """Marks a reaction that needs the cause.

    It is asked when all has followed that follows from the world alone: a game that begins must find the results and
    the standings counted that led to it.
    """

    reaction: ReactionOfCause


# What lapses.


def offers_lapse(world: World, event: events.TurnPlayed) -> Iterator[events.OffersLapsed]:
    """Let all offers about the board lapse with a turn, but the draw that its player offers with it."""
    kept = None if event.turn.is_agreed else (event.turn.seat, PendingKind.DRAW)
    offers = world.game(event.game).offers_about_board
    lapsed = tuple(offer for offer in offers if (offer.seat, offer.kind) != kept)
    if lapsed:
        yield events.OffersLapsed(game=event.game, offers=lapsed)


def offers_lapse_with_turns(world: World, event: events.TurnsTakenBack) -> Iterator[events.OffersLapsed]:
    """Let offers lapse with the turns after which they were made. If both went back, all about the board do."""
    offers = world.game(event.game).offers_about_board
    lapsed = tuple(
        offer
        for offer in offers
        if not event.how.is_of_last_turn or offer.kind is PendingKind.UNDO or offer.turn > event.last
    )
    if lapsed:
        # The opponent knows of no offer that came with a turn of which they never heard.
        is_known = not isinstance(event, events.LastTurnTakenBack)
        yield events.OffersLapsed(game=event.game, offers=lapsed, is_known=is_known)


# What players agree on.


def draw_is_agreed(_world: World, event: events.OfferAgreed) -> Iterator[events.GameEnded]:
    """End the game by an agreed draw."""
    if event.offer.kind is PendingKind.DRAW:
        yield events.GameEnded(game=event.game, ruling=Ruling.AGREED)


def claimed_time_ends_game(_world: World, event: events.OfferAgreed) -> Iterator[events.GameEnded]:
    """End the game by the time of a player who grants that it is over, as the opponent claims."""
    if event.offer.kind is PendingKind.TIME:
        yield events.GameEnded(game=event.game, ruling=ON_TIME[event.seat])


def pace_is_agreed(_world: World, event: events.OfferAgreed) -> Iterator[events.PaceAgreed]:
    """Begin the clocks anew with an agreed pace."""
    if event.offer.kind is PendingKind.PACE:
        yield events.PaceAgreed(game=event.game, pace=event.offer.words or None, agreed_at=event.agreed_at)


def turns_are_taken_back(world: World, event: events.OfferAgreed) -> Iterator[events.TurnsTakenBack]:
    """Take back the turns that the players agreed to take back."""
    kind, target = event.offer.kind, event.offer.target
    if kind is PendingKind.UNDO:
        target = len(world.game(event.game).turns) - 1
    if kind in (PendingKind.UNDO, PendingKind.BACK, PendingKind.RESTART):
        assert target is not None
        yield events.TurnsTakenBack(
            game=event.game,
            last=target,
            how=TakenBackBy(kind),
            taken_back_at=event.agreed_at,
            is_agreed=True,
        )


def board_is_adopted(world: World, event: events.OfferAgreed) -> Iterator[events.BoardAdopted]:
    """Continue from the board that the players agreed on."""
    offer = event.offer
    if offer.kind is not PendingKind.BOARD:
        return
    assert offer.seat is not None
    game = world.game(event.game)
    name = game.players[offer.seat].name
    yield events.BoardAdopted(
        game=event.game,
        turn=NamedTurn(len(game.turns) + 1, offer.seat, name, offer.words, is_agreed=True),
        written=offer.words,
        played_at=event.agreed_at,
        after=state_after(game, offer),
        mail=event.mail,
    )


# How games end.


def rules_end_game(_world: World, event: events.TurnPlayed) -> Iterator[events.GameEnded]:
    """End a game whose rules say so after a turn."""
    if event.after is not None and event.after.result is not None:
        yield events.GameEnded(game=event.game)


def resignation_ends_game(_world: World, event: events.Resigned) -> Iterator[events.GameEnded]:
    """End a game that its player gives up."""
    yield events.GameEnded(game=event.game, resigned=event.seat)


def time_ends_game(_world: World, event: events.LostOnTime) -> Iterator[events.GameEnded]:
    """End a strict game by the time of a player."""
    yield events.GameEnded(game=event.game, ruling=ON_TIME[event.seat.other])


def ruling_ends_game(_world: World, event: events.GameRuled) -> Iterator[events.GameEnded]:
    """End a game as the operator has decided."""
    yield events.GameEnded(game=event.game, ruling=event.ruling, why=event.why)


def tournament_ends_game(_world: World, event: events.TournamentGameEnded) -> Iterator[events.GameEnded]:
    """End a game without a result of its own."""
    yield events.GameEnded(game=event.game, ruling=Ruling.VOID, why=event.why)


def leaving_ends_game(world: World, event: events.OpponentLeft) -> Iterator[events.GameEnded]:
    """End a running game whose player leaves for good, as if they resigned."""
    if world.game(event.game).record.is_running:
        yield events.GameEnded(game=event.game, resigned=event.seat)


# What is thought about.


def bot_thinks(world: World, event: events.GameEvent) -> Iterator[events.TaskDue]:
    """Let a bot think if it is to move now."""
    if waits_for_bot(world.game(event.game)):
        yield events.TaskDue(game=event.game, task=Task(event.game, TaskKind.MOVE))


def bots_think_again(world: World, event: events.MailResumed) -> Iterator[events.TaskDue]:
    """Let the bots think that are to move in the games of a player. While they wanted no mail, no bot moved."""
    for game in world.ask(Queries.games_of, event.player, (Standing.OPEN,)):
        if waits_for_bot(world.game(game.number)):
            yield events.TaskDue(game=game.number, task=Task(game.number, TaskKind.MOVE))


# Mail.


def letters_are_suspended(world: World, event: events.LetterBounced) -> Iterator[events.LettersSuspended]:
    """Send nothing more to an address to which too many letters bounced."""
    mailbox = world.player(event.player).mailbox(event.address)
    if mailbox is not None and mailbox.is_unreachable:
        yield events.LettersSuspended(address=event.address)


def mail_is_stopped(world: World, event: events.MailStopped) -> Iterator[events.LettersSuspended]:
    """Send nothing to a player who wants no mail."""
    for address in world.player(event.player).addresses:
        yield events.LettersSuspended(address=address)


def digest_comes_back(world: World, event: events.SenderHeard) -> Iterator[events.DigestRescheduled]:
    """Send a player who writes what is held for them until then."""
    if world.player(event.player).preferences.digest == QUIET_DIGEST:
        yield events.DigestRescheduled(player=event.player)


def digest_is_rescheduled(world: World, event: events.SettingChanged) -> Iterator[events.DigestRescheduled]:
    """Send a player what is held for them at the time that they choose, or now if they want no digest."""
    is_wanted = world.player(event.player).preferences.digest is not None
    if event.keyword == "digest" or (event.keyword == "zone" and is_wanted):
        yield events.DigestRescheduled(player=event.player)


# What ends with a player.


def seeks_end(
    world: World, event: events.MailStopped | events.PlayerBlockedByOperator
) -> Iterator[events.SeeksEnded]:
    """End the seeks of a player to whom no letters go any more, or whom nobody may meet."""
    numbers = tuple(seek.number for seek in world.every_seek() if seek.player == event.player)
    if numbers:
        yield events.SeeksEnded(numbers=numbers)


REACTIONS: Mapping[type[events.Event], tuple[Reaction | OfCause, ...]] = {
    events.SeekJoined: (bot_thinks,),
    events.GameBegun: (bot_thinks,),
    events.SeriesGameBegun: (bot_thinks,),
    events.BidsOpened: (bot_thinks,),
    events.TurnPlayed: (offers_lapse, rules_end_game, turn_meets_branches, bot_thinks),
    events.TurnsTakenBack: (offers_lapse_with_turns, preparations_end, bot_thinks),
    events.OfferMade: (answer_waits_for_go,),
    events.DisputeOpened: (answer_waits_for_go,),
    events.ResignationAsked: (question_holds_answer,),
    events.ChatQueued: (words_hold_answer,),
    events.OfferAgreed: (
        draw_is_agreed,
        claimed_time_ends_game,
        pace_is_agreed,
        turns_are_taken_back,
        board_is_adopted,
    ),
    events.Resigned: (resignation_ends_game,),
    events.LostOnTime: (time_ends_game,),
    events.GameEnded: (preparations_end, result_counts, game_counts_otherwise, OfCause(next_game_begins)),
    events.ResultCorrected: (result_counts, game_counts_otherwise, OfCause(next_game_begins)),
    events.PlayersMerged: (two_are_one,),
    events.PlayerErased: (player_leaves_tournaments, organised_go_on, player_is_gone),
    events.GameAdjourned: (preparations_end,),
    events.GameResumed: (bot_thinks,),
    events.GameRuled: (ruling_ends_game,),
    events.TournamentGameEnded: (tournament_ends_game,),
    events.OpponentLeft: (leaving_ends_game,),
    events.MailStopped: (mail_is_stopped, seeks_end, player_leaves_tournaments),
    events.PlayerBlockedByOperator: (seeks_end, player_leaves_tournaments),
    events.MailResumed: (bots_think_again,),
    events.LetterBounced: (letters_are_suspended,),
    events.SenderHeard: (digest_comes_back,),
    events.SettingChanged: (digest_is_rescheduled,),
}
"""What follows from an event of each class, and of the classes that are based on it."""


def reactions_to(kind: type[events.Event]) -> tuple[Reaction, ...]:
    """Return the reactions to events of a class that need the world alone."""
    return _following(kind)[0]


def reactions_of_cause(kind: type[events.Event]) -> tuple[ReactionOfCause, ...]:
    """Return the reactions to events of a class that need the cause."""
    return _following(kind)[1]


_FOLLOWING: dict[type[events.Event], tuple[tuple[Reaction, ...], tuple[ReactionOfCause, ...]]] = {}
"""What `_following` has returned. To mypy, a class of events is no key of `functools.cache`."""


def _following(kind: type[events.Event]) -> tuple[tuple[Reaction, ...], tuple[ReactionOfCause, ...]]:
    """Return the reactions to events of a class, and to the classes that it is based on, by what they need."""
    if kind not in _FOLLOWING:
        reactions = [reaction for base in kind.__mro__ for reaction in REACTIONS.get(base, ())]
        _FOLLOWING[kind] = (
            tuple(reaction for reaction in reactions if not isinstance(reaction, OfCause)),
            tuple(reaction.reaction for reaction in reactions if isinstance(reaction, OfCause)),
        )
    return _FOLLOWING[kind]


def with_events(context: Context, happening: Events) -> Context:
    """Return the context after these events, and after what follows from them."""
    return settled(context, happening)[0]


def settled(context: Context, happening: Events) -> tuple[Context, tuple[events.Event, ...]]:
    """Apply events, and what follows from each, in order. Return the context after them, and all that followed.

    If nobody owned the sender's address and somebody does now, that is the context's player from now on. A player whose
    data was erased is no longer.
    """
    if not happening:
        return context, ()
    world, happened, followed = context.world, [*context.so_far.happened], list[events.Event]()
    for event in happening:
        world, (first, *others) = settled_in(world, event)
        world, more = _settled_by_cause(context, world, (first, *others))
        happened += (first, *others, *more)
        followed += (*others, *more)
    you = context.player
    if you is not None:
        player: Player | None = world.players.get(you.id, you)
    else:
        player = world.owner(context.author.address) if context.author.address else None
    is_player = player is not None and not player.is_erased
    after = replace(
        context,
        world=world,
        so_far=replace(context.so_far, happened=tuple(happened)),
        player=player if is_player else None,
    )
    return after, tuple(followed)


def _settled_by_cause(
    context: Context, world: World, happened: Sequence[events.Event]
) -> tuple[World, Sequence[events.Event]]:
    """Return the world after what follows from events by reactions of the cause (`OfCause`), and what does.

    `world` is the one after the events.
    """
    reactions = [(reaction, event) for event in happened for reaction in reactions_of_cause(type(event))]
    if not reactions:
        return world, ()
    after = replace(context, world=world)
    more = list[events.Event]()
    for following in [each for reaction, event in reactions for each in reaction(after, event)]:
        world, settled_events = settled_in(world, following)
        more += settled_events
    return world, more


def settled_in(world: World, event: events.Event) -> tuple[World, list[events.Event]]:
    """Return the world after an event and what follows from it, and these events in order."""
    after = event.apply(world)
    event = event.settled(world, after)
    world, happened = after, [event]
    for reaction in reactions_to(type(event)):
        for following in reaction(world, event):
            world, others = settled_in(world, following)
            happened += others
    return world, happened
