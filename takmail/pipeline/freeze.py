"""Freeze a corrupt game until the operator restores it.

The mail that revealed the corruption is kept for the operator. The freeze, the letters about it and the mail's state
are one outcome.
"""

from dataclasses import replace

from takmail.commands import events as ev
from takmail.commands.context import Context
from takmail.commands.game.corruption_report import corruption_report
from takmail.commands.game.table import Corrupt
from takmail.commands.kinds import LogWord, MailState, Standing
from takmail.commands.records import GameNumber
from takmail.commands.result import Result
from takmail.pipeline.execute import Execution


def freeze(work: Execution, number: GameNumber) -> Result:
    """Keep a mail about a corrupt game for the operator, and freeze the game.

    Each player of the game and the operator are notified once.
    """
    context = work.context
    game = context.state.games[number]
    assert isinstance(game, Corrupt)
    wrong = context.services.templates.line("console/stored.txt", fault=game.fault)
    note = f"game {number} is frozen: {wrong}"
    if not _is_reported(game, context.queries.frozen_for(number)):
        logged = ev.Logged(
            who=context.services.name,
            what=LogWord.FROZEN,
            why=wrong,
            game=number,
            fault=game.fault.digest,
        )
        work = work.with_events((ev.GameFrozen(game=number), logged))
        if context.services.operator is not None:
            work = work.with_events((_alarm(work.context, number),))
    return replace(work.result(note, is_silent=True, mail_state=MailState.SHUNTED), corrupt=number)


def _alarm(context: Context, number: GameNumber) -> ev.Event:
    """Return the event that notifies the operator of a frozen game."""
    game = context.state.games[number]
    assert isinstance(game, Corrupt)
    shunted = {*context.queries.shunted_mails(number), *filter(None, [context.mail])}
    is_frozen = game.record.standing == Standing.ADJOURNED
    return ev.OperatorNotified(facts=corruption_report(game, sorted(shunted), is_frozen=is_frozen))


def _is_reported(game: Corrupt, frozen_for: str | None) -> bool:
    """Return whether the players and the operator were notified of the fault already.

    `frozen_for` is the digest of the fault for which the game was frozen last, or None. If the game was resumed since
    then, the fault is reported again.
    """
    if frozen_for is None or game.record.standing == Standing.OPEN:
        return False
    return game.record.standing == Standing.ADJOURNED or frozen_for in ("", game.fault.digest)
