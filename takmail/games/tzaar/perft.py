"""Perft: count the games of a given length, to compare the rules with those of other programs."""

from takmail.games.tzaar.apply import apply_move, apply_step, captures, lacking, outcome_of, stackings
from takmail.games.tzaar.board import SPOTS, lines_through
from takmail.games.tzaar.pieces import Kind
from takmail.games.tzaar.position import TYPE_BITS, Position
from takmail.games.tzaar.turns import Actions, Move, Pass, Placing


def legal_turns(position: Position) -> list[Move]:
    """Return all legal turns, in order; none once the game is over."""
    if outcome_of(position) is not None:
        return []
    if position.is_placing:
        left = position.reserve(position.to_move)
        return [
            Placing(kind, spot) for kind in Kind if left[kind] for spot in SPOTS if not position.stacks[spot]
        ]
    turns: list[Move] = []
    for first in captures(position):
        after = apply_step(position, first)
        if position.is_first_turn or lacking(after.stacks, position.to_move.other) is not None:
            turns.append(Actions((first,)))
            continue
        turns.append(Actions((first, Pass.PASS)))
        turns += [Actions((first, second)) for second in (*captures(after), *stackings(after))]
    return turns


def count_turns(position: Position) -> int:
    """Return the number of turns that `legal_turns` would return, without making a list of them."""
    if outcome_of(position) is not None:
        return 0
    if position.is_placing:
        kinds = sum(1 for left in position.reserve(position.to_move).values() if left)
        return kinds * position.stacks.count(0)
    firsts = captures(position)
    if position.is_first_turn:
        return len(firsts)
    enemy = position.to_move.other
    total = 0
    for first in firsts:
        after = apply_step(position, first)
        total += 1 if lacking(after.stacks, enemy) is not None else 1 + _count_actions(after)
    return total


def _count_actions(position: Position) -> int:
    """Return the number of captures and stackings of the player to move."""
    stacks, white, black, to_move, _ = position
    mine = black if to_move else white
    left, taken, count = mine, white | black, 0
    while left:
        low = left & -left
        left ^= low
        start = low.bit_length() - 1
        strength = stacks[start] | TYPE_BITS
        for mask, reached in lines_through(start):
            for end in reached[taken & mask]:
                # An own stack may be of any height.
                if mine >> end & 1 or stacks[end] <= strength:
                    count += 1
    return count


def perft(position: Position, depth: int) -> int:
    """Return the number of sequences of `depth` turns; games that end earlier don't count.

    The last turn of each sequence is counted without being played.
    """
    if depth == 0:
        return 1
    if depth == 1:
        return count_turns(position)
    return sum([perft(apply_move(position, turn), depth - 1) for turn in legal_turns(position)])
