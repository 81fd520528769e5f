"""Word what a turn of Tak does, and how a game ends."""

from collections.abc import Mapping
from typing import Any

from takmail.blocks import Blocks, Link, Message, message, paragraph
from takmail.games.interface import Effect, Result, Seat
from takmail.games.tak.wording.sides import COLORS
from takmail.games.wording import Seen, Sentences


class EffectWords:
    """The part of `TakWording` about turns and the end of a game."""

    def effect(self, seen: Seen) -> Sentences:
        """Say what the turn did that led to the board shown."""
        assert seen.shown.effect is not None
        if seen.shown.effect.name == "agreed":
            return (message("board_was_agreed"),)
        if seen.shown.result is not None:
            return _done(seen.shown.effect, seen.seat, "", seen.names)
        call = _call(seen.shown.effect)
        is_added = call != "" and seen.shown.is_completed
        return (
            *_done(seen.shown.effect, seen.seat, call, seen.names),
            *((message("tak_call_added"),) if is_added else ()),
        )

    def offered(self, effect: Effect, you: Seat) -> Sentences:
        """Say what a turn does that is offered to the reader."""
        return _done(effect, you, _call(effect))

    def opening(self, number: int) -> Sentences:
        """Say whose pieces are placed in the first turns."""
        match number:
            case 1:
                return (message("tak_opening_first"),)
            case 2 | 3:
                return (message("tak_opening_over"),)
            case _:
                return ()

    def outcome(self, seen: Seen) -> Sentences:
        """Say how the game ended, to one of its players."""
        assert seen.shown.result is not None
        result = seen.shown.result
        facts: Mapping[str, Any] = result.facts
        wins = result.winner == seen.you
        match result.how:
            case "road":
                edge = facts["roads"][0].start
                won = message("tak_you_win_by_road" if wins else "tak_opponent_wins_by_road", from_edge=edge)
                return (won, message("tak_road_for_both")) if facts["double_road"] else (won,)
            case "resigned":
                return (message("you_win_by_resignation" if wins else "opponent_wins_by_resignation"),)
            case "time":
                return (message("you_win_on_time" if wins else "opponent_wins_on_time"),)
            case "agreed":
                return (message("draw_was_agreed"),)
            case "ruled":
                outcome = _outcome(seen, result)
                if seen.why:
                    return (message("tak_ruled_because", outcome=outcome, why=seen.why),)
                return (message("tak_ruled", outcome=outcome),)
            case _:
                return (
                    _flats_counted(seen, result, facts),
                    message("tak_why_flats_count", ran_out=facts["ran_out"]),
                )

    def result(self, seen: Seen) -> Sentences:
        """Say how the game ended, to nobody in particular."""
        assert seen.shown.result is not None
        return (*_ended(seen, seen.shown.result), message("result_is", score=seen.shown.result.score))

    def score(self, seen: Seen) -> Sentences:
        """Explain the points of a game that is over."""
        assert seen.ended is not None
        score = seen.ended.score
        assert score is not None
        assert seen.shown.result is not None
        winner = seen.shown.result.winner
        if winner is None:
            return (message("draw_scores_nothing"),)
        facts: Mapping[str, Any] = score.facts
        scored = message(
            "tak_you_score" if winner == seen.you else "tak_opponent_scores",
            points=score.points[winner],
            board=facts["board"],
            for_pieces=facts["pieces"] * facts["times"],
            pieces=facts["pieces"],
        )
        if facts["bonus"] is not None:
            return (scored, message("tak_pieces_count_more", bonus=facts["bonus"]))
        if facts["scoring"] != "plain":
            return (scored, message("tak_pieces_count_once", scoring=facts["scoring"]))
        return (scored,)

    @property
    def begins_anew(self) -> Message:
        """That the game begins anew."""
        return message("tak_begins_anew")

    @property
    def record(self) -> Message:
        """Which notation the record has."""
        return message("tak_record")

    def viewer(self, address: str) -> Blocks:
        """Say where the game can be looked at on the web."""
        return (*paragraph(message("tak_viewer")), Link(address, message("tak_open_viewer")))


def _ended(seen: Seen, result: Result) -> Sentences:
    facts: Mapping[str, Any] = result.facts
    winner = "" if result.winner is None else seen.names[result.winner]
    match result.how:
        case "road":
            return (message("tak_player_wins_by_road", winner=winner, is_double=facts["double_road"]),)
        case "resigned" if result.winner is not None:
            loser = seen.names[result.winner.other]
            return (message("player_wins_by_resignation", winner=winner, loser=loser),)
        case "time" if result.winner is not None:
            loser = seen.names[result.winner.other]
            return (message("player_wins_on_time", winner=winner, loser=loser),)
        case "agreed":
            return (message("game_is_drawn_by_agreement"),)
        case "ruled":
            return (message("game_is_ruled", winner=winner, why=seen.why),)
    counted = message(
        "tak_flats_of_players",
        is_full=result.how == "full",
        white=seen.names[0],
        white_flats=facts["white_flats"],
        black=seen.names[1],
        black_flats=facts["black_flats"],
        komi="" if facts["komi"] == "0" else facts["komi"],
    )
    return (counted, message("tak_player_wins", winner=winner))


