"""Read the mail of a player that went to the reply address of another player, as an answer to all readers does."""

from takmail.commands.dispatch import needs_game, needs_proof, perform
from takmail.commands.grammar.commands import Word
from takmail.commands.grammar.understand import Understood
from takmail.pipeline.execute import Execution
from takmail.pipeline.values import Request


def own_orders(work: Execution, request: Request) -> Request:
    """Return the request with only those commands that its sender can give now.

    Everything else is talk between people. A `yes` or `no` is talk, too, as it may answer anything in the mail before.
    """
    kept = []
    for ordered in request.understood.orders:
        if ordered.command in (Word.YES, Word.NO):
            continue
        if needs_proof(ordered) and not needs_game(ordered):
            kept.append(ordered)  # a command about oneself
            continue
        answer = perform(work.context, ordered)
        if isinstance(answer, tuple):
            kept.append(ordered)
            work = work.reported(ordered.line, answer)
    return Request("\n".join(one.line for one in kept), Understood(tuple(kept), ""))
