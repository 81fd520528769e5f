"""Find the question that a mail answers, and ask the player to confirm the commands of an uncertain author."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from takmail.commands import chat, new_game, pending, questions, redaction
from takmail.commands.answers import Assurance, Events, SeatClaim, Sender
from takmail.commands.command import Order
from takmail.commands.context import Context
from takmail.commands.grammar import answers
from takmail.commands.grammar.answers import Expected, Waits
from takmail.commands.grammar.normalize import clipped, is_question
from takmail.commands.grammar.understand import ANSWERS_NOTHING
from takmail.commands.grammar.understood import Understood
from takmail.commands.questions import open_questions, resignations
from takmail.commands.redaction import without_addresses
from takmail.letters import budgets
from takmail.letters.budgets import TOO_MANY_LETTERS
from takmail.limits.questions import MAX_HELD_CHARS, MAX_OPEN_QUESTIONS, MAX_SHOWN_COMMANDS
from takmail.pipeline.authenticate import RepliesTo, Reply
from takmail.world import (
    RUNS_COMMANDS,
    AskedAgain,
    Pending,
    PendingKind,
    Queries,
    SentLetter,
    events,
)
from takmail.world.advance import WaitsFor, in_advance

AGAIN_AFTER = timedelta(days=1)
"""The time after which a question about the same commands is asked again, as the letter may have been overlooked."""

HELD = "held until the owner of the address answers yes"
"""The note for the operator about a mail whose commands wait for a `yes`."""

Asked = tuple[Events, str]
"""The events of a question, and the operator's note about the mail."""


# What a mail answers.


@dataclass(frozen=True, slots=True)
class Questions:
    """The open questions that a mail answers or may answer.

    * `answered` is the question that a `yes` confirms, or None. It is None unless the sender is verified.
    * `likely` is the question that is asked again if it is uncertain what a bare answer refers to, or None. No newer
      question replaced it.
    * `is_offered`: the opponent has an open offer
    * `expected` is what the first line may answer
    """

    replies_to: RepliesTo
    answered: Pending | None = None
    likely: Pending | None = None
    is_offered: bool = False
    expected: Expected = ANSWERS_NOTHING

    @property
    def asks_for_answer(self) -> bool:
        """Whether the answered letter asks a question that is open, or an invitation waits for the sender."""
        return self.replies_to is RepliesTo.OPEN or self.expected.waits is answers.INVITATION


def find_questions(
    context: Context,
    reply: Reply,
    claim: SeatClaim | None = None,
    *,
    is_guessed: bool = False,
) -> Questions:
    """Return the questions that a mail may answer.

    `claim` is the seat for which the mail was written, or None if it is about no game. The context has this game unless
    it is corrupt. `is_guessed`: the mail does not name the game.
    """
    # The token of somebody else's seat never answers. Only the seat's player can do that.
    may_answer = claim is None or claim.assurance is not Assurance.TOKEN
    answered = _answered_question(context, reply) if may_answer else None
    likely = _likely_question(context, reply.letter)
    is_answer = answered is not None or _was_asked(reply, claim)
    if is_answer and not is_guessed:
        waits = _asked_by_letter(context, answered)
    elif is_guessed and likely is not None:
        # A mail whose game is guessed has commands for this game, so its `yes` only counts if any `yes` does.
        waits = None
    else:
        waits = waits_in_game(context, likely) or (answers.KEPT_WORDS if chat.quoted_words(context) else None)
    return Questions(
        answered=answered,
        likely=likely,
        replies_to=reply.kind if answered is None else RepliesTo.OPEN,
        is_offered=_is_offered(context),
        expected=Expected(
            waits,
            is_player=context.player is not None and context.player.begun_games > 0,
            sender=context.author.name,
            choices=questions.choices(answered) if answered is not None else (),
            may_go=answered is None and _waits_for_go(context),
        ),
    )


def _asked_by_letter(context: Context, answered: Pending | None) -> Waits:
    """Return what the answered letter asks. An offer that it shows, too, is answered by its name.

    A `yes` to a question that was asked is an answer even if the question is closed. It is refused then.
    """
    if answered is not None and answered.kind is PendingKind.RESIGN:
        return answers.RESIGNATION
    if answered is None or answered.kind not in (*RUNS_COMMANDS, PendingKind.MEANT):
        return answers.PAST
    words, commands = re.findall(r"\w+", answered.words.lower()), context.services.commands.words
    names_final = any(command.is_final for word in words for _, command in commands.get(word, ()))
    # The held words may be no more than a "yes" to an offer.
    is_final = names_final or _is_offered(context) or answered.kind is PendingKind.DOUBT
    return answers.FINAL if is_final else answers.QUESTION


