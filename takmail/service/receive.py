"""What one mail does, from its bytes to the letters that follow, within one transaction.

Who is it, which game, which commands; then the commands are carried out, and every letter that results is
put into the outbox. The mail ends in one place, with its reason. The caller commits.
"""

from dataclasses import replace

from sqlmodel import Session

from takmail.games.registry import boards_anywhere, read_anywhere
from takmail.mail.envelope import Envelope, MachineSign
from takmail.mail.limits import Excess
from takmail.mail.reader import ToRead
from takmail.service.act import act, changes
from takmail.service.case import Answered, Case, Words, failed
from takmail.service.desk import Desk
from takmail.service.letters import bounces, invitations, reply
from takmail.service.people import enrol, strangers
from takmail.service.perform import needs_game
from takmail.service.reading.commands import BlockPlayer, UnblockPlayer, Unseek, Word
from takmail.service.reading.understand import Understood, named_games, understand
from takmail.service.trust import confirm, gate, held, loose, never, pace
from takmail.service.trust.identify import Disagree, Elsewhere, chair, is_senders, seat_of
from takmail.service.typed import typed, typed_in_game
from takmail.service.unseated import leave_broken_game
from takmail.service.verbs import leave, look, relay, stop
from takmail.store import games, intake, mails, outbox, players
from takmail.store.tables import Confirmation, IntakeRow, MailState, OutboxRow, Player

_QUIET = (BlockPlayer, UnblockPlayer, Unseek)
"""Commands that nobody plays on with."""


def to_read(desk: Desk, raw: bytes, size: int) -> ToRead:
    """A mail of `size` bytes, with what it takes to read it."""
    return ToRead(raw, frozenset({desk.address}), desk.limits, size, desk.authserv_id)


def turned_away(desk: Desk, session: Session, row: IntakeRow, mail: Envelope) -> Case | None:
    """End a mail that its headers alone decide on; None: its body is to be read, and nothing has changed."""
    case = begin(desk, session, row, mail)
    ended = by_headers(case)
    if ended is None:
        return None
    intake.finish(session, row, *ended)
    return case


def receive(desk: Desk, session: Session, row: IntakeRow, mail: Envelope) -> Case:
    """Do all that a mail of the intake queue leads to, and note where it ends; gives how it was understood."""
    case = begin(desk, session, row, mail)
    finish(case, row)
    return case


def unreadable(desk: Desk, session: Session, row: IntakeRow, mail: Envelope, reason: str) -> None:
    """Keep a mail for the operator whose body takes too much to read; its player is told once a day."""
    case = begin(desk, session, row, mail)
    _identify(case)
    assert row.id is not None
    if case.is_sure and case.player is not None:
        player, since = players.number(case.player), desk.clock() - pace.DAY
        if not mails.was_told_of_costly(session, player, since):
            gate.tell_unreadable(case)
    intake.shunt(session, row.id, reason, is_costly=True)


def begin(desk: Desk, session: Session, row: IntakeRow, mail: Envelope) -> Case:
    """The mail before anything is made of it."""
    # A link in a letter names it in the address that it writes to, as a reply does in its headers.
    named = desk.key.letters_in(mail.recipients, mail.subject)
    mail = replace(mail, in_reply_to=(*named, *mail.in_reply_to))
    player = players.by_address(session, mail.sender)
    return Case(desk, session, row.id, mail, player, is_persons=row.is_persons)


def finish(case: Case, row: IntakeRow) -> None:
    """Do all that the mail leads to, and note where it ends."""
    state, reason = _end(case)
    intake.finish(case.session, row, state, reason)


def by_headers(case: Case) -> tuple[MailState, str] | None:
    """Where the mail ends by its headers and those who sent it, and why; None: it depends on its body.

    A limit that is found while its body is read counts here, too. Of a delivery report the body is read.
    """
    mail = case.mail
    if mail.machine is not None and _is_machines(case):
        return None if mail.machine == MachineSign.REPORT else (MailState.MACHINE, mail.machine.value)
    _identify(case)
    if gate.says_stop(case):
        # A mail program's own words: to answer them would be one more letter. Whoever is blocked may say it, too.
        stop.stop(case)
        return MailState.REJECTED, "its sender wants no more mail"
    refusal = gate.refusal(case)
    if not refusal:
        return None
    _heard(case)
    return MailState.REJECTED, refusal


