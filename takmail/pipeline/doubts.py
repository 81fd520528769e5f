"""Answer a line that is probably an order: offer what it may mean, if that can be done now."""

from collections.abc import Sequence
from dataclasses import replace

from takmail.commands import pending, questions
from takmail.commands.answers import Answer, NewsAndChanges, OfferedLine, Refusal, refused
from takmail.commands.command import LineFault, Order, Unclear
from takmail.commands.command_list import perform
from takmail.commands.context import Context
from takmail.commands.grammar.arguments import Play
from takmail.commands.grammar.descriptions import takes_back
from takmail.commands.grammar.normalize import clipped
from takmail.commands.grammar.understand import Understood
from takmail.commands.play import waits_for_opponent
from takmail.commands.redaction import without_addresses
from takmail.limits.questions import MAX_HELD_CHARS
from takmail.limits.words import MAX_OFFERED_LINES, MAX_SAID_AGAIN_CHARS
from takmail.pipeline.interpret import read
from takmail.vocabulary import table, words_of
from takmail.world import BEGUN, Pending, PendingKind
from takmail.world.news import MeaningAsked

_ANSWERS_TO_DRAW = ("agree draw", "refuse draw")
_TOO_LATE = ("not_your_turn", "played_otherwise")
"""The answers to a move that offer to take the last one back."""


def answered(context: Context, order: Order, understood: Understood) -> tuple[Refusal, tuple[str, ...]]:
    """Return the answer to a line of a mail that is probably an order, and the lines that it offers.

    What would be refused is not offered. If nothing else is meant, its refusal is the answer. Several doubts share the
    lines that an answer may offer. Whoever has moved already is offered to take the move back.
    """
    doubt, trial = order.arguments, replace(context, is_trial=True)
    assert isinstance(doubt, Unclear)
    doubts = [other for other in understood.orders if other.is_doubt]
    place = doubts.index(order)
    most = MAX_OFFERED_LINES // len(doubts) or int(place < MAX_OFFERED_LINES)
    is_early = doubt.is_turn and waits_for_opponent(context)
    # Who writes of another move may not mean to take one back, so that no bare "yes" does it.
    is_remedy = is_early and not (takes_back(order.line) or table("changing").matches(words_of(order.line)))
    lines = ("undo",) if is_early else _meant_by(context, doubt, understood) if most else ()
    in_ptn = _turns(read(context, f"ptn {order.line}")) if "reads ptn" in doubt.offers else ()
    orders = ((line, meant) for line in lines for meant in read(context, line).orders if not meant.is_doubt)
    tried = [
        (meant.canonical(context.services.games) or line, meant, perform(trial, meant))
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
    # The words of the mail are told once, below its last doubt.
    held = understood.held if place == len(doubts) - 1 else ""
    words = " ".join(without_addresses(context, held).split())
    may_ask = _may_ask(context) and bool(offers) and not is_remedy
    beside = understood.beside if may_ask else ""
    facts = {
        "offers": tuple(offers),
        "refusal": refusal if is_early or not offers else None,
        "words": words if len(words) <= MAX_SAID_AGAIN_CHARS else "",
        "has_words": bool(words),
        "asks": may_ask and len(doubts) == len(offers) == 1,
        "beside": beside if len(beside) <= MAX_SAID_AGAIN_CHARS else "",
        "is_kept": bool(beside),
    }
    return Refusal("doubt", {**unclear.facts, **facts}), tuple(offer.line for offer in offers if may_ask)


def _meant_by(context: Context, doubt: Unclear, understood: Understood) -> tuple[str, ...]:
    """Return the lines that a doubt may mean. Who takes a move back may mean any move of the mail.

    Whoever writes of a draw while the opponent offers one may agree to it or refuse it.
    """
    if doubt.fault is LineFault.TAKEN_BACK:
        return _turns(understood)
    has_draw = context.game is not None and bool(
        pending.offers_of(context, context.you.other, PendingKind.DRAW)
    )
    return _ANSWERS_TO_DRAW if has_draw and doubt.offers == ("draw",) else doubt.offers


def _turns(understood: Understood) -> tuple[str, ...]:
    """Return the turns of a mail."""
    return tuple(
        dict.fromkeys(
            order.arguments.text for order in understood.orders if isinstance(order.arguments, Play)
        )
    )


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


def ask(context: Context, lines: Sequence[str], understood: Understood) -> NewsAndChanges:
    """Ask which of the offered lines is meant. A `yes` means the only one. The words beside the doubt wait for it."""
    if not lines or any("\n" in line for line in lines) or not _may_ask(context):
        return ()
    words = clipped("\n".join(dict.fromkeys(lines)) + "\n\n" + understood.beside, MAX_HELD_CHARS)
    # The lines are possible on the current board, whichever the answered letter shows.
    now = replace(context, version=None, turn=None)
    return questions.ask(
        context, MeaningAsked(question=questions.question_to_seat(now, PendingKind.MEANT, words))
    )


def _may_ask(context: Context) -> bool:
    return context.game is not None and context.player_verified and context.table.record.standing in BEGUN


def chosen(asked: Pending, understood: Understood) -> str:
    """Return the offered line that is the only order of an answer, '' if there is none. A `no` refuses a draw."""
    choices = _choices(asked)
    typed = [order.line.lower() for order in understood.orders]
    if [order.command.keyword for order in understood.orders] == ["no"] and tuple(
        choices
    ) == _ANSWERS_TO_DRAW:
        return choices[-1]
    return next((line for line in choices if typed == [line.lower()]), "")


def _choices(asked: Pending) -> list[str]:
    return asked.words.partition("\n\n")[0].split("\n")


def released(context: Context, asked: Pending, understood: Understood) -> Understood:
    """Return the line that an answer chooses, and the words that wait with it. If it is unclear, it is asked again.

    Who writes the line and words of their own has changed their mind about the others.
    """
    choices, words = _choices(asked), asked.words.partition("\n\n")[2]
    line = chosen(asked, understood)
    if line and understood.chat:
        words = ""
    elif len(choices) == 1 and understood.says_yes:
        (line,) = choices
    words = "\n\n".join(filter(None, (words, understood.chat)))
    if line:
        return read(context, f"{line}\n\n{words}")
    doubt = context.services.commands.order(
        understood.orders[0].line, Unclear(LineFault.MEANT, offers=tuple(choices))
    )
    return Understood((doubt,), "", words, words)


def _offered(context: Context, line: str, order: Order, *, in_ptn: bool = False) -> OfferedLine:
    """Return a line that can be carried out, with what it would do. `in_ptn` is that of `OfferedLine`."""
    if not isinstance(order.arguments, Play):
        topics = order.command.topics
        is_about_word = order.command.keyword == "help" and order.line != "help"
        return OfferedLine(line, "" if is_about_word or not topics else topics[0])
    effect = context.table.state.effect(order.arguments.text)
    if effect is not None:
        # What a call of tak means is told later.
        effect = replace(effect, facts={**effect.facts, "tak": False})
    return OfferedLine(line, "", effect, in_ptn=in_ptn)
