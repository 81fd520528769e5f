"""Answer the commands that look at a game, and what is done in a game: moves, disputes and offers."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from takmail.blocks import (
    Blocks,
    Code,
    Indented,
    Message,
    Text,
    buttons,
    message,
    only_html,
    only_text,
    paragraph,
)
from takmail.commands.answers import OfferedLine
from takmail.commands.view import Entry, View
from takmail.games.choice import Choices
from takmail.games.interface import Comparison, Reason
from takmail.games.wording import Boards, Sentences
from takmail.letters.passages import turns
from takmail.letters.passages.below import choices, in_step, offered_lines
from takmail.letters.passages.offers import answering_line
from takmail.letters.passages.times import clock_terms, clock_told
from takmail.letters.passages.turns import board, other_runs
from takmail.letters.reader import Builder, Reader
from takmail.world import NamedTurn, Pending, PendingEnd, PendingKind, Run, Verdict

_EXPLAINS_ITSELF = ("same", "size")
"""What a comparison finds that says nothing about the game: the boards are the same, or too different."""
_DIFFERS = ("otherwise", "differs")


def _whose_turn(reader: Reader, since: datetime | None) -> Blocks:
    """Say whose turn it is, since when, what the last turn was, and that nobody has won yet.

    Below, a letter says how a game has ended. How a relay stands is not known.
    """
    view = reader.game
    if view.is_over:
        return paragraph(_last_turn(reader)) if view.last_turns else ()
    is_undecided = view.is_open and not view.is_relay
    goes_on = message("nobody_has_won_yet") if is_undecided else None
    return paragraph(_turn_since(reader, since), _last_turn(reader), goes_on)


def _turn_since(reader: Reader, since: datetime | None) -> Message:
    view = reader.game
    if not view.is_open:
        return message("nobodys_turn")
    if since is None or reader.opponent.is_bot:
        return message("whose_turn_now", is_yours=view.your_turn, is_guess=view.is_relay)
    return message("whose_turn_since", since=since, is_yours=view.your_turn, is_guess=view.is_relay)


def _last_turn(reader: Reader) -> Message:
    view = reader.game
    if not view.last_turns:
        return message("no_turn_played")
    turn = view.last_turns[-1]
    if turn.is_agreed:
        return message("last_turn_agreed", turn=turn.number)
    return message(
        "last_turn_yours" if turn.seat == view.you else "last_turn_opponents",
        turn=turn.number,
        text=turn.text,
    )


def _show_beyond(_reader: Reader, turn: int, turns: int, run: Run | None) -> Blocks:
    """Answer whoever asks for a turn after the last one. `run` are the turns with it that were given up."""
    if run is None:
        return paragraph(message("no_such_turn", turn=turn, turns=turns))
    return paragraph(
        message("turn_no_longer_counts", turn=turn, at=run.at, how=run.how, back_to=run.first - 1)
    )


def _relay_log(_reader: Reader, entries: Sequence[Entry]) -> Blocks:
    """List the moves that were passed on, each with the disputes about it below it."""
    if not entries:
        return paragraph(message("nothing_sent_yet"))
    lines = tuple(line for entry in entries for line in _relay_lines(entry))
    return (*paragraph(message("all_sent_turns")), Indented(lines))


def _relay_lines(entry: Entry) -> Iterator[Text]:
    turn = entry.turn
    yield message(
        "sent_turn",
        number=turn.number,
        name=turn.name,
        text=turn.text,
        written=turn.written,
        is_replaced=entry.is_replaced,
    )
    for name, reason in entry.disputes:
        yield message("sent_dispute", name=name, number=turn.number, reason=reason)


def _show(reader: Reader, then: View, runs: Sequence[Run]) -> Blocks:
    """Show the board after a turn. In `runs`, other turns with its number were given up."""
    shown = reader.seeing(then)
    return (
        *paragraph(message("board_after_turn_of", turn=then.shown.turn, turns=then.turns)),
        *(paragraph(*reader.wording.effect(then)) if then.shown.effect is not None else ()),
        *board(shown),
        *in_step(shown),
        *other_runs(then.shown.turn, runs),
    )


def _show_given_up(reader: Reader, then: View, run: Run, others: Sequence[Run], *, is_played: bool) -> Blocks:
    """Show the board after a turn that was given up in `run`, and name the other runs with such a turn.

    `is_played`: the game has another turn of this number.
    """
    heading = message(
        "given_up_board_shown",
        turn=then.shown.turn,
        is_played=is_played,
        run=run.number if others else 0,
        at=run.at,
        how=run.how,
        back_to=run.first - 1,
    )
    return (*paragraph(heading), *board(reader.seeing(then)), *other_runs(then.shown.turn, others))


def _record(reader: Reader, record: str, viewer_url: str | None) -> Blocks:
    """Show the game so far in the game's own format, and where it can be looked at on the web."""
    viewer = () if viewer_url is None else reader.wording.viewer(viewer_url)
    return (*paragraph(reader.wording.record, message("game_so_far")), _code(record), *viewer)


