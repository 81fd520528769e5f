"""Carry out a decision: run its commands in order, each on the world that the previous one left."""

from dataclasses import dataclass, replace

from takmail.commands import chat, invitations, profile, redaction, relay, show
from takmail.commands.answers import (
    SHOWN_ABOVE,
    ChatResult,
    ChatStatus,
    NewsAndChanges,
    Refusal,
    Result,
    Said,
    Sender,
    Skipped,
    refused,
    told,
)
from takmail.commands.command import Effect, Order
from takmail.commands.command_list import here, perform
from takmail.commands.context import Context
from takmail.commands.grammar.answers import Expected
from takmail.commands.grammar.arguments import AddressIsMine, Compare, Play
from takmail.commands.grammar.understand import Understood
from takmail.commands.play import two_turns, without_list_end
from takmail.commands.questions import closing, open_questions
from takmail.limits.letters import MAX_SHOWN_IN_ANSWER
from takmail.pipeline import confirmation, doubts
from takmail.pipeline.authorize import Action
from takmail.pipeline.confirmation import waits_in_game
from takmail.pipeline.interpret import Interpreted, read
from takmail.pipeline.results import carried_out, result_of, with_changes
from takmail.world import (
    CLOSED_BY_OTHERS,
    CONFIRMED,
    LIFETIME,
    LastText,
    Pending,
    PendingKind,
    Player,
    Standing,
    news,
)
from takmail.world.changes import of_player, releasing_letters


def execute(
    context: Context,
    sender: Sender,
    decision: Action,
    understood: Understood,
    answered: Pending | None = None,
    *,
    has_free_text: bool = True,
) -> Result:
    """Carry out a decision on what was understood of a mail, and return the result.

    * `answered` is the question that the mail answers, or None
    * `has_free_text`: the mail may contain text that its sender can choose freely. An answer repeats none of it unless
      the sender is known.
    """
    if decision is Action.CONFIRM:
        assert answered is not None
        context, understood = _confirmed(context, answered, understood)
    elif decision is Action.LATE:
        context = carried_out(context, "yes", refused("nothing_asked"))
        understood = understood.without_answer()
    if has_free_text and not sender.is_verified and redaction.is_stranger(context.player):
        understood = redaction.without_free_text(context.services, understood)
    if context.player_verified:
        context = with_changes(context, profile.remember_name(context))
        context = with_changes(context, profile.remember_zone(context))
    if sender.is_verified:
        context = with_changes(context, _mail_resumed(context, understood))
    context = _run_commands(
        context,
        understood,
        is_stopped=decision is Action.LATE,
        # Somebody who has never written has no account yet that others could take.
        is_asked=not sender.is_signed and not redaction.is_stranger(sender.player),
        # A letter of a game that asks goes into its thread, so its answers may be seen by others.
        is_settled=decision is Action.CONFIRM and answered is not None and answered.game is None,
    )
    if understood.chat:
        context = _with_chat(context, understood)
    elif understood.held and not any(order.is_doubt for order in understood.orders):
        context = replace(context, chat=ChatResult(ChatStatus.HELD))
    context = with_changes(context, relay.has_written(context))
    if sender.is_verified:
        context = with_changes(context, invitations.ask_next(context))
    is_only_asked = not (context.reports or understood.chat) and bool(context.done(news.ConfirmationAsked))
    return result_of(context, confirmation.HELD if is_only_asked else "", is_silent=is_only_asked)


def react(context: Context, emoji: str, *, is_silent: bool) -> Result:
    """Return the result of a mail that is only a reaction: it waits for the next letter to the opponent."""
    if emoji and chat.reaches_opponent(context, emoji):
        queued = chat.queued(context, emoji) or ()
        context = with_changes(replace(context, chat=ChatResult(ChatStatus.WAIT)), queued)
    return result_of(context, "only a reaction", is_silent=is_silent)


def own_orders(context: Context, understood: Understood) -> Understood:
    """Return the orders of a player's mail to another player's reply address, as an answer to all readers has.

    They are only those commands that its sender can give now, and those about the account, which are not tried before
    it is known whose they are. Everything else is talk between people. A `yes` or `no` is talk, too, as it may answer
    anything in the mail before.
    """
    kept = []
    context = replace(context, is_trial=True)
    for order in understood.without_answer().orders:
        answer = () if order.command.concerns_account else perform(context, order)
        if not isinstance(answer, Refusal):
            kept.append(order)
            context = carried_out(context, order.line, answer) if answer else context
    return Understood(tuple(kept), "")


