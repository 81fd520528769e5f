"""Carry out a decision: run its commands in order, each on the world that the previous one left."""

from dataclasses import dataclass

from takmail.commands import chat, invitations, profile, redaction, relay, show
from takmail.commands.advance import held_by_wishes
from takmail.commands.advance_lines import behind_turns
from takmail.commands.answers import (
    SHOWN_ABOVE,
    CauseResult,
    ChatResult,
    ChatStatus,
    Events,
    Refusal,
    Said,
    Sender,
    Skipped,
    refused,
    told,
)
from takmail.commands.command import Confirmation, Effect, Order
from takmail.commands.context import Context
from takmail.commands.grammar.answers import Expected
from takmail.commands.grammar.arguments import AddressIsMine, Compare, Play
from takmail.commands.grammar.understood import Understood, of_orders
from takmail.commands.play import two_turns, without_list_end
from takmail.commands.questions import closing, same_questions
from takmail.games.readonly import replace
from takmail.limits.letters import MAX_SHOWN_IN_ANSWER
from takmail.pipeline import confirmation, doubts
from takmail.pipeline.authorize import Action
from takmail.pipeline.confirmation import waits_in_game
from takmail.pipeline.interpret import Interpreted, read
from takmail.pipeline.reactions import with_events
from takmail.pipeline.results import carried_out, cause_result, here, perform
from takmail.world import (
    CLOSED_BY_OTHERS,
    CONFIRMED,
    LIFETIME,
    LastText,
    Pending,
    PendingKind,
    events,
)


def execute(
    context: Context,
    sender: Sender,
    decision: Action,
    understood: Understood,
    answered: Pending | None = None,
    *,
    has_free_text: bool = True,
) -> CauseResult:
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
        context = with_events(context, profile.remember_name(context))
        context = with_events(context, profile.remember_zone(context))
    if sender.is_verified:
        context = with_events(context, _mail_resumed(context, understood))
    context, held, offered = _run_commands(
        context,
        understood,
        is_stopped=decision is Action.LATE,
        # Somebody who has never written has no account yet that others could take.
        is_asked=not sender.is_signed and not redaction.is_stranger(sender.player),
        # A letter of a game that asks goes into its thread, so its answers may be seen by others.
        is_settled=decision is Action.CONFIRM and answered is not None and answered.game is None,
    )
    understood = doubts.without_settled(context, understood)
    context = _ask_what_is_meant(context, understood, offered)
    context = with_events(context, confirmation.ask_about_account(context, held)) if held else context
    if decision is Action.RUN:
        context = with_events(context, confirmation.ask_in_new_language(context, answered))
    context = _with_words(context, understood)
    context = with_events(context, relay.has_written(context))
    if sender.is_verified:
        context = with_events(context, invitations.ask_next(context))
    is_only_asked = not (context.so_far.reports or understood.chat) and bool(held)
    return cause_result(context, confirmation.HELD if is_only_asked else "", is_silent=is_only_asked)


def react(context: Context, emoji: str, *, is_silent: bool) -> CauseResult:
    """Return the result of a mail that is only a reaction: it waits for the next letter to the opponent."""
    if emoji and chat.reaches_opponent(context, emoji):
        queued = chat.queued(context, emoji) or ()
        context = with_events(context.with_chat(ChatResult(ChatStatus.WAIT)), queued)
    return cause_result(context, "only a reaction", is_silent=is_silent)


def own_orders(context: Context, understood: Understood) -> Understood:
    """Return the orders of a player's mail to another player's reply address, as an answer to all readers has.

    They are only those commands that its sender can give now, and those about the account, which are not tried before
    it is known whose they are. Everything else is talk between people. A `yes` or `no` is talk, too, as it may answer
    anything in the mail before.
    """
    kept = []
    context = context.supposing()
    for order in understood.without_answer().orders:
        answer = () if order.command.concerns_account else perform(context, order)
        if not isinstance(answer, Refusal):
            kept.append(order)
            context = carried_out(context, order.line, answer) if answer else context
    return of_orders(kept)