def _relay_record(reader: Reader, record: str, *, is_left_out: bool) -> Blocks:
    """Show the moves that were passed on in the game's own format."""
    left_out = message("moves_left_out_of_record") if is_left_out else None
    return (*paragraph(reader.wording.record, message("moves_as_sent")), _code(record), *paragraph(left_out))


def _code(record: str) -> Code:
    return Code(tuple(record.strip("\n").split("\n")))


def _relay_show(reader: Reader, then: View, broken: NamedTurn | None, reason: Reason | None) -> Blocks:
    """Show the board by the rules. `broken` is the first turn that breaks them, for a reason if it is no wrong turn."""
    return (
        *paragraph(*_breaks_off(reader, then, broken, reason)),
        *paragraph(message("board_by_rules", turn=then.shown.turn, turns=then.turns)),
        *board(reader.seeing(then)),
    )


def _breaks_off(reader: Reader, then: View, broken: NamedTurn | None, reason: Reason | None) -> Sentences:
    """Say how far moves that were passed on keep the rules, and what is wrong with the first that does not."""
    if broken is None:
        return (message("moves_keep_rules", is_all=then.shown.turn == then.turns),)
    why = (message("it_was_the_others_turn"),) if reason is None else reader.wording.reason(reason)
    if not then.shown.turn:
        head = message("first_move_breaks_rules", turn=broken.number, text=broken.text, name=broken.name)
        return head, *why
    return (
        message(
            "moves_keep_rules_up_to",
            kept=then.shown.turn,
            turn=broken.number,
            text=broken.text,
            name=broken.name,
        ),
        *why,
    )


def _moves(reader: Reader, place: str, groups: tuple[Choices, ...], number: int) -> Blocks:
    """List what can be played from a place, or the likely turns of all places if `place` is ''."""
    by_number = message("number_behind_move", turn=number)
    if not place:
        seen, wording = reader.game, reader.wording
        typed = paragraph(*wording.likely(seen, groups), by_number)
        return (
            only_html(paragraph(message("moves_are_touched_below"))),
            only_text((*typed, *wording.likely_list(seen, groups))),
        )
    return (
        *paragraph(message("all_turns_from_place", place=place.upper()), by_number),
        *choices(reader, groups, number),
    )


def _clock(reader: Reader) -> Blocks:
    return paragraph(*clock_terms(reader.game.record), *clock_told(reader)) or paragraph(
        message("no_clock_runs")
    )


def _two_turns(reader: Reader, count: int, place: str, offers: Sequence[OfferedLine] = ()) -> Blocks:
    """Answer several moves for one turn, and offer them."""
    return (*paragraph(message("two_turns", count=count, place=place)), *offered_lines(reader, offers))


def _not_your_turn(reader: Reader, offers: Sequence[OfferedLine] = ()) -> Blocks:
    """Answer a move of whoever is not to move. If it may take the last move back, that is offered."""
    undo = message("you_can_take_last_move_back") if offers else None
    return (*paragraph(message("not_your_turn_now"), undo), *offered_lines(reader, offers))


def _played_otherwise(reader: Reader, turn: NamedTurn, offers: Sequence[OfferedLine] = ()) -> Blocks:
    """Answer another move for a turn that the sender has played."""
    is_played = message("turn_played_otherwise", turn=turn.number, text=turn.text)
    undo = message("you_can_take_it_back") if offers else None
    return (*paragraph(is_played, undo), *offered_lines(reader, offers))


def _refused(reader: Reader, game: str, reason: Reason, turn: str, fixes: Sequence[str]) -> Blocks:
    """Refuse what a rule of a game forbids, which may be another one than the letter is about.

    `turn` is what was read, and `fixes` are lines that may be meant.
    """
    head = message("not_done_with", text=turn) if turn else message("not_done")
    refusal = paragraph(head, *reader.wording_of(game).reason(reason))
    if not fixes:
        return refusal
    if len(fixes) == 1:
        return (*refusal, *paragraph(message("if_you_mean_this", line=fixes[0])))
    lines = tuple(f"{number}) {fix}" for number, fix in enumerate(fixes, 1))
    return (*refusal, *paragraph(message("send_the_one_you_mean")), Indented(lines))


def _why(reader: Reader, verdict: Verdict, mover: str, *, can_play: bool) -> Blocks:
    """Explain a turn or an attempt. `mover` is the opponent's name if the attempt is one of theirs, otherwise ''."""
    return (
        *turns.verdict(reader, verdict),
        *(paragraph(message("attempt_can_be_played", text=verdict.text)) if can_play else ()),
        *paragraph(message("only_looked"), message("attempt_is_opponents") if mover else None),
        *turns.proof(reader, verdict),
    )


