"""Decide on causes other than mails: an operator's ruling, a refused letter, or overdue rows."""

from collections.abc import Callable

from takmail.commands.context import Context
from takmail.commands.events import Event
from takmail.commands.queries import Queries
from takmail.commands.snapshot import Snapshot
from takmail.letters.compose import compose
from takmail.letters.services import Services
from takmail.pipeline.execute import Execution, context_of
from takmail.pipeline.process import ended_by
from takmail.pipeline.values import Outcome


def decided(
    services: Services,
    queries: Queries,
    snapshot: Snapshot,
    decide: Callable[[Context], tuple[Event, ...]],
) -> Outcome:
    """Return the outcome of a cause that is not a mail, from the events that `decide` returns."""
    context = context_of(services, queries, snapshot)
    result = Execution(context).with_events(decide(context)).result(is_silent=True)
    composed = compose(services, snapshot, None, None, result)
    return Outcome(
        events=composed.events,
        letters=composed.letters,
        ended=ended_by(result),
    )
