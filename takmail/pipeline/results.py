"""Make the context of a cause, carry out commands in it, and make the result of it."""

from collections.abc import Sequence

from takmail.commands import profile, show
from takmail.commands.answers import (
    Answer,
    Assurance,
    CauseResult,
    Refusal,
    RefusalError,
    Reported,
    Said,
    SeatClaim,
    Sender,
    not_open,
    refuse_if,
    refused_to_all,
)
from takmail.commands.command import Command, Needs, Order
from takmail.commands.context import Answered, Author, Context
from takmail.commands.grammar.normalize import as_typed, clipped
from takmail.commands.grammar.understood import Understood, of_orders
from takmail.games.readonly import replace
from takmail.letters.news.rows import has_row
from takmail.letters.services import Services
from takmail.limits.words import MAX_REPEATED_LINE_CHARS
from takmail.mail.address import mask_addresses
from takmail.pipeline.reactions import settled
from takmail.world import GameNumber, MailState, PlayerId, SentLetter, Snapshot, World, events


def context_of(services: Services, snapshot: Snapshot, sender: Sender | None = None) -> Context:
    """Return the context of a cause before a game is found. `sender` is None if the cause is not a mail."""
    return Context(
        services=services,
        now=snapshot.now,
        seed=snapshot.seed,
        cause=snapshot.cause,
        author=Author()
        if sender is None
        else Author(sender.address, sender.name, sender.utc_offset, sender.address_verified),
        player=None if sender is None else sender.player,
        world=snapshot.world,
    )


def seated_context(context: Context, claim: SeatClaim, answered: SentLetter | None = None) -> Context:
    """Return the context of a mail that was written for a seat.

    `answered` is the letter that the mail answers. The context gets its version only if it went to the same seat, and
    nothing newer is answered.
    """
    is_of_seat = answered is not None and (answered.game, answered.seat) == (claim.game, claim.seat)
    version = answered.version if answered is not None and is_of_seat and claim.turn is not None else None
    return replace(
        context,
        claim=claim,
        game_number=claim.game,
        seat=claim.seat,
        player_verified=claim.player_verified,
        answered=Answered(context.answered.letter, version, claim.turn),
    )


def perform(context: Context, order: Order) -> Answer:
    """Carry out one command and return its answer."""
    command, context = (
        here(context, order.command),
        replace(context, line=replace(context.line, text=order.line)),
    )
    try:
        refuse_if(_game_refused(context, command, order))
        if command.makes_player and not profile.may_join(context):
            return refused_to_all("newcomer")
        return command.run(context) if order.arguments is None else command.run(context, order.arguments)
    except RefusalError as refused_within:
        return refused_within.refusal


def here(context: Context, command: Command) -> Command:
    """Return what a command is in the game of the mail."""
    is_relay = context.game_number is not None and not context.game.keeps_board
    return command.in_relay if is_relay and command.in_relay is not None else command


def _game_refused(context: Context, command: Command, order: Order) -> Refusal | None:
    """Return a refusal if the mail is about no game that the command can be carried out in, otherwise None."""
    if order.needs_game and context.game_number is None:
        return show.no_game(context)
    if command.needs in (Needs.NOTHING, Needs.GAME):
        return None
    game, record = context.game, context.game.record
    is_ready = {
        Needs.SEATED: game.has_final_seats,
        Needs.BEGUN: record.has_begun,
        Needs.OPEN: record.is_open,
    }
    return None if is_ready[command.needs] else not_open(record)


def refusable(context: Context, understood: Understood) -> Understood | None:
    """Return the commands to answer at once if the first that needs proof fails for every sender, otherwise None.

    So nobody is asked who wrote them. The commands after it would be skipped.
    """
    orders, games = understood.orders, context.services.games
    first = next(index for index, order in enumerate(orders) if order.command.needs_proof)
    # Only such commands have refusals for all, and the others may read what nobody else may cause to be read.
    answer = perform(context.supposing(), orders[first]) if orders[first].command.makes_player else ()
    if not (isinstance(answer, Refusal) and answer.is_for_all):
        return None
    before = (replace(order, line=line) for order in orders[:first] if (line := order.canonical(games)))
    return of_orders((*before, replace(orders[first], line="")), understood.chat)


def carried_out(context: Context, line: str, answer: Answer, *, is_confirmed: bool = False) -> Context:
    """Return the context after the command in `line`: its answer's events are applied, and its report is added.

    The first event that letters tell reports it. Events before that, such as that the sender joins, are bookkeeping.
    """
    shown = clipped(mask_addresses(line), MAX_REPEATED_LINE_CHARS)
    happening = answer.effects if isinstance(answer, Said) else answer
    after, followed = settled(context, happening)
    first = (
        answer
        if isinstance(answer, Said)
        else _first_told(after.so_far.happened[len(context.so_far.happened) :])
    )
    report = Reported(shown, first, is_confirmed, followed)
    so_far = replace(after.so_far, reports=(*after.so_far.reports, report))
    return _continued(context, replace(after, so_far=so_far), first)


def as_written(result: CauseResult, typed: str) -> CauseResult:
    """Return the result with its lines as they stand in what was typed, such as with full-width marks."""
    if typed.isascii() or not result.reports:
        return result
    written: dict[str, str] = {}
    sought = {report.line for report in result.reports}
    for raw in typed.splitlines():
        forms = ((line, as_typed(line, raw)) for line in sought.difference(written))
        written |= {line: form for line, form in forms if form != line}
    reports = tuple(replace(report, line=written.get(report.line, report.line)) for report in result.reports)
    return replace(result, reports=reports)


def _first_told(happened: Sequence[events.Event]) -> events.Event:
    first = next((event for event in happened if has_row(event)), None)
    assert first is not None, "a command is answered by an event that no letter tells"
    return first


def _continued(before: Context, after: Context, first: Said | events.Event) -> Context:
    """Continue where the answer to a command leads. `first` is what reports it.

    After an erasure, continue without a game and without a player. When a game begins, its players may have swapped
    their seats.
    """
    if before.player is not None and after.player is None:
        return replace(after, claim=None, game_number=None, seat=None, player_verified=False)
    number = before.game_number if isinstance(first, Said) else first.goes_on_in(before.game_number)
    if number is None:
        return after
    is_same = number == before.game_number and _players(after.world, number) == _players(before.world, number)
    return after if is_same else _entered(after, number)


def _players(world: World, number: GameNumber) -> tuple[PlayerId, ...]:
    return tuple(world.game(number).record.players)


def _entered(context: Context, number: GameNumber) -> Context:
    """Continue in a game that the sender has just entered."""
    assert context.player is not None
    seat = context.world.game(number).record.seat_of(context.player.id)
    return seated_context(context, SeatClaim(number, seat, Assurance.PLAYER))


def cause_result(
    context: Context, note: str = "", *, is_silent: bool = False, mail_state: MailState | None = None
) -> CauseResult:
    """Return the result of everything done so far. The arguments are as in `CauseResult`."""
    return CauseResult(
        world=context.world,
        happened=context.so_far.happened,
        reports=context.so_far.reports,
        chat=context.so_far.chat,
        ended=events.ended_games(context.so_far.happened),
        claim=context.claim,
        player=context.player,
        note=note,
        is_silent=is_silent,
        mail_state=mail_state,
    )