def keep_quiet(context: Context, understood: Understood, text: LastText, *, is_told: bool) -> CauseResult:
    """Return the result of a mail that is not answered, because `text` is repeated or follows too many others.

    Its chat waits for the next letter, unless that opponent has it already. Who has got none of it is told nothing.
    `is_told`: the players know it already, so that no letter is written.
    """
    if not is_told:
        is_heard = chat.reaches_opponent(context, understood.chat)
        in_a_row = refused("texts_in_a_row", is_heard=is_heard)
        context = carried_out(context, "", refused("text_repeated") if text.is_repeated else in_a_row)
    if not understood.held and chat.reaches_opponent(context, understood.chat):
        waiting = chat.kept(context, understood.chat)
        is_known = not waiting and context.game.record.is_open
        if text.is_repeated and not is_told and is_known:
            context = with_events(context, (events.TextRepeated(game=context.game.number, seat=context.you),))
        context = with_events(context, waiting)
    why = "the same text again" if text.is_repeated else "too many texts in a row"
    return cause_result(context, f"{why} and no command: probably an automatic reply", is_silent=is_told)


def _with_words(context: Context, understood: Understood) -> Context:
    """Pass the words of a mail on, or keep them. If they could be of several games, the answer asks which one.

    Words go with what was done. Beside something that was refused or asked about they are kept, and go with what the
    sender does next.
    """
    if dropped := chat.dropped(context, understood):
        return with_events(context.with_chat(dropped), dropped.effects)
    words = understood.beside
    if not words and not chat.releases_words(context):
        return context
    player = context.player
    if not understood.orders and context.claim is None and player and show.running(context, player):
        context = carried_out(context, "", show.no_game(context))
    place = _where_chat_goes(context, understood)
    if place is None:
        return context.with_chat(ChatResult(ChatStatus.APART))
    result = chat.chat(place, understood)
    if result.status is ChatStatus.SENT and not understood.orders:
        result = replace(result, offers=doubts.turns_named(place, words))
    return with_events(context.with_chat(result), result.effects)


def _where_chat_goes(context: Context, understood: Understood) -> Context | None:
    """Return the context for the chat of a mail, which goes with the commands that it stands by.

    It is None if these are all about something else than the game of the mail. Beside `new` and `rematch` it is the
    guest's.
    """
    proposed, begun = context.proposed_games, context.world.new_games
    is_rematch = bool(proposed) and proposed[0].record.rematch_of == context.game_number
    is_about_game = not is_rematch and any(map(_is_about_game, understood.orders))
    if context.game_number is None or not understood.orders or is_about_game:
        return context
    if proposed:
        record = proposed[0].record
        return replace(context, game_number=record.number, seat=record.seat_of(record.invitation.host))
    return context if begun else None


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
    says_no = any(order.command.keyword == "no" for order in interpreted.understood.orders)
    # Whoever does not resign does not take leave any more. A `no` alone drops the words later, and says so.
    takes_no_leave = asked.kind is PendingKind.RESIGN and says_no and interpreted.understood.beside
    farewell = chat.quoted_words(context) if takes_no_leave else ()
    return with_events(context, closing([asked, *farewell])) if is_closed else context


def _confirmed(context: Context, asked: Pending, understood: Understood) -> tuple[Context, Understood]:
    """Close the confirmed question. Also return the held commands, now verified, and then the rest of the answer."""
    if asked.kind is PendingKind.REMOVAL:
        later = told("address_leaves", days=LIFETIME.days)
        return carried_out(context, "yes", later), understood.without_answer()
    is_yes, typed = understood.says_yes, understood.orders[0].line
    context = with_events(context, closing(same_questions(context, asked)))
    if asked.game is not None:
        context = replace(
            context,
            answered=replace(context.answered, turn=asked.turn, version=asked.version),
            line=replace(context.line, confirmed=asked.words if asked.kind in CONFIRMED else None),
        )
    rest = understood.without_answer()
    if asked.kind is PendingKind.ADDRESS:
        assert asked.player is not None
        released = of_orders([context.services.commands.order("", AddressIsMine(asked.player))])
    elif asked.kind is PendingKind.MEANT:
        released = doubts.released(context, asked, understood)
        rest = rest if is_yes else Understood(tuple(part for part in rest.parts if part.order is None))
    else:
        released = read(context, asked.words, Expected(waits_in_game(context)))
    confirmed = tuple(
        part
        if part.order is None
        else replace(
            part,
            order=replace(
                part.order,
                line=part.order.line.removeprefix("/") if is_yes else typed,
                is_confirmed=is_yes,
            ),
        )
        for part in released.parts
    )
    return context, Understood((*confirmed, *rest.parts))