def waits_in_game(context: Context, likely: Pending | None = None) -> Waits | None:
    """Return what waits for the sender's word in the game of the mail, or None. Questions of single letters don't.

    `likely` is a question of a letter to which a `yes` may be the answer, too.
    """
    if context.game_number is None:
        return None
    if resignations(context) and not _is_offered(context):
        return answers.RESIGNATION
    game, opponent = context.game, context.you.other
    if game.record.invites(game.players[context.you].id):
        return answers.INVITATION
    if new_game.next_invitation(context) is not None:
        is_shown = context.answered.version == game.record.version
        # What has come after the letter, such as the end of the game, may be what its answer means.
        doubtful = replace(answers.INVITATION, is_certain=False, no_is_certain=False)
        return answers.NEXT_GAME if is_shown else doubtful
    waiting = pending.offers_of(context, opponent) if game.record.is_open else ()
    if not waiting:
        return None
    waits = answers.TIME_OVER if {offer.kind for offer in waiting} == {PendingKind.TIME} else answers.OFFER
    is_shown = context.answered.version is not None and all(
        offer.version <= context.answered.version for offer in waiting
    )
    # A "yes" may also answer what the opponent asks in words, or whether the sender gives the game up. A "no" answers
    # no question from before the offer, as less is lost if it was meant so.
    heard = game.correspondence
    has_asked = is_question(heard.last_chat[opponent] or "")
    asked_since = has_asked and heard.last_chat_versions[opponent] > max(offer.version for offer in waiting)
    is_alone = is_shown and not (resignations(context) or likely)
    return replace(waits, is_certain=is_alone and not has_asked, no_is_certain=is_alone and not asked_since)


def _waits_for_go(context: Context) -> bool:
    """Return whether an answer that the sender has prepared waits for `go`."""
    if context.game_number is None or not context.game.record.seats[context.you].in_advance:
        return False  # the usual case
    return in_advance(context.game, context.you).waits_for in (WaitsFor.GO, WaitsFor.HELD)


def _is_offered(context: Context) -> bool:
    """Return whether the opponent has an open offer."""
    return context.game_number is not None and any(offer.seat != context.you for offer in context.game.offers)


def _answered_question(context: Context, reply: Reply) -> Pending | None:
    """Return the open question that the sender answers, or None.

    It is the question of the answered letter, whose Message-ID proves its reader even if the mail server refutes the
    mail. The reply address of a letter that asks names the letter, too, as some mail programs omit the reference to it.
    """
    asked = open_questions(context, context.author.address)
    return next(
        (question for question in asked if reply.letter and question.letter == reply.letter.message_id), None
    )


def _likely_question(context: Context, letter: SentLetter | None) -> Pending | None:
    """Return the open question that a bare answer may refer to, or None. `letter` is the answered letter.

    It is the question of the answered letter, or otherwise the newest one. A letter of a game that asks nothing has
    none. For a mail about a game, the questions to the seat and to all addresses of its player count. For another mail,
    the questions to the sender's address count.
    """
    is_in_game = context.game_number is not None
    addresses = context.game.players[context.you].addresses if is_in_game else (context.author.address,)
    asked = [
        question
        for question in open_questions(context, *addresses)
        # The answer to a player who is verified asks again about a resignation.
        if question.kind in RUNS_COMMANDS
        and not (question.kind is PendingKind.RESIGN and context.player_verified)
    ]
    likely = [question for question in asked if letter is not None and question.letter == letter.message_id]
    if not likely and not (is_in_game and letter is not None):
        likely = [question for question in asked if not question.is_replaced]
    return max(reversed(likely), key=lambda question: question.asked_at, default=None)


def _was_asked(reply: Reply, claim: SeatClaim | None) -> bool:
    """Return whether the mail answers a letter that asked for a `yes`, even if its question is closed.

    A letter about the mail's game counts only if the seat's player is verified.
    """
    is_players = claim is not None and claim.player_verified
    is_seats = reply.letter is not None and reply.letter.game is not None
    return reply.kind is RepliesTo.LOST or (reply.kind is RepliesTo.CLOSED and (is_players or not is_seats))


# What is asked about a mail.


def hold(context: Context, sender: Sender, claim: SeatClaim, understood: Understood, typed: str) -> Asked:
    """Hold the text that was typed for a seat, and ask the seat's player, at the player's own address, to confirm it.

    No question is asked about an empty text. If the player is a guest who has not accepted yet, only commands are
    held, not chat.

    Nothing is held of a mail without a command that somebody unknown wrote to the player's reply address. It may be a
    friend to whom the player forwarded a letter, who is told once what the address is.
    """
    owner, words = context.game.players[claim.seat], typed
    asks_nothing = all(
        order.is_doubt or (redaction.is_stranger(owner) and not order.command.needs_proof)
        for order in understood.orders
    )
    if claim.assurance is Assurance.TOKEN and asks_nothing:
        is_told = context.world.ask(Queries.was_told_of_seat, context.author.address, claim.game)
        told = () if is_told else (events.SeatAddressExplained(game=claim.game),)
        return told, "words to a player's reply address, from an unknown address"
    if redaction.is_stranger(owner):
        words = redaction.lines(_with_proof(redaction.showable(context.services, understood)))
        if not words and claim.assurance is Assurance.FROM and not budgets.got_welcome(sender):
            return (events.SenderWelcomed(),), ""
    if not words.strip():
        return (), "no content, and the sender was not verified"
    if owner.is_blocked:
        return (), "the player is blocked"
    last_for = budgets.last_question_for(context.services.rates, sender, owner, owner.main_mailbox)
    if last_for is None:
        return (), TOO_MANY_LETTERS
    question = questions.question_to_seat(context, PendingKind.HELD, clipped(words.strip(), MAX_HELD_CHARS))
    held = events.CommandsHeld(
        question=question,
        # The letter shows no address, as its reader may not have written the words.
        lines_text=without_addresses(context, question.words),
        last_for=last_for,
    )
    return questions.ask(context, held), "held until the player answers yes"


