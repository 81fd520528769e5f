"""Stop a mail on which nothing is to be decided.

Mails that stop are those whose body need not be read: machine mail, unsubscriptions, mail from blocked players, and
mail over a limit of size or rate. Mails that need the board of a corrupt game are kept until the operator restores it.
"""

from dataclasses import replace

from takmail.commands import turning_away
from takmail.commands.answers import CauseResult, Events, Refusal, SeatClaim, Sender, refused
from takmail.commands.context import Context
from takmail.commands.stranger_budgets import free_at
from takmail.letters import budgets
from takmail.letters.services import Services
from takmail.limits.mails import Excess
from takmail.mail.domains import may_be_a_person
from takmail.mail.message import Dmarc, MachineSign, Mail
from takmail.mail.tokens import NO_DIGEST, NO_NEWS, STOP
from takmail.pipeline.authenticate import owners_of, tokens
from takmail.pipeline.reactions import with_events
from takmail.pipeline.remembered import heard, tokens_renewed
from takmail.pipeline.results import carried_out, cause_result, seated_context
from takmail.pipeline.returned import returned
from takmail.world import (
    Corruption,
    CountedLetter,
    GameNumber,
    LetterPurpose,
    LogWord,
    MailState,
    Queries,
    Snapshot,
    StrangerBudget,
    events,
    operations,
)


def _unanswered(services: Services, context: Context, sender: Sender) -> str:
    """Return why the address in a mail that may be forged gets no answer, for the operator, '' if it may get one."""
    address = sender.mailbox.address
    if sender.purpose is LetterPurpose.SURE or sender.mailbox.verified_at is not None:
        return ""
    if not may_be_a_person(address, services.address):
        return "no letters go to this address"
    counted = context.world.ask(Queries.counted_letters, StrangerBudget.ANSWERS)
    answer = CountedLetter(address, context.now)
    _, limit = free_at(services.rates, StrangerBudget.ANSWERS, counted, answer)
    return f"over the limit: [limits] {limit} = {getattr(services.rates, limit)}" if limit else ""


def stopped(
    services: Services,
    context: Context,
    snapshot: Snapshot,
    message: Mail,
    sender: Sender,
    *,
    has_body: bool = True,
) -> CauseResult | None:
    """Return the result of a mail that its headers and sender decide, or None if the body must be interpreted.

    A mail that exceeds a limit for bodies stops here, too. A delivery report only does if its body was read
    (`has_body`).
    """
    # A From header that is nested too deep has no readable sender. A person may have written the mail nevertheless.
    is_unread = message.machine == MachineSign.NO_SENDER and message.excess == Excess.NESTING
    is_from_person = snapshot.cause.is_from_person or is_unread or bool(sender.unsubscribes)
    if message.machine is not None and not is_from_person:
        if message.machine is MachineSign.REPORT:
            return returned(context, message) if has_body else None
        return cause_result(context, message.machine.value, is_silent=True, mail_state=MailState.MACHINE)
    if sender.unsubscribes and sender.is_verified:
        # The mail program wrote the mail, so it gets no answer. This comes first, as blocked players may unsubscribe.
        ends_all = sender.unsubscribes == STOP
        answer = turning_away.stop(context) if ends_all else _without(context, sender.unsubscribes)
        assert isinstance(answer, tuple)
        note = f"the sender asked for no more {'mail' if ends_all else sender.unsubscribes.partition(' ')[0]}"
        return cause_result(with_events(context, answer), note, is_silent=True, mail_state=MailState.REJECTED)
    if sender.is_stranger and not sender.unsubscribes:
        sign = forgery_sign(services, snapshot, message)
        if sign:
            return cause_result(context, sign, is_silent=True, mail_state=MailState.REJECTED)
    return _rejected(services, context, snapshot, message, sender)


def _without(context: Context, line: str) -> Events:
    """Return what ends the reminders, digests or news of the sender, as `line` says. Who is no player gets none."""
    player = context.player
    if player is None:
        return ()
    if line == NO_DIGEST:
        return (events.SettingChanged(player=player.id, keyword="digest", value=None),)
    if line == NO_NEWS:
        return (events.SettingChanged(player=player.id, keyword="news", value=False),)
    return (events.SettingChanged(player=player.id, keyword="reminders", value=True),)