def _compared(reader: Reader, comparison: Comparison) -> Blocks:
    """Tell where a board differs from the game, and what the sender can do then."""
    boards = Boards.TWO if comparison.how.startswith("two-") else Boards.YOURS
    explained = reader.wording.compared(comparison, boards)
    if comparison.how in _EXPLAINS_ITSELF:
        return explained
    can_act = reader.game.is_open and comparison.how in _DIFFERS
    advice = message("if_boards_differ") if can_act else None
    return (*explained, *paragraph(message("comparing_changes_nothing"), advice))


def _propose_no_board(reader: Reader) -> Blocks:
    wording = reader.wording
    whose = message("say_whose_turn_it_would_be", line=wording.proposal)
    return paragraph(message("no_board_to_propose"), *wording.shape, whose)


def _propose_unread(reader: Reader) -> Blocks:
    return paragraph(message("no_readable_board_to_propose"), *reader.wording.shape)


def _propose_whose(reader: Reader, whose: str) -> Blocks:
    """Answer a proposal that does not say whose turn it would be, but perhaps a word (`whose`) that names nobody."""
    return paragraph(message("no_player_to_move", whose=whose, line=reader.wording.proposal))


def _propose_shown(reader: Reader, rows: Sequence[str], turn: int, reason: Reason, **_: object) -> Blocks:
    """Refuse a board that an earlier mail showed, and show it again."""
    return (
        *paragraph(message("not_done"), *reader.wording.reason(reason)),
        *paragraph(message("about_board_shown_last", turn=turn)),
        Code(tuple(f"  {row}" for row in rows)),
    )


def _which_offer(_reader: Reader, verb: str, meant: Sequence[Pending], standing: Sequence[Pending]) -> Blocks:
    """Answer whoever settles an offer that is not open, or that their mail does not name.

    `verb` is the command, `meant` are the offers that it may mean, and `standing` those that are open.
    """
    is_yours = verb == "withdraw"
    why = _why_not_settled(meant, standing, is_yours=is_yours)
    if not standing:
        return paragraph(why)
    lines = tuple(message("line_to_type", line=answering_line(verb, offer)) for offer in standing)
    return (
        *paragraph(why, message("answer_with_line_for_offer", count=len(lines), is_yours=is_yours)),
        Indented(lines),
    )


def _why_not_settled(meant: Sequence[Pending], standing: Sequence[Pending], *, is_yours: bool) -> Message:
    if len(meant) == 1:
        (offer,) = meant
        if offer.kind is PendingKind.TIME:
            return message("time_is_not_over", has_waited=offer.end.how == PendingEnd.REFUSED)
        return message(
            "your_offer_is_over" if is_yours else "opponents_offer_is_over",
            kind=offer.kind,
            turn=offer.target or 0,
            ended=offer.end.how or "",
        )
    if not standing:
        return message("nothing_offered", is_yours=is_yours)
    return message("many_offers_meant" if meant else "no_such_offer_shown")


def ask_resign(reader: Reader, *, is_of_match: bool = False) -> Blocks:
    """Ask whether the game is to be given up, or the whole match."""
    if is_of_match:
        goes_on = message("the_match_goes_on")
        asked = message("match_resignation_asked", is_over=reader.game.is_over)
        return (*paragraph(asked), buttons((message("i_give_match_up"), "yes"), (goes_on, "no")))
    choices = buttons((message("i_give_up"), "yes"), (message("the_game_goes_on"), "no"))
    beside = message("only_this_game_is_given_up") if reader.standings.is_undecided else None
    return (*paragraph(message("resignation_asked"), beside), choices)


def adjourned(reader: Reader) -> Blocks:
    """Say that a game stands still. The letter gives the reason."""
    is_by_operator = bool(reader.game.why)
    return paragraph(message("operator_has_adjourned" if is_by_operator else "game_stands_still"))


BUILDERS: Mapping[str, Builder] = {
    "already_played": lambda _, turn, text: paragraph(message("move_already_played", turn=turn, text=text)),
    "already_proposed": lambda _, kind, turn: paragraph(message("proposal_repeated", kind=kind, turn=turn)),
    "adjourned": adjourned,
    "clock": _clock,
    "moves": _moves,
    "show": _show,
    "show_given_up": _show_given_up,
    "record": _record,
    "relay_record": _relay_record,
    "relay_show": _relay_show,
    "whose_turn": _whose_turn,
    "show_beyond": _show_beyond,
    "log": turns.log,
    "relay_log": _relay_log,
    "two_turns": _two_turns,
    "not_your_turn": _not_your_turn,
    "played_otherwise": _played_otherwise,
    "refused": _refused,
    "compared": _compared,
    "why": _why,
    "which_offer": _which_offer,
    "propose_no_board": _propose_no_board,
    "propose_unread": _propose_unread,
    "propose_whose": _propose_whose,
    "propose_shown": _propose_shown,
    "ask_resign": ask_resign,
}
"""The builders of these answers, by their reason."""
