"""Answer a line that is probably an order: offer what it may mean, if that can be done now."""

from collections.abc import Sequence
from dataclasses import replace

from takmail.commands import pending, questions, show
from takmail.commands.advance_plans import lines_of_plan
from takmail.commands.answers import Answer, Events, OfferedLine, Refusal, refused
from takmail.commands.command import Effect, LineFault, Order, Unclear
from takmail.commands.context import Context
from takmail.commands.grammar.arguments import Play
from takmail.commands.grammar.descriptions import words_that_take_back
from takmail.commands.grammar.line_reader import LOOK_ALIKES
from takmail.commands.grammar.parts import OrderOrWords
from takmail.commands.grammar.understood import Understood, of_orders
from takmail.commands.lessons import asks_for_thought
from takmail.commands.play import waits_for_opponent
from takmail.commands.redaction import is_stranger, without_addresses
from takmail.games.kit.naming import PLACE
from takmail.limits.words import MAX_NAMED_TURNS, MAX_OFFERED_LINES, MAX_SAID_AGAIN_CHARS
from takmail.pipeline.interpret import read, reader_of
from takmail.pipeline.results import perform
from takmail.pipeline.said_to_bots import plays_bot, said_to_bot
from takmail.vocabulary import table, words_of
from takmail.world import Pending, PendingKind
from takmail.world.events import MeaningAsked

_ANSWERS_TO_DRAW = ("agree draw", "refuse draw")
_TOO_LATE = ("not_your_turn", "played_otherwise")
"""The answers to a move that offer to take the last one back."""


def answered(context: Context, order: Order, understood: Understood) -> tuple[Refusal, tuple[str, ...]]:
    """Return the answer to a line of a mail that is probably an order, and the lines that it offers.

    What would be refused is not offered. If nothing else is meant, its refusal is the answer. Several doubts share the
    lines that an answer may offer. Whoever has moved already is offered to take the move back.
    """
    doubt, supposing = order.arguments, context.supposing()
    assert isinstance(doubt, Unclear)
    if doubt.is_turn and context.game_number is None:
        return show.no_game(context), ()  # no rule of a game says anything
    doubts = [other for other in understood.orders if other.is_doubt]
    place = doubts.index(order)
    most = MAX_OFFERED_LINES // len(doubts) or int(place < MAX_OFFERED_LINES)
    is_early = doubt.is_turn and waits_for_opponent(context)
    # Who writes of another move may not mean to take one back, so that no bare "yes" does it.
    is_remedy = is_early and not (
        words_that_take_back(order.line) or table("changing").matches(words_of(order.line))
    )
    lines = ("undo",) if is_early else _meant_by(context, order.line, doubt) if most else ()
    in_ptn = _turns(read(context, f"ptn {order.line}")) if "reads ptn" in doubt.offers else ()
    orders = ((line, meant) for line in lines for meant in read(context, line).orders if not meant.is_doubt)
    tried = [
        (meant.canonical(context.services.games) or line, meant, perform(supposing, meant))
        for line, meant in orders
    ]
    offers = [
        _offered(context, line, meant, in_ptn=line in in_ptn)
        for line, meant, answer in tried
        if not isinstance(answer, Refusal)
    ][:most]
    refusals = (answer for _, _, answer in tried if isinstance(answer, Refusal))
    refusal = refused("not_your_turn") if is_early else next(refusals, None)
    if refusal is not None and all(offer.keyword == "reads" for offer in offers):
        offers = []  # The reason is more useful than another notation.
    unclear = order.command.run(context, doubt)
    assert isinstance(unclear, Refusal)
    may_ask = _may_ask(context, [offer.line for offer in offers]) and bool(offers) and not is_remedy
    # The lines as words are told once, below the last doubt.
    lines_as_words = understood.asked_about if place == len(doubts) - 1 else ""
    words = " ".join(without_addresses(context, lines_as_words).split())
    facts = {
        "offers": tuple(offers),
        "refusal": refusal if is_early or not offers else None,
        "words": words if len(words) <= MAX_SAID_AGAIN_CHARS else "",
        "has_words": bool(words),
        "asks": may_ask and len(doubts) == len(offers) == 1 and not doubt.is_rejected,
    }
    choices = tuple(offer.line for offer in offers) if may_ask else ()
    needs_line = (questions.NEEDS_LINE,) if choices and doubt.is_rejected else ()
    return Refusal("doubt", {**unclear.facts, **facts}), (*choices, *needs_line)


