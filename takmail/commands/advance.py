"""Carry out the commands about moves that are prepared in advance. The reasons of their answers don't name moves."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from takmail.commands.advance_lines import IfThen, OneBranch, read_on
from takmail.commands.advance_reactions import held_unheard
from takmail.commands.answers import (
    Answer,
    Events,
    OfferedLine,
    Refusal,
    RefusalError,
    Said,
    Shows,
    Told,
    refuse_if,
    refused,
    told,
)
from takmail.commands.context import Context
from takmail.commands.grammar.arguments import Play
from takmail.commands.play import play, same_turn
from takmail.commands.view import look
from takmail.games.interface import NearMiss, ReadTurn, Reason, Refused, Seat, State
from takmail.games.optional import Completing
from takmail.limits.games import MAX_BRANCH_PLIES, MAX_BRANCHES
from takmail.world import Game, events
from takmail.world.advance import NOTHING_AHEAD, THEN, Branch, InAdvance, WaitsFor, in_advance

_WISHES = frozenset({"undo", "draw", "im", "propose", "resign"})
"""The beginnings of the lines that want another answer than a move. Who may mean one may not want the answer yet."""


def prepare(context: Context, command: IfThen) -> Answer:
    """Keep a branch: what the sender plays if the opponent plays a turn. It replaces other answers to the same turn.

    All its turns are played on the current board. Who waits for the opponent can prepare, also by the same mail.
    """
    game, you = context.game, context.you
    refuse_if(_why_not_here(game, you) or _why_not_now(context))
    branch = _legal_branch(context, command.parts)
    earlier = in_advance(game, you)
    before = earlier.branches
    shared = {other: _shared(game.state, branch, other) for other in before}
    if any(count == len(branch) for count in shared.values()):
        return _kept(context, "known")
    # If the turns differ first where the player answers, the newer answer counts.
    replaced = tuple(
        other for other, count in shared.items() if count < len(other) and count % 2 and other != branch
    )
    kept = [other for other, count in shared.items() if count < len(other) and other not in replaced]
    if len(kept) >= MAX_BRANCHES:
        return refused("many_branches", most=MAX_BRANCHES)
    changed = _changed(context, replace(earlier, branches=tuple(sorted((*kept, branch)))))
    return _kept(replace(context, world=changed.apply(context.world)), "kept", replaced, (changed,))


def _why_not_here(game: Game, you: Seat) -> Refusal | None:
    if game.players[you.other].is_bot:
        return refused("nothing_ahead_of_bots")
    return refused("nothing_ahead_for_coins") if game.account is not None else None


def _why_not_now(context: Context) -> Refusal | None:
    """Return why nothing can be prepared now: it is the sender's turn, or they have not seen a turn."""
    game, seen = context.game, context.answered.turn
    if context.shows_what_is_gone:
        return refused("gone")
    if game.to_move == context.you:
        return refused("prepared_on_own_turn")
    is_stale = seen is not None and any(turn.seat != context.you for turn in game.turns[seen:])
    return refused("prepared_for_older_board") if is_stale else None


def _legal_branch(context: Context, parts: Sequence[str]) -> Branch:
    """Return the turns that texts name, each on the board after those before it. Raises RefusalError."""
    state, turns = context.game.state, list[str]()
    rest = [*parts]
    while rest:
        if state.result is not None:
            raise RefusalError(refused("prepared_after_end", text=turns[-1]))
        turn, taken = _turn(context, state, rest, len(turns))
        state, rest = state.play(turn), rest[taken:]
        turns.append(turn)
    if len(turns) % 2:
        raise RefusalError(refused("prepared_without_answer", text=turns[-1]))
    if len(turns) > MAX_BRANCH_PLIES:
        raise RefusalError(refused("branch_too_long", most=MAX_BRANCH_PLIES))
    return tuple(turns)


def _turn(context: Context, state: State, parts: Sequence[str], place: int) -> tuple[str, int]:
    """Return the legal turn that the first of some texts names, or the first two together. Raises RefusalError.

    Also return how many texts it takes. `place` is how many turns of the branch stand before it.
    """
    reads_ptn = context.game.players[context.you].preferences.reads_ptn
    for count in (1, 2):
        reading = read_on(state, THEN.join(parts[:count]), reads_ptn=reads_ptn)
        if isinstance(reading, ReadTurn):
            break
    else:
        alone = read_on(state, parts[0], reads_ptn=reads_ptn)
        reason, fixes = (alone.reason, alone.fixes) if isinstance(alone, NearMiss) else (None, ())
        raise RefusalError(_refused_turn(context, parts[0], reason, fixes))
    if reading.number not in (None, len(context.game.turns) + 1 + place):
        raise RefusalError(refused("prepared_for_other_turn", text=parts[0]))
    try:
        state.play(reading.text)
        text = state.completed(reading.text) if isinstance(state, Completing) else reading.text
        state.play(text)
    except Refused as fault:
        raise RefusalError(_refused_turn(context, reading.text, fault.reason)) from fault
    doubt = state.asks_before(text) if place % 2 else None
    if doubt is not None:
        raise RefusalError(_refused_turn(context, text, doubt))
    return text, count


