"""Do what time brings by itself: what is due in a game, and what is overdue, such as offers and questions."""

from takmail.commands import addresses, seek
from takmail.commands.advance import answer_turn
from takmail.commands.answers import Events
from takmail.commands.context import Context
from takmail.commands.questions import closing
from takmail.games.interface import Seat
from takmail.world import (
    DAY,
    GRACE,
    Game,
    GameNumber,
    Pending,
    PendingKind,
    PlayerId,
    Queries,
    Standing,
    events,
    urgency,
)
from takmail.world.clock import AlarmKind, Clock, alarms_of, clock_of, holidays_left

_ORDER = (AlarmKind.ANSWER, AlarmKind.TIME_OVER, AlarmKind.REST, AlarmKind.REMINDER)
"""What is done of all that is due."""


def on_due(context: Context, number: GameNumber) -> Events:
    """Return what is due in a game now. Of several reminders only the last one counts.

    While a mail waits that may be the player's and came before it was due, there are only reminders.
    """
    game = context.world.find_game(number)
    due = [] if game is None else [alarm for alarm in alarms_of(game, context.now) if alarm.at <= context.now]
    if game is None or not due:
        return ()
    clock = clock_of(game)
    # What was prepared is played in any case, and the end of the time comes before rest.
    last = min(due, key=lambda alarm: (_ORDER.index(alarm.kind), -due.index(alarm)))
    handled = events.AlarmHandled(game=number, due_at=last.at)
    player = game.players[clock.seat]
    is_end = last.kind in (AlarmKind.TIME_OVER, AlarmKind.REST)
    if is_end and context.world.ask(Queries.has_waiting_mail, player.id, last.at):
        return ()
    match last.kind:
        case AlarmKind.ANSWER:
            return answer_turn(context, game)
        case AlarmKind.REMINDER if player.preferences.wants_no_reminders or not player.is_reachable:
            return (handled,)
        case AlarmKind.REMINDER:
            return (events.ReminderDue(game=number, seat=clock.seat), handled)
        case AlarmKind.REST:
            return (events.GameRested(game=number, seat=clock.seat, rested_at=context.now),)
        case AlarmKind.TIME_OVER:
            return _on_time_over(context, game, clock, handled)


def on_digest(context: Context, number: PlayerId) -> Events:
    """Return what a digest tells a player: the games that wait for them, the most urgent first. None is empty."""
    world = context.world
    held = tuple(world.ask(Queries.held_letters, number))
    if not held or not world.player(number).is_reachable:
        return ()
    games = world.sound(world.games_of(number, Standing.OPEN))
    waiting = sorted(
        (game for game in games if _is_told(game, game.record.seat_of(number))),
        key=lambda game: urgency(game, game.record.seat_of(number), context.now),
    )
    return (events.TurnsGathered(player=number, games=tuple(game.number for game in waiting), held=held),)


def _is_told(game: Game, seat: Seat) -> bool:
    return (game.keeps_board and game.waits_for(seat)) or bool(game.chat_for(seat))


def _on_time_over(context: Context, game: Game, clock: Clock, handled: events.AlarmHandled) -> Events:
    """Return what follows from the end of a player's time: a holiday, the end of the game, or a question.

    `handled` notes it as done.
    """
    number, seat = game.number, clock.seat
    player, ends_at = game.players[seat], clock.deadline
    if ends_at is None:
        return ()
    if holidays_left(player.time_off, ends_at.year) >= DAY and not player.preferences.announces_holidays:
        off = player.holiday_from(ends_at)
        left = holidays_left(player.with_holiday(off).time_off, off.ended_at.year)
        # The day before it was taken for this game, too. The last one is told again.
        was_taken = any(off.began_at + GRACE == game.record.timing.alarmed_until for off in player.time_off)
        is_told = not was_taken or left < DAY
        taken = events.HolidayTaken(game=number, seat=seat, off=off, left=left, is_told=is_told)
        return (taken, handled)
    if game.record.timing.is_strict:
        return (events.LostOnTime(game=number, seat=seat),)
    if game.claims:
        return (handled,)
    claim = Pending(
        context.next_pending(), PendingKind.TIME, context.now, game=number, seat=seat, turn=len(game.turns)
    )
    return (events.TimeOver(game=number, seat=seat, claim=claim), handled)


def close_overdue(context: Context, most: int) -> Events:
    """Return what closes overdue rows, at most `most` of each kind, and removes addresses whose week is over.

    Closing an offer increments the version of its game. An outcome whose letter mentions the offer and that is computed
    at the same time then conflicts.
    """
    now, world = context.now, context.world
    expired = [item for item in world.ask(Queries.overdue, most) if item.is_over(now)]
    lapsed = tuple(
        events.OffersExpired(game=offer.game, offers=(offer,))
        for offer in expired
        if offer.is_offer and offer.game is not None
    )
    expired_seeks = [stored.number for stored in world.every_seek() if not seek.is_open(stored, now)][:most]
    questions = [question for question in expired if not question.is_offer]
    gone = (
        item
        for question in questions
        if question.kind is PendingKind.REMOVAL
        for item in addresses.removed(context, question)
    )
    ended_seeks = (events.SeeksEnded(numbers=tuple(expired_seeks)),) if expired_seeks else ()
    return (*lapsed, *ended_seeks, *closing(questions), *gone)