def ask(context: Context, understood: Understood) -> Asked:
    """Hold commands of a mail about no game, and ask at the From address to confirm them.

    The same commands are not asked about again within `AGAIN_AFTER`. Only commands that the question can show are held,
    because the player must see what is confirmed. The player can send other commands and chat in reply to the question.
    """
    shown = redaction.showable(
        context.services, understood, is_known=not redaction.is_stranger(context.player)
    )
    if not _with_proof(shown):
        note = "its commands cannot be shown in a letter: the sender has to send them as a reply"
        return (events.CommandsNotShown(),), note
    words = redaction.lines(shown)
    same = (
        question
        for question in open_questions(context, context.author.address)
        if question.words == words and not question.is_replaced
    )
    # The clock may have been set back since.
    if any(timedelta(0) <= context.now - question.asked_at < AGAIN_AFTER for question in same):
        return (), "a question about the same commands is open already"
    kind = (
        PendingKind.UNSURE_ACCOUNT
        if any(order.command.concerns_account for order in shown)
        else PendingKind.COMMANDS
    )
    asked = events.ConfirmationAsked(
        question=questions.question_to_sender(context, kind, words),
        left_out=any(order.is_doubt for order in understood.orders)
        or len(_with_proof(shown)) < len(_with_proof(understood.orders)),
        has_words=bool(understood.chat or understood.beside),
    )
    return questions.ask(context, asked), HELD


def ask_about_account(context: Context, orders: Sequence[Order]) -> Events:
    """Hold commands that concern the sender's account, and ask at the From address to confirm them."""
    lines = tuple(dict.fromkeys(order.whole_line(context.services.games) for order in orders))
    words = "\n".join(lines[:MAX_SHOWN_COMMANDS])
    question = questions.question_to_sender(context, PendingKind.ACCOUNT, words)
    return questions.ask(
        context, events.ConfirmationAsked(question=question, left_out=len(lines) > MAX_SHOWN_COMMANDS)
    )


def ask_in_new_language(context: Context, asked: Pending | None) -> Events:
    """Ask a question about no game again if this mail, which answers it, has only chosen another language."""
    if asked is None or asked.kind not in RUNS_COMMANDS or asked.game is not None:
        return ()
    if "language" not in events.settings_changed(context.so_far.happened):
        return ()
    new = replace(asked, id=context.next_pending(), asked_at=context.now, letter=None, is_replaced=False)
    return questions.ask(context, events.ConfirmationAsked(question=new))


def ask_again(context: Context, sender: Sender, asked: Pending | None) -> Asked:
    """Ask the question again that an ambiguous answer may refer to. `asked` is None if no question is open."""
    reader = None if context.game_number is None else context.game.players[context.you]
    if reader is not None and reader.is_blocked:
        return (), "the player is blocked"
    if asked is None:
        return (), "a late yes, and the sender was not verified"
    new = replace(asked, id=context.next_pending(), asked_at=context.now, letter=None, is_replaced=False)
    if reader is None:
        asked_again = questions.ask(context, events.ConfirmationAsked(question=new, again=AskedAgain.UNCLEAR))
        return asked_again, "the answer was not yes, and a question is open"
    if len(questions.same_questions(context, asked)) >= MAX_OPEN_QUESTIONS:
        return (), "an ambiguous yes to a question that was asked often enough"
    mailbox = reader.main_mailbox if asked.address is None else reader.mailbox(asked.address)
    assert mailbox is not None
    last_for = budgets.last_question_for(context.services.rates, sender, reader, mailbox)
    if last_for is None:
        return (), TOO_MANY_LETTERS
    again: events.QuestionAsked = (
        events.ConfirmationAsked(question=new, again=AskedAgain.LOOSE, last_for=last_for)
        if asked.game is None
        else events.CommandsHeld(
            question=new, lines_text=without_addresses(context, new.words), is_again=True, last_for=last_for
        )
    )
    return questions.ask(context, again), "a yes, but it is uncertain which question it answers"


def _with_proof(orders: Sequence[Order]) -> tuple[Order, ...]:
    """Return the orders that require a verified sender."""
    return tuple(order for order in orders if order.command.needs_proof)