def keep_quiet(context: Context, understood: Understood, text: LastText, *, is_told: bool) -> Result:
    """Return the result of a mail that is not answered, because `text` is repeated or follows too many others.

    Its chat waits for the next letter, unless that opponent has it already. Who has got none of it is told nothing.
    `is_told`: the players know it already, so that no letter is written.
    """
    if not is_told:
        context = carried_out(context, "", refused("text_repeated" if text.is_repeated else "texts_in_a_row"))
    if not understood.held and chat.reaches_opponent(context, understood.chat):
        waiting = chat.kept(context, understood.chat)
        is_known = not waiting and context.table.record.standing is Standing.OPEN
        if text.is_repeated and not is_told and is_known:
            context = with_changes(context, (news.TextRepeated(game=context.table.number, seat=context.you),))
        context = with_changes(context, waiting)
    why = "the same text again" if text.is_repeated else "too many texts in a row"
    return result_of(context, f"{why} and no command: probably an automatic reply", is_silent=is_told)


def _with_chat(context: Context, understood: Understood) -> Context:
    """Forward the chat of a mail. If it could be of several games, the answer asks which one."""
    player = context.player
    if not understood.orders and context.claim is None and player and show.running(context, player):
        context = carried_out(context, "", show.no_game(context))
    place = _where_chat_goes(context, understood)
    if place is None:
        return replace(context, chat=ChatResult(ChatStatus.APART))
    result = chat.chat(place, understood, context.reports)
    return with_changes(replace(context, chat=result), result.effects)


def _where_chat_goes(context: Context, understood: Understood) -> Context | None:
    """Return the context for the chat of a mail, which goes with the commands that it stands by.

    It is None if these are all about something else than the game of the mail. Beside `new` it is the guest's.
    """
    if context.game is None or not understood.orders or any(map(_is_about_game, understood.orders)):
        return context
    proposed = context.done(news.GameProposed)
    if proposed:
        record = proposed[0].record
        return replace(context, game=record.number, seat=record.seat_of(record.invited_by))
    return context if context.done(news.SeekJoined) else None


def _is_about_game(order: Order) -> bool:
    """Return whether a command is about the game of the mail. An answer is, and a line that is not clear may be."""
    return order.needs_game or order.command.is_answer or order.is_doubt


def with_passed_over(context: Context, interpreted: Interpreted) -> Context:
    """Close the question that a mail answers without a `yes`, if others may have read the mail.

    The Message-ID of the question's letter proves nothing then. Others may be in Bcc, too, so a question about the
    account is closed by any such answer. Whoever does not confirm a resignation plays on.
    """
    asked = interpreted.questions.answered
    if asked is None or interpreted.understood.says_yes:
        return context
    is_shared = interpreted.sender.is_shared and asked.kind is not PendingKind.REMOVAL
    is_closed = is_shared or asked.kind in CLOSED_BY_OTHERS
    return with_changes(context, closing([asked])) if is_closed else context


def _confirmed(context: Context, asked: Pending, understood: Understood) -> tuple[Context, Understood]:
    """Close the confirmed question. Also return the held commands, now verified, and then the rest of the answer."""
    if asked.kind is PendingKind.REMOVAL:
        later = told("address_leaves", days=LIFETIME.days)
        return carried_out(context, "yes", later), understood.without_answer()
    is_yes, typed = understood.says_yes, understood.orders[0].line
    same = (question for question in open_questions(context, asked.address) if question.is_same_as(asked))
    context = with_changes(context, closing(same))
    if asked.game is not None:
        context = replace(
            context,
            turn=asked.turn,
            version=asked.version,
            confirmed=asked.words if asked.kind in CONFIRMED else None,
        )
    if asked.kind is PendingKind.ADDRESS:
        assert asked.player is not None
        is_mine = context.services.commands.order("", AddressIsMine(asked.player))
        released = Understood((is_mine,), "")
    elif asked.kind is PendingKind.MEANT:
        released = doubts.released(context, asked, understood)
        understood = Understood(understood.orders if understood.says_yes else (), "")
    else:
        released = read(context, asked.words, Expected(waits_in_game(context)))
    rest = understood.without_answer()
    chat = "\n\n".join(filter(None, (released.chat, rest.chat)))
    held = "\n\n".join(filter(None, (released.held, rest.held)))
    confirmed = tuple(
        replace(order, line=order.line.removeprefix("/") if is_yes else typed, is_confirmed=is_yes)
        for order in released.orders
    )
    return context, Understood(confirmed + rest.orders, chat, held, released.beside)


