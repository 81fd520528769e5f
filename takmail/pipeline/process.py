"""Decide on a cause, as a pure function from a Snapshot to an Outcome: on a mail in stages, on others at once."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import takewhile

from takmail.commands.answers import (
    Assurance,
    CauseResult,
    ChatStatus,
    Events,
    Sender,
    SeveralGames,
)
from takmail.commands.context import Context
from takmail.commands.grammar.understood import NOTHING
from takmail.games.readonly import replace
from takmail.letters.compose import Composed, compose
from takmail.letters.letter import Letter
from takmail.letters.news.rows import name_of
from takmail.letters.services import Services
from takmail.mail.message import Mail
from takmail.pipeline import confirmation, split_mail
from takmail.pipeline.authenticate import Reply, authenticate, resolve_reply
from takmail.pipeline.authorize import Action, decide
from takmail.pipeline.doubts import as_meant
from takmail.pipeline.execute import execute, keep_quiet, own_orders, react, with_passed_over
from takmail.pipeline.gates import costly, keep_for_operator, stopped
from takmail.pipeline.interpret import Interpreted, interpret
from takmail.pipeline.language_offer import in_language_of_mail
from takmail.pipeline.last_text import text_after
from takmail.pipeline.reactions import with_events
from takmail.pipeline.remembered import heard, tokens_renewed
from takmail.pipeline.results import as_written, cause_result, context_of, refusable
from takmail.world import (
    NO_TEXT,
    NOTHING_STORED,
    CorruptGame,
    GameNumber,
    LastText,
    MailState,
    PendingKind,
    Snapshot,
    Task,
    TaskKind,
    World,
    events,
)
from takmail.world.operations import RunTask
from takmail.world.split_mails import Piece


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everything that a cause leads to. It is stored in one transaction.

    * `world` is the world after the cause
    * `state` is the final state of the mail, and `note` the reason for it, for the operator
    * `game` is the game of the mail, and `turn` the last turn that the mail played
    * `is_costly`: the mail's body is too expensive to read
    * `piece` is what the answer to all parts tells of a part, None for other mails
    """

    happened: tuple[events.Event, ...] = ()
    letters: tuple[Letter, ...] = ()
    world: World = NOTHING_STORED
    state: MailState | None = None
    note: str = ""
    game: GameNumber | None = None
    turn: int | None = None
    is_costly: bool = False
    piece: Piece | None = None


class Conflict(Exception):  # noqa: N818 - a conflict between two transactions is not an error
    """A precondition of the outcome was no longer true when it was stored.

    The cause is decided again in another transaction.
    """


@dataclass(frozen=True, slots=True)
class Trace:
    """The results of the stages for one mail. The result of a stage that was not reached is None."""

    sender: Sender
    world: World
    reply: Reply | None = None
    interpreted: Interpreted | None = None
    decision: Action | None = None
    result: CauseResult | None = None
    outcome: Outcome | None = None


def process(
    services: Services,
    snapshot: Snapshot,
    message: Mail,
    why_unread: str | None = None,
    *,
    has_body: bool = True,
) -> Outcome | None:
    """Return the outcome of a mail: all its events and letters, and its final state.

    Return None if the headers alone don't decide it, and there is no more (`has_body`). The arguments are as in
    `stages`.
    """
    *_, last = stages(services, snapshot, message, why_unread, has_body=has_body)
    return last.outcome


def stages(
    services: Services,
    snapshot: Snapshot,
    message: Mail,
    why_unread: str | None = None,
    *,
    has_body: bool = True,
) -> Iterator[Trace]:
    """Process a mail, and yield a trace after each stage. The last trace has the outcome.

    `why_unread` is the reason why the body is too expensive to read, None if it is read. Without a body (`has_body`),
    the last trace has no outcome if the headers alone don't decide the mail. If it needs the board of a corrupt game,
    all that it has caused so far is dropped.
    """
    try:
        for trace in _stages(services, snapshot, message, why_unread, has_body=has_body):
            yield trace
    except CorruptGame as error:
        context = context_of(services, snapshot, trace.sender)
        kept = keep_for_operator(services, context, snapshot, trace.sender, error.fault)
        last = _with_outcome(services, snapshot, message, trace, kept)
        assert last.outcome is not None
        yield replace(last, outcome=replace(last.outcome, game=GameNumber(error.fault.game)))


