"""Decide on one mail, stage by stage: a pure function from a Snapshot to an Outcome."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from takmail.commands.answers import refused
from takmail.commands.dispatch import needs_proof
from takmail.commands.events import GameEnded
from takmail.commands.game.table import Corrupt, Table
from takmail.commands.grammar.understand import Understood
from takmail.commands.kinds import MailState
from takmail.commands.never import refusable
from takmail.commands.queries import Queries
from takmail.commands.records import GameNumber
from takmail.commands.result import Result, Sender, WordsFate
from takmail.commands.snapshot import Snapshot, State
from takmail.letters.budgets import correspondent
from takmail.letters.compose import compose
from takmail.letters.services import Services
from takmail.letters.wording import name_of
from takmail.mail.message import Message
from takmail.pipeline import confirmation
from takmail.pipeline.authenticate import authenticate
from takmail.pipeline.decide import decide
from takmail.pipeline.execute import Execution, context_of, execute
from takmail.pipeline.freeze import freeze
from takmail.pipeline.gates import Stopped, heard, is_machines, stopped, told
from takmail.pipeline.interpret import Interpreted, interpret
from takmail.pipeline.reply import resolve_reply
from takmail.pipeline.returned import returned
from takmail.pipeline.select import Ambiguous, InCorruptGame
from takmail.pipeline.values import Decision, Deed, Outcome, Reply


@dataclass(frozen=True, slots=True)
class Trace:
    """The values of the stages for one mail, None if a stage was not reached."""

    sender: Sender
    state: State
    reply: Reply | None = None
    interpreted: Interpreted | None = None
    decision: Decision | None = None
    result: Result | None = None
    outcome: Outcome | None = None


def process(services: Services, queries: Queries, snapshot: Snapshot, message: Message) -> Outcome:
    """All that a mail leads to."""
    return _last(stages(services, queries, snapshot, message))


def stages(services: Services, queries: Queries, snapshot: Snapshot, message: Message) -> Iterator[Trace]:
    """The work on a mail, stage by stage; the last trace has the outcome."""
    sender = authenticate(services, snapshot, message)
    trace = Trace(sender, snapshot.state)
    yield trace
    end = stopped(services, queries, snapshot, message, sender)
    if end is None and is_machines(snapshot, message, sender):
        end = returned(services, queries, snapshot, message, sender)
    if end is not None:
        yield _ended(services, snapshot, message, trace, end.result, end)
        return
    reply = resolve_reply(services, snapshot, message)
    work = Execution(context_of(services, queries, snapshot, sender))
    work = work.with_events(heard(services, snapshot, sender))
    interpreted = interpret(services, work.context, sender, reply, message)
    sender, work = interpreted.sender, replace(work, context=interpreted.context, claim=interpreted.claim)
    trace = Trace(sender, work.context.state, reply, interpreted)
    yield trace
    match interpreted.place:
        case Ambiguous(games):
            result = work.reported("", refused("disagree", games=games)).result()
            yield _ended(services, snapshot, message, trace, result)
            return
        case InCorruptGame(claim):
            end = freeze(work, claim.game)
            yield _ended(services, snapshot, message, trace, end.result, end)
            return
    trace = replace(trace, decision=decide(interpreted, reply))
    yield trace
    assert trace.decision is not None
    result = _done(snapshot, work, sender, trace.decision)
    yield _ended(services, snapshot, message, trace, result)


def by_headers(services: Services, queries: Queries, snapshot: Snapshot, message: Message) -> Outcome | None:
    """All that a mail leads to which its headers alone decide on; None: its body is to be read."""
    sender = authenticate(services, snapshot, message)
    end = stopped(services, queries, snapshot, message, sender)
    return None if end is None else _outcome(services, snapshot, message, sender, end.result, end)


def unreadable(
    services: Services, queries: Queries, snapshot: Snapshot, message: Message, reason: str
) -> Outcome:
    """A mail whose body takes too much to read is kept for the operator; its player is told once a day."""
    return _last(unreadable_stages(services, queries, snapshot, message, reason))


def unreadable_stages(
    services: Services, queries: Queries, snapshot: Snapshot, message: Message, reason: str
) -> Iterator[Trace]:
    """As `stages`, where the body takes too much to read: if its headers don't end the mail, that does."""
    sender = authenticate(services, snapshot, message)
    trace = Trace(sender, snapshot.state)
    yield trace
    end = stopped(services, queries, snapshot, message, sender)
    if end is not None:
        yield _ended(services, snapshot, message, trace, end.result, end)
        return
    is_told = sender.player_verified and not snapshot.was_told_of_costly
    result = told(services, queries, snapshot, sender, refused("unreadable") if is_told else None)
    end = Stopped(MailState.SHUNTED, reason, result)
    trace = _ended(services, snapshot, message, trace, end.result, end)
    assert trace.outcome is not None
    yield replace(trace, outcome=replace(trace.outcome, is_costly=True))