def _identify(case: Case) -> None:
    """Note what the headers alone say of who wrote the mail, and for which seat."""
    case.is_senders = is_senders(case.desk.key, case.mail) or gate.says_stop(case)
    case.by_headers = chair(case.session, case.desk.key, case.mail, case.player, ())
    case.is_sure = gate.is_sure(case)


def _is_machines(case: Case) -> bool:
    """Whether no person wrote the mail."""
    mail = case.mail
    # A From that is nested too deep names nobody, and is no robot's sign for that.
    is_unread = mail.machine == MachineSign.NO_SENDER and mail.excess == Excess.NESTING
    return mail.machine is not None and not case.is_persons and not is_unread and not gate.says_stop(case)


def _heard(case: Case) -> None:
    """Note that the player has written, if that is sure: what waits for them may leave."""
    if not case.is_sure or case.player is None:
        return
    session, sender = case.session, case.mail.sender
    players.heard_from(session, sender, case.desk.clock())
    if not players.rests(session, sender):
        _wake(case, case.player, sender)


def _end(case: Case) -> tuple[MailState, str]:
    """Where the mail ends, and why."""
    ended = by_headers(case)
    if ended is not None:
        return ended
    if _is_machines(case):
        return MailState.MACHINE, f"{MachineSign.REPORT.value}: {bounces.report(case)}"
    _heard(case)
    _deal(case)
    case.played = games.played_by(case.session, case.intake_id)
    if case.played:
        return MailState.PLAYED, ", ".join(f"game {game}, turn {number}" for game, number in case.played)
    return (MailState.ANSWERED, _gist(case)) if case.letters else (MailState.REJECTED, case.remark)


def _gist(case: Case) -> str:
    """What an answered mail comes to, for the operator: no words of its writer's."""
    game = f"game {case.table.number}" if case.chair else ""
    abouts = [one.report.about for one in case.reports]
    words = f"words: {case.words}" if case.words != Words.NONE else ""
    unread = case.mail.unread or ""
    found = [*filter(None, (case.remark, unread, *abouts, words))] or ["nothing found in it"]
    return ", ".join(filter(None, (game, *found)))


def _deal(case: Case) -> None:
    answered = case.answered = outbox.by_message_id(case.session, case.mail.in_reply_to) or (
        outbox.by_message_id(case.session, case.mail.references)
    )
    case.is_lost = loose.is_lost(case)
    if case.is_lost:
        answered = case.answered = None  # an older one of the same thread
    text = case.typed = typed(case)
    named, found = named_games(text, read_anywhere), case.by_headers
    if named:
        found = chair(case.session, case.desk.key, case.mail, case.player, named)
    if isinstance(found, Disagree):
        case.reports.append(Answered("", failed("disagree", games=found.games)))
        reply.answer(case)
        return
    if isinstance(found, Elsewhere):
        case.elsewhere = found.game
    elif found is not None:
        case.sit(found)
    words = text
    text = case.typed = typed_in_game(case, words)
    leave_broken_game(case, text, answered)
    asked = confirm.question(case, answered)
    is_answer = asked is not None or confirm.asks(case, answered)
    understood = _understand(case, text, asked=is_answer or held.asks(case, answered))
    is_open = case.chair is None and (bool(understood.orders) or not is_answer)
    if is_open and case.player is not None and _wants_game(case, understood):
        _sit_at_only_game(case, case.player)
        text = case.typed = typed_in_game(case, words)
        understood = _understand(case, text)
    case.understood, case.spoke_for = understood, case.chair
    if loose.is_loose(case, answered, understood):
        loose.ask_again(case, answered)
    elif held.must_be_held(case, understood):
        held.hold(case, text)
    elif confirm.must_be_asked(case, understood):
        refusable = never.refusable(case, understood)
        if refusable is None:
            confirm.ask(case, understood)
        else:
            act(case, refusable)
            reply.answer(case)
    elif confirm.is_unclear(case, understood):
        confirm.ask_again(case)
    else:
        if not case.is_senders and not case.is_sure and strangers.is_stranger(case, case.player):
            understood = strangers.tame(understood)
        _carry_out(case, _answered(case, answered, asked, understood))