def _stages(
    services: Services, snapshot: Snapshot, message: Mail, why_unread: str | None, *, has_body: bool
) -> Iterator[Trace]:
    """Do the same as `stages`. Raises CorruptGame, but not before the first trace."""
    sender = authenticate(services, snapshot, message)
    reply = resolve_reply(services, snapshot, message)
    trace = Trace(sender, snapshot.world)
    yield trace
    context = context_of(services, snapshot, sender)
    is_read = has_body and why_unread is None
    end = stopped(services, context, snapshot, message, sender, has_body=is_read)
    if end is None and why_unread is not None:
        end = costly(services, context, snapshot, sender, why_unread)
    if end is not None:
        yield _with_outcome(services, snapshot, message, trace, end)
    if end is not None or not has_body:
        return
    if sender.unsubscribes:
        # The mail server refutes the mail, so that it is read as one in which a person has written the line.
        message = replace(message, body=replace(message.body, text=sender.unsubscribes, reaction=None))
    interpreted = interpret(services, context, sender, reply, message)
    context, text = _heard(services, snapshot, interpreted)
    sender = interpreted.sender
    trace = Trace(sender, context.world, reply, interpreted)
    yield trace
    interpreted = _with_what_counts(context, interpreted)
    context = with_passed_over(context, interpreted)
    result = _without_decision(context, interpreted, text, is_told=text == snapshot.sender.last_text)
    if result is None and isinstance(interpreted.place, SeveralGames):
        result = split_mail.of_several_games(context, sender, message, interpreted.place, reply)
    if result is None:
        decision = decide(interpreted)
        if decision is Action.CONFIRM and sender.is_refuted:
            sender, context = _proved_by_yes(services, snapshot, sender, context)
        trace = replace(trace, sender=sender, decision=decision)
        yield trace
        result = _decided(context, sender, interpreted, decision, message)
    result = in_language_of_mail(services, interpreted, result)
    yield _with_outcome(services, snapshot, message, trace, as_written(result, interpreted.typed))


def _heard(services: Services, snapshot: Snapshot, interpreted: Interpreted) -> tuple[Context, LastText]:
    """Return the context after what any mail changes, and the last text of its address after it."""
    context, sender, last_text = interpreted.context, interpreted.sender, snapshot.sender.last_text
    # A reaction is no text, but one that gets an answer may be an automatic reply.
    is_text = interpreted.reaction is None or not interpreted.is_silent
    if snapshot.cause.part_of is not None:
        is_text = False  # the same words may stand in several parts of one mail
    text = text_after(snapshot, interpreted) if is_text else last_text
    if not (text.is_quiet and text == last_text) or sender.shows_personal:
        has_order = not text.similar and interpreted.reaction is None
        context = with_events(context, heard(services, snapshot, sender, text, has_order=has_order))
    # The tokens are renewed only here, as they have proved the mail above.
    return with_events(context, tokens_renewed(sender)), text


def _with_what_counts(context: Context, interpreted: Interpreted) -> Interpreted:
    """Return a mail with what counts of it: nothing of a reaction, own orders of an answer to several readers."""
    if interpreted.reaction is not None:
        return replace(interpreted, understood=NOTHING)
    if not interpreted.sender.is_to_others:
        is_asked = interpreted.assurance is Assurance.NOBODY and interpreted.questions.answered is None
        understood = interpreted.understood
        meant = as_meant(context, understood, interpreted.typed, is_asked=is_asked)
        return replace(interpreted, understood=meant)
    orders = own_orders(context, interpreted.understood)
    typed = "\n".join(order.line for order in orders.orders)
    return replace(interpreted, typed=typed, understood=orders)


def _without_decision(
    context: Context, interpreted: Interpreted, text: LastText, *, is_told: bool
) -> CauseResult | None:
    """Return the result of a mail on which nothing is decided, whoever wrote it, None for any other.

    `text` is the last text of its address. `is_told`: the players know already that it is not answered.
    """
    is_silent = interpreted.is_silent
    if interpreted.reaction is not None:
        return react(context, interpreted.reaction, is_silent=is_silent or text.is_quiet)
    if interpreted.sender.is_to_others and not interpreted.understood.orders:
        return cause_result(context, "talk between the readers of a player's mail", is_silent=is_silent)
    if text.is_quiet:
        return keep_quiet(context, interpreted.understood, text, is_told=is_told)
    return None


