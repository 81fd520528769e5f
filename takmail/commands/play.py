"""The command that plays a turn, and every way in which a turn can miss its place."""

from collections.abc import Sequence

from takmail.commands import offers
from takmail.commands.answers import Answer, Events, Refusal, ShownAbove, refused
from takmail.commands.context import Context
from takmail.commands.events import (
    Event,
    GameEnded,
    ProposalAgreed,
    ProposalMade,
    ProposalRepeated,
    QuestionClosed,
    TurnDoubted,
    TurnPlayed,
    TurnRepeated,
)
from takmail.commands.game.turn_labels import Played, played
from takmail.commands.grammar.commands import Play
from takmail.commands.grammar.understand import Understood
from takmail.commands.kinds import BEGUN, OfferEnd, QuestionKind, Standing
from takmail.commands.questions import OF_SEAT, asked_of_seat, making_room
from takmail.commands.records import Question
from takmail.commands.turn_reference import shows_what_is_gone
from takmail.commands.unavailable import not_open
from takmail.games.interface import NearMiss, Reason, Refused, State


def play(context: Context, command: Play, line: str) -> Answer:
    """Play a turn if it is the sender's to play, was meant for now, and keeps the rules."""
    misplaced = _misplaced(context, command)
    if misplaced is not None:
        return misplaced
    table = context.table
    try:
        after = table.state.play(command.text)
    except Refused as fault:
        return refused("refused", game=table.rules.name, reason=fault.reason, turn=command.text, fixes=())
    doubt = table.state.asks_before(command.text)
    if doubt is not None and line != context.doubted:
        return _doubted(context, command.text, line, doubt)
    gone = offers.lapsing(context)
    turn = TurnPlayed(
        game=table.number,
        turn=next_turn(context, command.text, line),
        written=line,
        at=context.now,
        checksum=after.checksum,
        mail=context.mail,
        ends_proposal=any(map(offers.is_proposal, gone)),
    )
    end = () if after.result is None else (GameEnded(game=table.number, score=after.result.score),)
    return (turn, *followed(context), *end)


def next_turn(context: Context, text: str, line: str) -> Played:
    """The sender's turn in canonical form that comes next, as letters name it; `line` is how it was written."""
    table, you = context.table, context.you
    is_passed_on = not table.keeps_board and line.lower() != text
    name, number = table.players[you].name, len(table.turns) + 1
    return Played(number, you, name, text, written=line if is_passed_on else "")


def followed(context: Context) -> Events:
    """What a turn of the sender's closes: offers about the board before it, what they were asked, and resignations."""
    answered = [
        one for one in context.table.questions if one.seat == context.you or one.kind == QuestionKind.RESIGN
    ]
    return (
        *offers.closed(context, offers.lapsing(context), OfferEnd.LAPSED),
        *(QuestionClosed(question=one.id) for one in answered),
    )


def near_miss(context: Context, miss: NearMiss) -> Refusal:
    """Say what a line that is almost a turn lacks, with the readings to choose from."""
    return refused("refused", game=context.table.rules.name, reason=miss.reason, turn="", fixes=miss.fixes)


def same_turn(state: State, one: str, other: str) -> bool:
    """Whether two turns come to the same, whatever courtesies they carry."""
    if one == other:
        return True
    try:
        return state.play(one).board() == state.play(other).board()
    except Refused:
        return False


def two_turns(context: Context, understood: Understood) -> tuple[str, Refusal] | None:
    """Two different moves for one turn: neither is played, and the answer to their lines says so; None: there are none.

    The one report about them names them all.
    """
    turns = [(one.line, one.command.text) for one in understood.orders if isinstance(one.command, Play)]
    if context.game is None or len(turns) < 2:
        return None
    (_, text), *others = turns
    table = context.table
    # Of a game that keeps no board only its first position is known, in which its lines are read.
    state = table.state if table.keeps_board else table.rules.referee.start(table.record.setup)
    if all(same_turn(state, text, other) for _, other in others):
        return None
    return " / ".join(line for line, _ in turns), refused("two_turns")


def _misplaced(context: Context, command: Play) -> Answer | None:
    """Why this is not the time for the turn, if it isn't."""
    table = context.table
    count = len(table.turns)
    meant = command.number
    if meant is None and context.turn is not None:
        meant = context.turn + 1
    closed = not_open(table.record) or _clashes(context)
    if table.record.standing not in BEGUN:
        return closed
    repeated = _repeated(context, command, count if meant is None else meant)
    if repeated or closed:
        return repeated or closed
    if shows_what_is_gone(context):
        return refused("gone")
    if meant is not None and meant != count + 1:
        return refused("too_early" if meant > count + 1 else "stale", meant=meant, turns=count)
    if table.state.to_move != context.you:
        # Sent once more in answer to the very letter that told of it.
        return _repeated(context, command, count) or refused("not_your_turn")
    return None


def _clashes(context: Context) -> Refusal | None:
    """What the same mail has done that leaves no room for a turn: its writer can't have seen the board to play on."""
    if context.done(ProposalAgreed):
        return refused("move_after_agreement")
    proposed: Sequence[Event] = (*context.done(ProposalMade), *context.done(ProposalRepeated))
    return refused("move_ends_proposal") if proposed else None


def _repeated(context: Context, command: Play, number: int) -> Answer | None:
    """Answer a turn that the sender has played already: the same again is no fault, another one is too late."""
    table = context.table
    if not 1 <= number <= len(table.turns) or table.turns[number - 1].seat != context.you:
        return None
    if table.turns[number - 1].is_agreed:
        return None
    (before,) = played(table, number, number)
    if same_turn(table.states[number - 1], command.text, before.text):
        return (TurnRepeated(turn=before),)
    if table.record.standing == Standing.OVER:
        return refused("over")
    said = number in (command.number, None if context.turn is None else context.turn + 1)
    return refused("played_otherwise", turn=before) if said else None


def _doubted(context: Context, text: str, line: str, reason: Reason) -> Events:
    """Ask about a turn before it is played; the same one is asked about once in a mail."""
    if any(one.text == text for one in context.done(TurnDoubted)):
        return (ShownAbove(),)
    table, you = context.table, context.you
    question = Question(
        context.next_question(),
        QuestionKind.DOUBT,
        context.now,
        words=line,
        game=table.number,
        seat=you,
        # Words that answer no letter were written for the game as it stands, not as it will stand.
        version=table.record.version if context.version is None else context.version,
        turn=len(table.turns) if context.turn is None else context.turn,
    )
    known = asked_of_seat(table, you, OF_SEAT, context.now)
    doubted = TurnDoubted(question=question, kind=table.rules.name, text=text, reason=reason)
    return (doubted, *making_room(question, known))
