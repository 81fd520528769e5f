"""Word what a turn did, and how a game ended."""

from collections.abc import Iterator

from takmail.blocks import Message, message
from takmail.games.interface import Effect, Seat
from takmail.games.tzaar.wording.data import Facts, color_of, spot_in
from takmail.games.wording import Seen, Sentences


def effect(seen: Seen) -> Sentences:
    """Say what the turn did that led to the board shown."""
    assert seen.shown.effect is not None
    return _done(seen.shown.effect, seen.seat, seen.names, is_over=seen.shown.result is not None)


def offered(turn: Effect, you: Seat) -> Sentences:
    """Say what a turn does that is offered to the player in seat `you`."""
    return _done(turn, you, ("", ""), is_over=False)


def _done(turn: Effect, you: Seat | None, names: tuple[str, str], *, is_over: bool) -> Sentences:
    """Say what a turn does.

    To a reader who has no seat (`you`), who moves is the `opponent` of the letter, and `names` has the other one's.
    """
    if turn.name == "agreed":
        return (message("board_was_agreed"),)
    facts: Facts = turn.facts
    yours = you is not None and facts["mover"] == color_of(you)
    other = names[facts["mover"] == color_of(Seat.FIRST)] if you is None else ""
    done = _placed(facts, yours) if turn.name == "placed" else _moved(facts, yours, other)
    if facts["tak"] and not is_over:
        return (*done, message("tzaar_next_could_win", is_yours=yours))
    return tuple(done)


def _placed(facts: Facts, yours: bool) -> Iterator[Message]:
    yield message("tzaar_places", is_yours=yours, kind=facts["kind"], spot=spot_in(facts, "spot"))
    left = facts["left"]
    yield message("tzaar_still_to_place", count=left) if left else message("tzaar_all_placed")


def _moved(facts: Facts, yours: bool, other: str) -> Iterator[Message]:
    """Yield what was done in order. `other` is the name of who did not move, '' if the reader has a seat."""
    for number, step in enumerate(facts["steps"]):
        start, end = spot_in(step, "start"), spot_in(step, "end")
        if step["is_capture"]:
            yield message(
                "tzaar_captures",
                is_second=number > 0,
                is_yours=yours,
                other=other,
                kind=step["other_kind"],
                height=step["other_height"],
                start=start,
                end=end,
            )
        else:
            yield message(
                "tzaar_stacks",
                is_yours=yours,
                kind=step["kind"],
                height=step["total"],
                start=start,
                end=end,
            )
    if facts["passed"]:
        yield message("tzaar_passes", is_yours=yours)


def outcome(seen: Seen) -> Sentences:
    """Say how the game ended, to one of its players."""
    result = seen.shown.result
    assert result is not None
    wins, kind = result.winner == seen.you, result.facts.get("kind")
    match result.how:
        case "kind":
            return (message("tzaar_you_win_by_kind" if wins else "tzaar_opponent_wins_by_kind", kind=kind),)
        case "stuck":
            return (message("tzaar_you_win_by_captures" if wins else "tzaar_opponent_wins_by_captures"),)
        case "resigned":
            return (message("you_win_by_resignation" if wins else "opponent_wins_by_resignation"),)
        case "time":
            return (message("you_win_on_time" if wins else "opponent_wins_on_time"),)
        case "agreed":
            return (message("draw_was_agreed"),)
    ruling = "draw" if result.winner is None else "win" if wins else "loss"
    return (message("tzaar_ruled", outcome=ruling, why=seen.why),)


def result(seen: Seen) -> Sentences:
    """Say how the game ended, to nobody in particular."""
    ended = seen.shown.result
    assert ended is not None
    return (_ended(seen), message("result_is", score=ended.score))


def _ended(seen: Seen) -> Message:
    ended = seen.shown.result
    assert ended is not None
    if ended.winner is None:
        if ended.how == "agreed":
            return message("game_is_drawn_by_agreement")
        return message("game_is_ruled", winner="", why=seen.why)
    winner, loser = seen.names[ended.winner], seen.names[ended.winner.other]
    match ended.how:
        case "kind":
            kind = ended.facts["kind"]
            return message("tzaar_player_wins_by_kind", winner=winner, loser=loser, kind=kind)
        case "stuck":
            return message("tzaar_player_wins_by_captures", winner=winner, loser=loser)
        case "resigned":
            return message("player_wins_by_resignation", winner=winner, loser=loser)
        case "time":
            return message("player_wins_on_time", winner=winner, loser=loser)
    return message("game_is_ruled", winner=winner, why=seen.why)


def score(seen: Seen) -> Sentences:
    """Explain the points of a game that is over."""
    assert seen.shown.result is not None
    if seen.shown.result.winner is None:
        return (message("draw_scores_nothing"),)
    return (message("tzaar_win_scores_one", is_yours=seen.shown.result.winner == seen.you),)