def _decided(
    context: Context, sender: Sender, interpreted: Interpreted, decision: Action, message: Mail
) -> CauseResult:
    """Return the result of carrying out a decision on a mail (`message`)."""
    understood, answered = interpreted.understood, interpreted.questions.answered
    match decision:
        case Action.CONFIRM if answered is not None and answered.kind is PendingKind.PARTS:
            return split_mail.confirmed(context, message, answered)
        case Action.ASK if context.claim is not None:
            effects, note = confirmation.hold(context, sender, context.claim, understood, interpreted.typed)
        case Action.ASK:
            never = refusable(context, understood)
            if never is not None:
                # The command is refused whoever wrote it, so no question is asked.
                return execute(context, sender, Action.RUN, never, has_free_text=False)
            effects, note = confirmation.ask(context, understood)
        case Action.ASK_AGAIN:
            effects, note = confirmation.ask_again(context, sender, interpreted.questions.likely)
        case _:
            return execute(context, sender, decision, understood, answered)
    return cause_result(with_events(context, effects), note, is_silent=True)


def _proved_by_yes(
    services: Services, snapshot: Snapshot, sender: Sender, context: Context
) -> tuple[Sender, Context]:
    """Return the sender and the context of a mail that the mail server refutes, but whose `yes` proves its sender.

    From now on, mails from this address need no signature.
    """
    sender = replace(sender, address_verified=True, player_verified=sender.player is not None)
    if context.claim is not None:
        claim = replace(context.claim, assurance=Assurance.PLAYER)
        context = replace(context, claim=claim, player_verified=True)
    proving = heard(services, snapshot, sender, NO_TEXT, has_order=True, is_unsigned=True)
    return sender, with_events(context, proving)


def _with_outcome(
    services: Services,
    snapshot: Snapshot,
    message: Mail,
    trace: Trace,
    result: CauseResult,
) -> Trace:
    """Return the trace with the result, and the outcome to store: events, letters, and the mail's final state."""
    composed = compose(services, snapshot, message, trace.sender, result)
    played = _played(snapshot, result)
    game = None if result.claim is None else result.claim.game
    if result.mail_state is not None:
        state, note = result.mail_state, result.note
    elif played:
        state, note = MailState.PLAYED, ", ".join(f"game {game}, turn {turn}" for game, turn in played)
    elif composed.letters:
        state, note = MailState.ANSWERED, _summary(message, result)
    else:
        state, note = MailState.REJECTED, result.note or composed.note
    outcome = Outcome(
        happened=result.happened,
        letters=composed.letters,
        world=_stored_world(result, composed),
        state=state,
        note=note,
        game=played[-1][0] if played else game,
        turn=played[-1][1] if played else None,
        is_costly=result.is_costly,
        piece=None
        if snapshot.cause.part_of is None
        else split_mail.piece_of(result, composed, len(played), state),
    )
    return replace(trace, world=result.world, result=result, outcome=outcome)


def _stored_world(result: CauseResult, composed: Composed) -> World:
    """Return the world after a cause, with the letters that ask its questions, and what these wait for."""
    world = result.world.asked_by(composed.asked_by)
    games = (letter.about.game for letter in composed.letters if letter.waits_for_thought)
    waiting = {game for game in games if game is not None}
    for number in sorted(waiting):
        if world.game(number).record.is_over:
            world = world.with_operation(RunTask(task=Task(number, TaskKind.LAST)))
    return world


def _played(snapshot: Snapshot, result: CauseResult) -> list[tuple[GameNumber, int]]:
    """Return the game and the number of each turn that the mail played. They are the last turns of their games."""
    mail = snapshot.cause.mail
    return [
        (number, turn.number)
        for number, game in sorted(result.world.games.items())
        for turn in [*takewhile(lambda turn: turn.mail == mail, reversed(game.turns))][::-1]
    ]


def _summary(message: Mail, result: CauseResult) -> str:
    """Summarize the handling of an answered mail for the operator, without quoting the mail."""
    game = f"game {result.claim.game}" if result.claim is not None else ""
    words = f"words: {result.chat.status}" if result.chat.status != ChatStatus.NONE else ""
    reports = (name_of(report.answer) for report in result.reports)
    # Each is named once: how many lines somebody has prepared is nobody's business.
    told = dict.fromkeys(filter(None, (result.note, message.body.unreadable or "", *reports, words)))
    return ", ".join(filter(None, (game, *(told or ("no commands and no chat",)))))


def outcome_of_cause(
    services: Services,
    snapshot: Snapshot,
    decide: Callable[[Context], Events],
) -> Outcome:
    """Return the outcome of a cause that is not a mail, from the events that `decide` returns."""
    context = context_of(services, snapshot)
    result = cause_result(with_events(context, decide(context)), is_silent=True)
    composed = compose(services, snapshot, None, None, result)
    return Outcome(
        happened=result.happened,
        letters=composed.letters,
        world=_stored_world(result, composed),
    )
