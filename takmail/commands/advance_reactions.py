"""Say what follows for moves that are prepared in advance: a turn meets them, or they are lost."""

from collections.abc import Iterator
from dataclasses import replace

from takmail.commands.play import same_turn
from takmail.games.interface import Seat
from takmail.vocabulary import table, words_of
from takmail.world import Game, PendingKind, World, events
from takmail.world.advance import NOTHING_AHEAD, InAdvance, WaitsFor, in_advance


def turn_meets_branches(world: World, event: events.TurnPlayed) -> Iterator[events.PreparationChanged]:
    """Go on in the branches that a turn meets, of its player and of the opponent. The others are lost."""
    game = world.game(event.game)
    for seat in _prepared(game):
        yield _changed(game, seat, _after_turn(game, seat, event))


def _after_turn(game: Game, seat: Seat, event: events.TurnPlayed) -> InAdvance:
    """Return what a player has prepared after a turn. An agreed board ends it, and so does another turn of theirs."""
    prepared, turn = in_advance(game, seat), event.turn
    if turn.is_agreed:
        return NOTHING_AHEAD  # It can't be taken back without a word.
    before = game.positions[turn.number - 1]
    if seat != turn.seat:
        waits_for = WaitsFor.GO if _has_more_to_answer(game, turn.seat) else WaitsFor.LETTER
        return prepared.met(lambda text: same_turn(before, text, turn.text), waits_for)
    is_answer = prepared.answer != "" and same_turn(before, prepared.answer, turn.text)
    return prepared.answered() if is_answer else prepared.passed_by()


def answer_waits_for_go(
    world: World, event: events.OfferMade | events.DisputeOpened
) -> Iterator[events.PreparationChanged]:
    """Let a prepared answer to a turn wait if its player offers something, or disputes a turn."""
    yield from _held(world.game(event.game), event.seat, WaitsFor.GO)


def words_hold_answer(world: World, event: events.ChatQueued) -> Iterator[events.PreparationChanged]:
    """Let a prepared answer to a turn wait if its player writes of taking back, a draw, or an invalid turn."""
    game = world.game(event.game)
    if game.record.seats[event.seat.other].in_advance and _has_objection(event.words):
        yield from _held(game, event.seat, WaitsFor.GO)


def question_holds_answer(
    world: World, event: events.ResignationAsked
) -> Iterator[events.PreparationChanged]:
    """Let a prepared answer to a turn wait if its player is asked about giving up."""
    asked = event.question
    if asked.game is not None and asked.seat is not None:
        yield from held_unheard(world, world.game(asked.game), Seat(asked.seat))


def held_unheard(world: World, game: Game, doer: Seat) -> Iterator[events.PreparationChanged]:
    """Yield that the answer to a turn of `doer` waits for something of which nobody else hears.

    The letter about a turn of the same mail says that the answer waits. If it was written before, that is told once it
    has left.
    """
    stored = world.stored.games.get(game.number)
    is_told = stored is not None and len(stored.turns) == len(game.turns)
    yield from _held(game, doer, WaitsFor.HELD if is_told else WaitsFor.GO)


def _held(game: Game, doer: Seat, waits_for: WaitsFor) -> Iterator[events.PreparationChanged]:
    """Yield that the answer to a turn of `doer`, which would be played by itself, waits for something else."""
    prepared = in_advance(game, doer.other)
    if prepared.waits_for in (WaitsFor.LETTER, WaitsFor.HELD) and prepared.waits_for is not waits_for:
        yield _changed(game, doer.other, replace(prepared, waits_for=waits_for))


def _has_objection(words: str) -> bool:
    """Tell whether words for the opponent are about taking back, a draw, or an invalid turn."""
    objections = table("objections")
    return any(objections.matches(words_of(line)) or objections.within(line) for line in words.split("\n"))


def _has_more_to_answer(game: Game, seat: Seat) -> bool:
    """Tell whether a player has offered something that is open, disputes a turn, or is asked about giving up."""
    return (
        any(offer.seat == seat and offer.kind is not PendingKind.TIME for offer in game.offers)
        or any(dispute.seat == seat for dispute in game.disputes)
        or any(asked.seat == seat and asked.kind is PendingKind.RESIGN for asked in game.questions)
    )


def preparations_end(
    world: World, event: events.TurnsTakenBack | events.GameEnded | events.GameAdjourned
) -> Iterator[events.PreparationChanged]:
    """Drop all that is prepared in a game when turns are taken back, or when it ends or stands still.

    A turn of which the opponent has never heard takes with it only what came after it.
    """
    game = world.game(event.game)
    for seat in _prepared(game):
        stands = (
            in_advance(game, seat).turn_taken_back(is_own=seat == event.turn.seat)
            if isinstance(event, events.LastTurnTakenBack)
            else NOTHING_AHEAD
        )
        yield _changed(game, seat, stands)


def _prepared(game: Game) -> list[Seat]:
    """Return the seats whose players have prepared something, or had before the last turn."""
    return [seat.seat for seat in game.record.seats if seat.in_advance]


def _changed(game: Game, seat: Seat, prepared: InAdvance) -> events.PreparationChanged:
    return events.PreparationChanged(game=game.number, seat=seat, prepared=prepared)