def without_settled(context: Context, understood: Understood) -> Understood:
    """Return the content of a mail after its orders were carried out, without the doubts that they have settled.

    Beside a turn that was played, a line that names this turn, or another way to play it, is words about it. So is one
    that names a change which was made, or which the end of the game has made impossible.
    """
    if not (understood.holds_words and context.so_far.reports):
        return understood
    has_played = context.has_played_turn
    is_ended = has_played and context.game.record.is_over
    is_refused = any(isinstance(report.answer, Refusal) for report in context.so_far.reports)
    orders = [order for order in understood.orders if order.command.changes and not is_refused]
    supposing = context.supposing()

    def is_settled(doubt: Unclear) -> bool:
        if has_played and (doubt.is_turn or doubt.fault is LineFault.SENTENCE):
            return True
        meant = [order for line in doubt.offers for order in read(context, line).orders]
        is_done = all(
            any((order.command, order.arguments) == (done.command, done.arguments) for done in orders)
            for order in meant
        )
        is_too_late = is_ended and all(isinstance(perform(supposing, order), Refusal) for order in meant)
        return bool(meant) and (is_done or is_too_late)

    return Understood(
        tuple(
            OrderOrWords(part.raw)
            if part.order is not None
            and isinstance(part.order.arguments, Unclear)
            and is_settled(part.order.arguments)
            else part
            for part in understood.parts
        )
    )


def _meant_by(context: Context, line: str, doubt: Unclear) -> tuple[str, ...]:
    """Return the lines that a doubt about a line may mean.

    Whoever writes of a draw while the opponent offers one may agree to it or refuse it.
    """
    has_draw = context.game_number is not None and bool(
        pending.offers_of(context, context.you.other, PendingKind.DRAW)
    )
    if doubt.fault is LineFault.PLAN:
        return lines_of_plan(context, line)
    return _ANSWERS_TO_DRAW if has_draw and doubt.offers == ("draw",) else doubt.offers


def _turns(understood: Understood) -> tuple[str, ...]:
    """Return the turns of a mail."""
    return tuple(
        dict.fromkeys(
            order.arguments.text for order in understood.orders if isinstance(order.arguments, Play)
        )
    )


def with_turns_offered(
    context: Context, answer: Answer, orders: Sequence[Order]
) -> tuple[Answer, tuple[str, ...]]:
    """Return the answer to several turns for one, and the lines that it offers: those that work, as they stand.

    The lines of a touched stack are not offered: who touches it again sees them all.
    """
    if not isinstance(answer, Refusal) or answer.reason != "two_turns" or answer.facts["place"]:
        return answer, ()
    if not context.game.keeps_board:
        return answer, ()
    supposing = context.supposing()
    turns = {order.arguments.text: order for order in orders if isinstance(order.arguments, Play)}
    offers = tuple(
        _offered(context, text, order)
        for text, order in turns.items()
        if not isinstance(perform(supposing, order), Refusal)
    )
    offers = offers[:MAX_OFFERED_LINES]
    return replace(answer, facts={**answer.facts, "offers": offers}), tuple(offer.line for offer in offers)


def turns_named(context: Context, words: str) -> tuple[OfferedLine, ...]:
    """Return the turns that words without a turn may mean: for each place that they name the likeliest that ends there.

    There are none if the sender is not to move.
    """
    places = dict.fromkeys(PLACE.findall(words.lower().translate(LOOK_ALIKES)))
    if not (places and context.game_number is not None and reader_of(context).is_to_move):
        return ()
    supposing = context.supposing()
    offers: list[OfferedLine] = []
    for place in places:
        doubts = (order.arguments for order in read(context, place).orders)
        lines = (line for doubt in doubts if isinstance(doubt, Unclear) for line in doubt.offers)
        for order in (
            order for line in lines if line.endswith(place) for order in read(context, line).orders
        ):
            if isinstance(order.arguments, Play) and not isinstance(perform(supposing, order), Refusal):
                offers.append(_offered(context, order.line, order))
                break
        if len(offers) == MAX_NAMED_TURNS:
            break
    return tuple(offers)


def with_way_back(context: Context, order: Order, answer: Answer) -> Answer:
    """Return the answer to a command. It offers `undo` if a move came too late to be another."""
    is_late = isinstance(answer, Refusal) and answer.reason in _TOO_LATE
    if not (is_late and isinstance(order.arguments, Play) and waits_for_opponent(context)):
        return answer
    assert isinstance(answer, Refusal)
    # Only the sender's own last turn can be taken back.
    offers = tuple(
        _offered(context, "undo", undo)
        for undo in read(context, "undo").orders
        if not isinstance(perform(context, undo), Refusal)
    )
    return replace(answer, facts={**answer.facts, "offers": offers})