def _last(traces: Iterator[Trace]) -> Outcome:
    """The outcome of the last stage."""
    *_, last = traces
    assert last.outcome is not None
    return last.outcome


def _ended(
    services: Services,
    snapshot: Snapshot,
    message: Message,
    trace: Trace,
    result: Result,
    end: Stopped | None = None,
) -> Trace:
    """The trace with its last values."""
    outcome = _outcome(services, snapshot, message, trace.sender, result, end)
    return replace(trace, state=result.state, result=result, outcome=outcome)


def _done(snapshot: Snapshot, work: Execution, sender: Sender, decision: Decision) -> Result:
    """Return the result of a decision."""
    context, claim, request = work.context, work.claim, decision.request
    writer = correspondent(snapshot, sender)
    match decision.deed:
        case Deed.ASK if claim is not None:
            events, note = confirmation.hold(context, writer, claim, request.understood, request.typed)
            return work.with_events(events).result(note, is_silent=True)
        case Deed.ASK:
            orders = request.understood.orders
            first = next(at for at, one in enumerate(orders) if needs_proof(one))
            never = refusable(context, request.understood, first)
            if never is not None:
                # It is refused at once, and nobody is asked who it was.
                return execute(work, sender, _saying(decision, never), is_tame=True)
            events, note = confirmation.ask(context, request.understood)
            return work.with_events(events).result(note, is_silent=True)
        case Deed.ASK_AGAIN:
            events, note = confirmation.ask_again(context, writer, decision.question)
            return work.with_events(events).result(note, is_silent=True)
        case _:
            return execute(work, sender, decision)


def _saying(decision: Decision, understood: Understood) -> Decision:
    """The decision to run something else than the mail says."""
    return replace(decision, deed=Deed.RUN, request=replace(decision.request, understood=understood))


def _outcome(
    services: Services,
    snapshot: Snapshot,
    message: Message,
    sender: Sender,
    result: Result,
    end: Stopped | None = None,
) -> Outcome:
    """What is to be stored: the events, the letters, and where the mail ends."""
    composed = compose(services, snapshot, message, sender, result)
    played = _played(snapshot, result)
    game = None if result.claim is None else result.claim.game
    if end is not None:
        state, note, game = end.state, end.note, end.corrupt or game
    elif played:
        state, note = MailState.PLAYED, ", ".join(f"game {game}, turn {turn}" for game, turn in played)
    elif composed.letters:
        state, note = MailState.ANSWERED, _gist(message, result)
    else:
        state, note = MailState.REJECTED, result.note or composed.note
    return Outcome(
        events=composed.events,
        letters=composed.letters,
        ended=ended_by(result),
        state=state,
        note=note,
        game=played[-1][0] if played else game,
        turn=played[-1][1] if played else None,
    )


def _played(snapshot: Snapshot, result: Result) -> list[tuple[GameNumber, int]]:
    """The turns that the mail has played, by game and number."""
    tables = (game for game in result.state.games.values() if isinstance(game, Table))
    mail = snapshot.cause.mail
    return [
        (table.number, turn.number)
        for table in sorted(tables, key=lambda one: one.number)
        for turn in table.turns
        if mail is not None and turn.mail == mail
    ]


def ended_by(result: Result) -> tuple[Table | Corrupt, ...]:
    """The games that have ended, as they are now."""
    numbers = dict.fromkeys(one.game for one in result.events if isinstance(one, GameEnded))
    return tuple(result.state.games[number] for number in numbers)


def _gist(message: Message, result: Result) -> str:
    """Summarize an answered mail for the operator, without words of its writer's."""
    game = f"game {result.claim.game}" if result.claim is not None else ""
    words = f"words: {result.words}" if result.words != WordsFate.NONE else ""
    reports = (name_of(one.answer) for one in result.reports)
    found = [*filter(None, (result.note, message.unread or "", *reports, words))] or ["nothing found in it"]
    return ", ".join(filter(None, (game, *found)))