def _mail_resumed(context: Context, understood: Understood) -> NewsAndChanges:
    """Return the changes that resume mail to a player who had sent `stop` and now plays again."""
    plays = any(here(context, order.command).resumes_mail for order in understood.orders)
    player = context.player
    if not plays or player is None or not player.wants_no_mail:
        return ()
    # Bots move again in these games.
    context.load_games([game.number for game in context.games_of(player.id, Standing.OPEN)])
    most = context.services.rates.letters_per_day
    woken = (releasing_letters(player.id, address, most) for address in player.addresses)
    return (of_player(player.id, Player.stopped, None), *woken)


@dataclass(frozen=True, slots=True)
class ShownThings:
    """The commands whose results the answer already shows, and how many more results it may show."""

    shown: frozenset[object] = frozenset()
    left: int = MAX_SHOWN_IN_ANSWER

    def spared(self, order: Order) -> tuple["ShownThings", Said | None]:
        """Return the updated limits, and the answer to the command if its result is not to be shown.

        If that answer is None, the command has to be carried out.
        """
        command = order.command, order.arguments
        if order.command.effect is not Effect.LOOKS or isinstance(order.arguments, Compare):
            # This command may change what the commands before it showed.
            return replace(self, shown=frozenset()), None
        if command in self.shown:
            return self, SHOWN_ABOVE
        if self.left == 0:
            return self, Skipped("many_shown", {"most": MAX_SHOWN_IN_ANSWER})
        return ShownThings(self.shown | {command}, self.left - 1), None


def _run_commands(
    context: Context, understood: Understood, *, is_stopped: bool, is_asked: bool, is_settled: bool
) -> Context:
    """Run the commands in order. After a failure, only comparisons of boards still run.

    `is_stopped`: something has failed before the first command. `is_asked`: the sender is asked about the commands that
    concern their account, all in one letter, and they don't run before a `yes` to it. `is_settled`: this mail says
    `yes` to such a letter.
    """
    doubled = None if is_stopped else two_turns(context, understood.orders)
    orders = without_list_end(understood.orders)
    if doubled is not None:
        # The report is about all turns.
        context, is_stopped = carried_out(context, *doubled), True
        orders = tuple(order for order in orders if not isinstance(order.arguments, Play))
    asked = ShownThings()
    held: list[Order] = []
    offered: tuple[str, ...] = ()
    for order in (order for order in orders if not order.is_doubt):
        # Boards are compared even after a failure, because a move often fails when the player's board differs.
        is_look = isinstance(order.arguments, Compare)
        if context.done(news.PlayerErased) or (is_stopped and not is_look):
            context = carried_out(context, order.line, Skipped(), is_confirmed=order.is_confirmed)
            continue
        asked, spared = asked.spared(order)
        answer = doubts.with_way_back(context, order, spared or perform(context, order))
        if isinstance(answer, tuple) and _needs_yes(order, is_asked=is_asked, is_settled=is_settled):
            held.append(order)
            continue
        context = carried_out(context, order.line, answer, is_confirmed=order.is_confirmed)
        is_stopped = is_stopped or (isinstance(answer, Refusal) and not is_look)
    for doubt in (order for order in orders if order.is_doubt):
        # What is offered has to be possible after the orders of the mail.
        answer, lines = doubts.answered(context, doubt, understood)
        context, offered = carried_out(context, doubt.line, answer), offered + lines
    context = with_changes(context, doubts.ask(context, offered, understood))
    return with_changes(context, confirmation.ask_about_account(context, held)) if held else context


def _needs_yes(order: Order, *, is_asked: bool, is_settled: bool) -> bool:
    """Return whether the sender still has to confirm a command by a `yes` to a letter of its own."""
    if order.is_confirmed and is_settled:
        return False
    return order.command.is_always_asked or (is_asked and order.command.concerns_account)