def _mail_resumed(context: Context, understood: Understood) -> Events:
    """Return what resumes mail to a player who had sent `stop` and now plays again."""
    plays = any(here(context, order.command).resumes_mail for order in understood.orders)
    player = context.player
    if not plays or player is None or not player.wants_no_mail:
        return ()
    most = context.services.rates.letters_per_day
    released = (
        events.LettersReleased(player=player.id, address=address, max_postponed=most)
        for address in player.addresses
    )
    return (events.MailResumed(player=player.id), *released)


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
) -> tuple[Context, list[Order], tuple[str, ...]]:
    """Run the commands in order. After a failure, only comparisons of boards still run.

    Also return the commands that wait, and the lines that are offered in place of several turns.

    `is_stopped`: something has failed before the first command. `is_asked`: the sender is asked about the commands that
    concern their account, all in one letter, and they don't run before a `yes` to it. `is_settled`: this mail says
    `yes` to such a letter.
    """
    offered: tuple[str, ...] = ()
    doubled = None if is_stopped else two_turns(context, understood.orders)
    orders = behind_turns(without_list_end(understood.orders))
    if doubled is not None:
        # The report is about all turns.
        lines, answer = doubled
        answer, offered = doubts.with_turns_offered(context, answer, orders)
        context, is_stopped = carried_out(context, lines, answer), True
        orders = tuple(order for order in orders if not isinstance(order.arguments, Play))
    asked, player = ShownThings(), context.player
    held: list[Order] = []
    for order in (order for order in orders if not order.is_doubt):
        # Boards are compared even after a failure, because a move often fails when the player's board differs.
        is_look = isinstance(order.arguments, Compare)
        is_erased = player is not None and context.player is None
        if is_erased or (is_stopped and not is_look):
            context = carried_out(context, order.line, Skipped(), is_confirmed=order.is_confirmed)
            continue
        if any((order.command, order.arguments) == (one.command, one.arguments) for one in held):
            continue  # The question names it once, and trying it again would compute the same.
        asked, spared = asked.spared(order)
        answer = doubts.with_way_back(context, order, spared or perform(context, order))
        if isinstance(answer, tuple) and _needs_yes(order, is_asked=is_asked, is_settled=is_settled):
            held.append(order)
            continue
        context = carried_out(context, order.line, answer, is_confirmed=order.is_confirmed)
        is_stopped = is_stopped or (isinstance(answer, Refusal) and not is_look)
    return context, held, offered


def _ask_what_is_meant(context: Context, understood: Understood, offered: tuple[str, ...]) -> Context:
    """Answer the lines that are only probably orders. What is offered is possible after the orders of the mail.

    `offered` are the lines that the answers to these orders offer.
    """
    for doubt in (order for order in understood.orders if order.is_doubt):
        answer, lines = doubts.answered(context, doubt, understood)
        context, offered = carried_out(context, doubt.line, answer), offered + lines
    context = with_events(context, doubts.ask(context, offered))
    return with_events(context, held_by_wishes(context))


def _needs_yes(order: Order, *, is_asked: bool, is_settled: bool) -> bool:
    """Return whether the sender still has to confirm a command by a `yes` to a letter of its own."""
    if order.is_confirmed and is_settled:
        return False
    command = order.command
    return command.confirmation is Confirmation.ALWAYS or (is_asked and command.concerns_account)