def _call(effect: Effect) -> str:
    """Return what a turn says of tak: `true` for a call that may be true, `false` for one that is not, or ''."""
    return "" if not effect.facts["tak"] else "false" if effect.facts["is_true_call"] is False else "true"


def _done(effect: Effect, you: Seat | None, call: str, names: tuple[str, str] = ("", "")) -> Sentences:
    """Say what a turn does, with its call of tak, and that a false call counts for nothing.

    To a reader who has no seat (`you`), who moves is the `opponent` of the letter, and `names` has the other one's.
    """
    facts: Mapping[str, Any] = effect.facts
    if you is None:
        return _done_by(facts, effect.name, call, names[facts["mover"] == COLORS[0]])
    is_yours = facts["mover"] == COLORS[you]
    in_opening = effect.name == "placed" and facts["color"] != facts["mover"]
    is_false = (message("tak_call_is_false", in_opening=in_opening),) if call == "false" else ()
    if effect.name == "placed":
        return (_placed(facts, call, is_yours=is_yours), *is_false)
    called = (message("tak_you_call" if is_yours else "tak_opponent_calls", call=call),) if call else ()
    return (*_moved(facts, is_yours=is_yours), *called, *is_false)


def _done_by(facts: Mapping[str, Any], name: str, call: str, other: str) -> Sentences:
    """Say what a turn does, to a reader who has no seat. `name` is that of the effect, `other` is who did not move."""
    is_of_other = name == "placed" and facts["color"] != facts["mover"]
    is_false = (message("tak_call_is_false", in_opening=is_of_other),) if call == "false" else ()
    if is_of_other:
        square, color = facts["square"].upper(), facts["color"]
        return (
            message("tak_player_places_others", other=other, color=color, square=square, call=call),
            *is_false,
        )
    if name == "placed":
        return (_placed(facts, call, is_yours=False), *is_false)
    called = (message("tak_opponent_calls", call=call),) if call else ()
    start, end, wall = facts["start"].upper(), facts["drops"][-1][0].upper(), _wall(facts)
    if facts["count"] == 1:
        piece = facts["kind"]
        moved = message("tak_players_piece_moves", other=other, piece=piece, start=start, end=end, wall=wall)
    else:
        count = facts["count"]
        moved = message("tak_player_moves_pieces", other=other, count=count, start=start, end=end, wall=wall)
    return (moved, *_left(facts), *called, *is_false)


def _wall(facts: Mapping[str, Any]) -> str:
    """Return whose wall a capstone flattens: `own`, `other`, or '' if it flattens none."""
    return "" if facts["wall"] is None else "own" if facts["wall"] == facts["mover"] else "other"


def _left(facts: Mapping[str, Any]) -> Sentences:
    """Say what is left on which square, if there are several."""
    if len(facts["drops"]) == 1:
        return ()
    drops = tuple(f"{place.upper()} {left}" for place, left in facts["drops"])
    return (message("tak_left_on_squares", drops=drops),)


def _placed(facts: Mapping[str, Any], call: str, *, is_yours: bool) -> Message:
    square, color = facts["square"].upper(), facts["color"]
    if color != facts["mover"]:
        return message(
            "tak_you_place_theirs" if is_yours else "tak_opponent_places_yours",
            color=color,
            square=square,
            call=call,
        )
    return message(
        "tak_you_place" if is_yours else "tak_opponent_places", piece=facts["kind"], square=square, call=call
    )


def _moved(facts: Mapping[str, Any], *, is_yours: bool) -> Sentences:
    """Say what a move does. Several pieces that are left on several squares have a sentence of their own."""
    start, drops, count = facts["start"].upper(), facts["drops"], facts["count"]
    end, wall = drops[-1][0].upper(), _wall(facts)
    if count == 1:
        moved = message(
            "tak_your_piece_moves" if is_yours else "tak_opponents_piece_moves",
            piece=facts["kind"],
            start=start,
            end=end,
            wall=wall,
        )
        return (moved,)
    moved = message(
        "tak_you_move_pieces" if is_yours else "tak_opponent_moves_pieces",
        count=count,
        start=start,
        end=end,
        wall=wall,
    )
    return (moved, *_left(facts))


def _outcome(seen: Seen, result: Result) -> str:
    """Return the outcome for the reader: `won`, `lost` or `draw`."""
    return "draw" if result.winner is None else "won" if result.winner == seen.you else "lost"


def _flats_counted(seen: Seen, result: Result, facts: Mapping[str, Any]) -> Message:
    flats = (facts["white_flats"], facts["black_flats"])
    komi = ("", facts["komi"] if facts["komi"] != "0" else "")
    you, they = seen.you, seen.you.other
    if result.winner is None and not any(komi):
        return message("tak_flats_each", flats=flats[you])
    return message(
        "tak_flats_counted",
        outcome=_outcome(seen, result),
        yours=flats[you],
        theirs=flats[they],
        your_komi=komi[you],
        their_komi=komi[they],
    )