def _refused_turn(context: Context, text: str, reason: Reason | None, fixes: tuple[str, ...] = ()) -> Refusal:
    return refused(
        "prepared_turn_refused", game=context.game.rules.name, text=text, reason=reason, fixes=fixes
    )


def _shared(state: State, one: Branch, other: Branch) -> int:
    """Return how many turns two branches have in common at their beginning."""
    count = 0
    for turn, same in zip(one, other, strict=False):
        if not same_turn(state, turn, same):
            break
        state, count = state.play(turn), count + 1
    return count


def show(context: Context) -> Answer:
    """Show what the sender has prepared."""
    return _kept(context, "shown")


def show_branch(context: Context, command: OneBranch) -> Answer:
    """Show the board at the end of a branch."""
    game, branches = context.seen, in_advance(context.game, context.you).branches
    if not 1 <= command.number <= len(branches):
        return refused("no_such_branch", count=len(branches))
    branch, state = branches[command.number - 1], game.state
    for turn in branch:
        state = state.play(turn)
    then = look(game, context.you).showing(state, len(game.turns) + len(branch), branch[-1])
    return told("board_ahead", Shows.OTHER_BOARD, then=then, branch=branch)


def drop_branch(context: Context, command: OneBranch) -> Answer:
    """Drop one branch."""
    prepared = in_advance(context.game, context.you)
    if not 1 <= command.number <= len(prepared.branches):
        return refused("no_such_branch", count=len(prepared.branches))
    left = prepared.without(prepared.branches[command.number - 1])
    changed = _changed(context, left)
    how = "dropped_one" if left.branches else "dropped"
    return _kept(replace(context, world=changed.apply(context.world)), how, effects=(changed,))


def drop(context: Context) -> Answer:
    """Drop all that the sender has prepared."""
    prepared = in_advance(context.game, context.you)
    if prepared == NOTHING_AHEAD:
        return _kept(context, "shown")
    changed = _changed(context, NOTHING_AHEAD)
    how = "dropped" if prepared.branches else "shown"
    return _kept(replace(context, world=changed.apply(context.world)), how, effects=(changed,))


def go(context: Context) -> Answer:
    """Play the prepared answer to the opponent's turn now."""
    answer = in_advance(context.game, context.you).answer
    if not answer:
        return refused("nothing_for_go")
    return play(
        replace(context, line=replace(context.line, text=answer, confirmed=answer)), Play(answer, None)
    )


def answer_turn(context: Context, game: Game) -> Events:
    """Play the prepared answer to the last turn, which takes none of its player's time.

    One that can't be played is dropped, and one that is held waits for its player's `go` from now on.
    """
    seat, met, prepared = game.to_move, game.played(game.turns[-1]), in_advance(game, game.to_move)
    if prepared.waits_for is WaitsFor.HELD:
        waiting = replace(prepared, waits_for=WaitsFor.GO)
        return (
            events.PreparationChanged(game=game.number, seat=seat, prepared=waiting),
            events.PreparationHeld(game=game.number, seat=seat),
        )
    text = prepared.answer
    line = replace(context.line, text=text, confirmed=text)
    answer = play(replace(context, game_number=game.number, seat=seat, line=line), Play(text, None))
    if isinstance(answer, Said):
        return (events.PreparationChanged(game=game.number, seat=seat, prepared=NOTHING_AHEAD),)
    (played,) = answer
    assert isinstance(played, events.TurnPlayed)
    return (
        replace(played, has_own_letter=True, arrived_at=game.turns[-1].played_at),
        events.PreparationPlayed(game=game.number, seat=seat, turn=played.turn, met=met),
    )


def held_by_wishes(context: Context) -> Events:
    """Let the opponent's prepared answer wait if the mail is offered a line that wants more than a move."""
    number = context.game_number
    if number is None or not context.player_verified:
        return ()
    game = context.game
    if not game.record.seats[context.you.other].in_advance:
        return ()  # the usual case
    answers = (report.answer for report in context.so_far.reports)
    offered = [
        offer
        for answer in answers
        if isinstance(answer, Refusal)
        for offer in cast(Sequence[OfferedLine], answer.facts.get("offers", ()))
    ]
    wishes = {offer.line.removeprefix("/").partition(" ")[0] for offer in offered}
    return () if _WISHES.isdisjoint(wishes) else tuple(held_unheard(context.world, game, context.you))


def _changed(context: Context, prepared: InAdvance) -> events.PreparationChanged:
    return events.PreparationChanged(game=context.game.number, seat=context.you, prepared=prepared)


def _kept(context: Context, how: str, replaced: Sequence[Branch] = (), effects: Events = ()) -> Told:
    """Answer with what the sender has prepared, `how` it came to be so, and the branches that were `replaced`."""
    prepared = in_advance(context.game, context.you)
    facts = {
        "how": how,
        "prepared": prepared.branches,
        "is_answering": prepared.waits_for is not WaitsFor.OPPONENT,
        "replaced": tuple(replaced),
    }
    return Told("for_sender_alone", facts, effects)