def _rejected(
    services: Services, context: Context, snapshot: Snapshot, message: Mail, sender: Sender
) -> CauseResult | None:
    """Return the result of a rejected mail, or None if it is accepted.

    Within the time of a limit, the sender is notified once that the limit is exceeded.
    """
    player, rates = sender.player, services.rates
    of_domain = snapshot.sender.block_reason
    if of_domain is not None or (player is not None and player.is_blocked):
        # The mail is not read, and anybody can forge its sender, so only players are notified, and once a day.
        told = (
            ()
            if player is None or budgets.got_welcome(sender)
            else (
                events.BlockedPlayerNotified(
                    why=of_domain or context.world.ask(Queries.block_reason, player.id)
                ),
            )
        )
        note = "the player is blocked" if of_domain is None else "the domain is blocked"
        return _not_read(services, context, snapshot, sender, note, None, told)
    if snapshot.cause.part_of is not None:
        return None  # its mail was within the limits
    answers_left = budgets.answers_left(rates, sender)
    limit, most = budgets.limit_of(rates, sender), budgets.most_answers(rates, sender)
    report = None
    if message.excess is not None:
        # The limit on the work of reading a mail has no setting.
        allowed = getattr(services.limits, message.excess, None)
        why = (
            f"over the limit: [limits] {message.excess} = {allowed}"
            if allowed
            else "it would take too much work to read"
        )
        if player is not None and answers_left > 0:
            report = refused("excess", which=message.excess.value, most=allowed)
    elif answers_left > 0:
        why = _unanswered(services, context, sender)
        if not why:
            return None
    else:
        why = f"over the limit: [limits] {limit} = {most}"
        if sender.is_verified and answers_left == 0:
            # This report counts as an answer, so that the next mail gets none.
            report = refused("pace", most=most)
    return _not_read(services, context, snapshot, sender, why, report)


def forgery_sign(services: Services, snapshot: Snapshot, message: Mail) -> str:
    """Return the operator's note on why a stranger's mail gets no answer, or '' if nothing is wrong with it.

    An answer to a letter to the same address, such as an invitation, is no blind forgery. It may come through a
    forwarder, which breaks DMARC.
    """
    is_refuted = message.dmarc in (Dmarc.FAIL, Dmarc.REFUTED)
    if not (is_refuted or message.is_spam):
        return ""
    owners = owners_of(tokens(services.key, message), snapshot.world)
    # A stranger's personal token was never renewed.
    is_readers = services.key.proves_address(message.recipients, message.thread.all, message.sender, 0)
    if is_readers or snapshot.player in tuple(owners):
        return ""
    return "a stranger's mail with dmarc=fail" if is_refuted else "a stranger's mail, marked as spam"


def costly(
    services: Services, context: Context, snapshot: Snapshot, sender: Sender, reason: str
) -> CauseResult:
    """Return the result of a mail whose body is too expensive to read: it is kept for the operator.

    A verified player is notified once a day.
    """
    player = snapshot.player if sender.player_verified else None
    is_told = player is not None and not context.world.ask(Queries.was_told_of_costly, player.id)
    rejected = _not_read(
        services, context, snapshot, sender, reason, refused("unreadable") if is_told else None
    )
    return replace(rejected, mail_state=MailState.SHUNTED, is_costly=True)


def _not_read(
    services: Services,
    context: Context,
    snapshot: Snapshot,
    sender: Sender,
    note: str,
    report: Refusal | None,
    effects: Events = (),
) -> CauseResult:
    """Reject a mail that is not read. The sender gets the `report`, or no letter if it is None.

    The letter goes into the game's thread if the headers prove that the seat's player wrote the mail. `effects` happen
    before the mail is heard.
    """
    if report is not None:
        context = carried_out(_in_thread(context, snapshot, sender), "", report)
    last = heard(services, snapshot, sender, snapshot.sender.last_text)
    context = with_events(context, (*effects, *last, *tokens_renewed(sender)))
    return cause_result(context, note, is_silent=report is None, mail_state=MailState.REJECTED)


def _in_thread(context: Context, snapshot: Snapshot, sender: Sender) -> Context:
    """Continue in the game of the seat whose player wrote the mail, if the headers prove it and the game is sound."""
    match sender.claim:
        case SeatClaim(number, player_verified=True) as claim if not (context.world.game(number).is_corrupt):
            return seated_context(context, claim, snapshot.answered)
    return context


def keep_for_operator(
    services: Services, context: Context, snapshot: Snapshot, sender: Sender, fault: Corruption
) -> CauseResult:
    """Keep a mail that needs the board of a corrupt game for the operator, and adjourn the game.

    The players are told once that it is corrupt, and the operator of each fault once, until the game goes on. If the
    operator has ended it, later mails are answered.
    """
    # A token that the mail has shown to others is renewed all the same. Put back later, the mail proves nothing by it.
    last = heard(services, snapshot, sender, snapshot.sender.last_text)
    context = with_events(context, (*last, *tokens_renewed(sender)))
    number = GameNumber(fault.game)
    wrong = context.services.templates.line("console/stored.txt", fault=fault)
    record = context.world.game(number).record
    goes_on = record.is_open
    told = frozenset() if goes_on else context.world.ask(Queries.faults_told, number)
    if record.end.ruling is not None and fault.digest in told:
        # The operator has ended it as it is, so nothing is kept until it is mended.
        return cause_result(carried_out(context, "", refused("over_corrupt", number=number)))
    if not told:
        context = with_events(context, (events.GameAdjourned(game=number, why=""),))
    if fault.digest not in told:
        logged = operations.AddToLog(
            who=context.services.name, what=LogWord.FROZEN, why=wrong, game=number, fault=fault.digest
        )
        context = with_events(
            context,
            (
                events.DecisionLogged(line=logged),
                events.OperatorNotified(fault=fault, mail=context.cause.mail),
            ),
        )
    note = f"game {number} is corrupt: {wrong}"
    return cause_result(context, note, is_silent=True, mail_state=MailState.SHUNTED)