def ask(context: Context, lines: Sequence[str]) -> Events:
    """Ask which of the offered lines is meant. A `yes` means the only one, unless `NEEDS_LINE` stands beside it."""
    if not lines or any("\n" in line for line in lines) or not _may_ask(context, lines):
        return ()
    words = "\n".join(dict.fromkeys(lines))
    if context.game_number is None:
        asked = questions.question_to_sender(context, PendingKind.MEANT, words)
    else:
        # The lines are possible on the current board, whichever the answered letter shows.
        asked = questions.question_to_seat(context.of_current_board(), PendingKind.MEANT, words)
    return questions.ask(context, MeaningAsked(question=asked))


def _may_ask(context: Context, lines: Sequence[str]) -> bool:
    """Tell whether a `yes` may choose one of the lines that are offered.

    In a game its player has to be verified. Elsewhere a mail without proof may ask no player, as it could push out a
    question of theirs, and a stranger only about lines that change nothing.
    """
    if context.game_number is None:
        return context.author.is_proven or (
            is_stranger(context.player)
            and all(
                order.command.effect is Effect.LOOKS for line in lines for order in read(context, line).orders
            )
        )
    return context.player_verified and context.game.record.has_begun


def as_meant(context: Context, understood: Understood, typed: str, *, is_asked: bool) -> Understood:
    """Return a mail with orders in place of doubts that can mean nothing else, if nobody is to be asked about them.

    What is said to a bot is read so, too. `typed` is the text, and `is_asked`: who wrote the mail is asked.
    """
    if plays_bot(context):
        understood = said_to_bot(context, understood, typed)
    doubts = [part for part in understood.parts if part.order is not None and part.order.is_doubt]
    meant = (_asked_about if is_asked else _wished_of_bot)(context, doubts)
    return Understood(tuple(meant.get(id(part), part) for part in understood.parts)) if meant else understood


def _asked_about(context: Context, doubts: Sequence[OrderOrWords]) -> dict[int, OrderOrWords]:
    """Return the only doubt of a mail about no game as its order, by `id`, none if it may mean others.

    Who wrote the mail is asked with this order, so that one `yes` answers both.
    """
    if context.game_number is not None or len(doubts) != 1:
        return {}
    order = _only_order(context, doubts[0])
    if order is None or not order.command.changes or order.needs_game:
        return {}
    return {id(doubts[0]): replace(doubts[0], order=order)}


def _wished_of_bot(context: Context, doubts: Sequence[OrderOrWords]) -> dict[int, OrderOrWords]:
    """Return the doubts of a mail to a bot that can only ask for a hint or a review as such orders, by `id`.

    Nobody else reads them: "Can I have a hint?"
    """
    if not plays_bot(context):
        return {}
    return {
        id(part): replace(part, order=replace(order, line=part.order.line))
        for part in doubts
        if part.order is not None
        and (order := _only_order(context, part)) is not None
        and asks_for_thought(order)
    }


def _only_order(context: Context, part: OrderOrWords) -> Order | None:
    """Return the order that a doubt can only mean, None if it may mean others."""
    assert part.order is not None
    doubt = part.order.arguments
    assert isinstance(doubt, Unclear)
    orders = read(context, doubt.offers[0]).orders if len(doubt.offers) == 1 and not doubt.is_rejected else ()
    return orders[0] if len(orders) == 1 else None


def chosen(asked: Pending, understood: Understood) -> str:
    """Return the offered line that is the only order of an answer, '' if there is none. A `no` refuses a draw."""
    choices = questions.choices(asked)
    typed = [order.line.lower() for order in understood.orders]
    if [order.command.keyword for order in understood.orders] == ["no"] and choices == _ANSWERS_TO_DRAW:
        return choices[-1]
    return next((line for line in choices if typed == [line.lower()]), "")


def released(context: Context, asked: Pending, understood: Understood) -> Understood:
    """Return the line that an answer chooses. If it is unclear, it is asked again."""
    choices, needs_line = questions.choices(asked), questions.needs_line(asked)
    line = chosen(asked, understood)
    if len(choices) == 1 and understood.says_yes and not needs_line:
        (line,) = choices
    if line:
        return read(context, line)
    doubt = Unclear(LineFault.MEANT, offers=choices, is_rejected=needs_line)
    return of_orders([context.services.commands.order(understood.orders[0].line, doubt)])


def _offered(context: Context, line: str, order: Order, *, in_ptn: bool = False) -> OfferedLine:
    """Return a line that can be carried out, with what it would do. `in_ptn` is that of `OfferedLine`."""
    if not isinstance(order.arguments, Play):
        topics = order.command.topics
        is_about_word = order.command.keyword == "help" and order.line != "help"
        return OfferedLine(line, "" if is_about_word or not topics else topics[0])
    effect = context.game.state.effect(order.arguments.text)
    if effect is not None:
        # What a call of tak means is told later.
        effect = replace(effect, facts={**effect.facts, "tak": False})
    return OfferedLine(line, "", effect, in_ptn=in_ptn)
