"""Do what time brings by itself: what is due in a game, and what is overdue, such as offers and questions."""

from takmail.commands import addresses, seek
from takmail.commands.answers import NewsAndChanges
from takmail.commands.context import Context
from takmail.commands.questions import closing
from takmail.world import (
    DAY,
    GRACE,
    ON_TIME,
    AlarmKind,
    Clock,
    GameNumber,
    Pending,
    PendingEnd,
    PendingKind,
    Player,
    Queries,
    Table,
    alarms_of,
    clock_of,
    holidays_left,
    news,
)
from takmail.world.changes import Change, closing_seeks, in_game, of_player
from takmail.world.game_changes import at_rest, ended, with_alarms_handled, with_offer, without_offers


def on_due(context: Context, number: GameNumber) -> NewsAndChanges:
    """Return what is due in a game now. Of several reminders only the last one counts.

    While a mail waits that may be the player's and came before it was due, there are only reminders.
    """
    table = context.find_table(number)
    due = (
        [] if table is None else [alarm for alarm in alarms_of(table, context.now) if alarm.at <= context.now]
    )
    if table is None or not due:
        return ()
    clock = clock_of(table)
    # The end of the time comes before rest.
    last = next((alarm for alarm in due if alarm.kind is AlarmKind.TIME_OVER), due[-1])
    handled = in_game(number, with_alarms_handled, last.at)
    player = table.players[clock.seat]
    is_end = last.kind is not AlarmKind.REMINDER
    if is_end and context.world.ask(Queries.has_waiting_mail, player.id, last.at):
        return ()
    match last.kind:
        case AlarmKind.REMINDER if player.wants_no_reminders or not player.is_reachable:
            return (handled,)
        case AlarmKind.REMINDER:
            return (news.ReminderDue(game=number, seat=clock.seat), handled)
        case AlarmKind.REST:
            return (news.GameRested(game=number, seat=clock.seat), in_game(number, at_rest, context.now))
        case AlarmKind.TIME_OVER:
            return _on_time_over(context, table, clock, handled)


def _on_time_over(context: Context, table: Table, clock: Clock, handled: Change) -> NewsAndChanges:
    """Return what follows from the end of a player's time: a holiday, the end of the game, or a question.

    `handled` is the change that notes it as done.
    """
    number, seat = table.number, clock.seat
    player, ends_at = table.players[seat], clock.deadline
    if ends_at is None:
        return ()
    if holidays_left(player.time_off, ends_at.year) >= DAY and not player.announces_holidays:
        days_off = player.with_holiday(ends_at).time_off
        until = next(off.ended_at for off in days_off if off.began_at == ends_at)
        taken = news.HolidayTaken(
            game=number, seat=seat, until=until, left=holidays_left(days_off, until.year)
        )
        # The day before it was taken for this game, too. The last one is told again.
        is_told = any(off.began_at + GRACE == table.record.alarmed_until for off in player.time_off)
        told = () if is_told and taken.left >= DAY else (taken,)
        return (*told, of_player(player.id, Player.with_holiday, ends_at), handled)
    if table.record.is_strict:
        return (news.LostOnTime(game=number, seat=seat), in_game(number, ended, None, ON_TIME[seat.other]))
    if table.claims:
        return (handled,)
    offer = Pending(
        context.next_pending(), PendingKind.TIME, context.now, game=number, seat=seat, turn=len(table.turns)
    )
    return (news.TimeOver(game=number, seat=seat), in_game(number, with_offer, offer), handled)


def close_overdue(context: Context, most: int) -> NewsAndChanges:
    """Return the changes that close overdue rows, at most `most` of each kind, and remove addresses whose week is over.

    Closing an offer increments the version of its game. An outcome whose letter mentions the offer and that is computed
    at the same time then conflicts.
    """
    now, world = context.now, context.world
    expired = [item for item in world.ask(Queries.overdue, most) if item.is_over(now)]
    context.load_games([item.game for item in expired if item.game is not None])
    lapsed = tuple(
        in_game(offer.game, without_offers, (offer.id,), PendingEnd.LAPSED)
        for offer in expired
        if offer.is_offer and offer.game is not None
    )
    expired_seeks = [stored.number for stored in context.seeks() if not seek.is_open(stored, now)][:most]
    questions = [question for question in expired if not question.is_offer]
    gone = (
        item
        for question in questions
        if question.kind is PendingKind.REMOVAL
        for item in addresses.removed(context, question)
    )
    closed_seeks = (closing_seeks(expired_seeks),) if expired_seeks else ()
    return (*lapsed, *closed_seeks, *closing(questions), *gone)