def _answered(
    case: Case, answered: OutboxRow | None, asked: Confirmation | None, understood: Understood
) -> Understood:
    """See to the questions that are open to the sender; gives what the mail comes to."""
    if not held.is_yes(understood):
        if case.chair is not None and case.chair.proof.is_sure:
            leave.lapse(case)
        return understood
    if asked is not None:
        return held.together(_released(case, asked), understood)
    waiting = held.question(case, answered)
    if waiting is None and held.asks(case, answered) and not loose.may_resign(case, answered):
        # A late `yes` is none to whatever else is asked by now.
        case.reports.append(Answered("yes", failed("nothing_asked")))
        return Understood((), understood.chat)
    if waiting is None:
        return understood
    return held.together(_understand(case, held.release(case, waiting)), understood)


def _released(case: Case, asked: Confirmation) -> Understood:
    """What the sender's `yes` to a question outside any game comes to: the commands that it showed, and no others."""
    released = confirm.release(case, asked)
    return released if isinstance(released, Understood) else _understand(case, released)


def _carry_out(case: Case, understood: Understood) -> None:
    if case.chair is not None and case.chair.proof.is_sure:
        enrol.remember_name(case)
    case.understood = understood
    _come_back(case, understood)
    act(case, understood)
    if case.words == Words.HEARD and not understood.orders:
        case.remark = "the very words of the mail before, and no command: a robot's, it seems"
        return
    reply.answer(case)
    reply.tell_opponent(case)
    if case.is_senders or case.is_sure:
        invitations.ask_next(case)


def _come_back(case: Case, understood: Understood) -> None:
    """Who had asked for no more mail, and plays on, gets it again, with all that has waited."""
    plays = any(
        (
            changes(one)
            and one.command not in (Word("stop"), Word("no"))
            and not isinstance(one.command, _QUIET)
        )
        or relay.is_passed_on(case, one)
        for one in understood.orders
    )
    if plays and case.player is not None and players.go_on(case.session, players.number(case.player)):
        for address in players.addresses(case.session, players.number(case.player)):
            _wake(case, case.player, address)


def _wake(case: Case, player: Player, address: str) -> None:
    """Send what waits for a player who has surely written."""
    most, now = case.desk.pace.letters_per_day, case.desk.clock()
    outbox.wake(case.session, address, players.number(player), most, now)


def _understand(case: Case, text: str, *, asked: bool = False) -> Understood:
    """Read the text for the game that it belongs to; `asked`: it answers a letter that wanted a `yes`."""
    if case.chair is None:
        return understand(text, read_anywhere, boards_anywhere, question_open=asked)
    table, is_open = case.table, asked or leave.awaits_yes(case)
    return understand(text, table.state.read, table.rules.boards_in, question_open=is_open, names=table.names)


def _sit_at_only_game(case: Case, player: Player) -> None:
    """Without any sign of a game it is the only one in which it is the sender's turn, or the only one at all."""
    running = look.running(case, player)
    waiting = [one for one in running if one.your_turn]
    likely = waiting if len(waiting) == 1 else running
    seat = None
    if len(likely) == 1:
        seat = seat_of(case.session, player, likely[0].number, vouched=case.is_senders)
    if seat is not None:
        case.sit(seat)


def _wants_game(case: Case, understood: Understood) -> bool:
    """Whether a game has to be found; words that come with commands for none, as with `new`, are no sign of one."""
    if case.elsewhere is not None or case.broken is not None:
        return False
    return any(needs_game(one) for one in understood.orders) or (
        bool(understood.chat) and not understood.orders
    )
