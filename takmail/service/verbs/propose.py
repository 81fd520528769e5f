"""`propose`: to go on from one board, where those of the two have parted. Both have to agree."""

from collections.abc import Sequence

from takmail.games.game import Comparison, Refused, Seat
from takmail.service.case import Case, Report, done, failed
from takmail.service.game.branches import branch_with
from takmail.service.game.wish import STANDS_FOR, is_same, state_after, wish_of
from takmail.service.people.skeleton import skeleton
from takmail.service.reading.commands import MOST_DETAIL, Propose
from takmail.service.reading.plain import clipped
from takmail.service.reading.proposing import OTHER_ONE, SENDER
from takmail.service.verbs import offering, remedies, talk
from takmail.service.verbs.closed import not_open
from takmail.service.verbs.undo import shows_what_is_gone
from takmail.store import boards, offers
from takmail.store.tables import REMEDIES, Offer, OfferEnd, OfferKind, ShownBoard


def propose(case: Case, command: Propose) -> Report:
    """Make a proposal, or agree to the same one of the other's."""
    refusal = not_open(case.table.row) or _out_of_date(case)
    if refusal:
        return refusal
    wanted = _wanted(case, command)
    if isinstance(wanted, Report):
        return wanted
    theirs = offering.standing(case, case.seat.other, OfferKind(wanted.kind))
    if any(is_same(case.table, one, wanted) for one in theirs):
        return remedies.carry_out(case, theirs[0])
    return _offer(case, wanted, _shown_before(case, command))


def _shown_before(case: Case, command: Propose) -> int | None:
    """After which turn the board was shown that is proposed without being written again; None: it comes along."""
    is_again = command.kind == OfferKind.BOARD and command.board is None
    shown = boards.shown(case.session, case.table.number, case.seat) if is_again else None
    return None if shown is None else shown.turn


def _out_of_date(case: Case) -> Report | None:
    """Why a proposal in this mail is none for the board as it is, if that is so."""
    if shows_what_is_gone(case):
        return failed("gone")
    turns = case.table.turns
    of_this_mail = sum(one.intake_id is not None and one.intake_id == case.intake_id for one in turns)
    if case.shown is not None and case.shown + of_this_mail != len(turns):
        return failed("propose_stale", shown=case.shown, turns=len(turns))
    return None


def _wanted(case: Case, command: Propose) -> Offer | Report:
    """The proposal, or why it can't be made."""
    count, target = len(case.table.turns), command.target or 0
    if count == 0:
        return failed("propose_nothing")
    if command.kind == OfferKind.BOARD:
        return _board(case, command)
    if target >= count:
        return failed("propose_no_turn", turn=target, turns=count, branch=branch_with(case.table, target))
    # To go back to before the first turn is to begin anew, whatever it is called.
    return offering.new(case, OfferKind.BACK if target else OfferKind.RESTART, target=target)


def _board(case: Case, command: Propose) -> Offer | Report:
    """The proposal of the board that comes with the command, or else of the last that the sender has shown."""
    table = case.table
    if command.is_unread:
        return failed("propose_unread")
    shown = boards.shown(case.session, table.number, case.seat) if command.board is None else None
    written = shown.board if shown is not None else command.board
    if written is None:
        return failed("propose_no_board")
    to_move = _whose(case, command.whose)
    try:
        adopted = table.state.adopt(written, Seat.FIRST if to_move is None else to_move)
    except Refused as refused:
        return _impossible(case, refused, shown)
    if shown is None:
        boards.show(case.session, table.number, case.seat, written, len(table.turns), case.desk.clock())
    if to_move is None:
        return failed("propose_whose", whose=clipped(command.whose, MOST_DETAIL))
    wanted = offering.new(case, OfferKind.BOARD, board=adopted)
    after = state_after(table, wanted)
    if after.board() == table.state.board() and after.to_move == table.state.to_move:
        return failed("propose_same_board")
    return wanted


def _impossible(case: Case, refused: Refused, shown: ShownBoard | None) -> Report:
    """Why nobody can go on from a board; one that stands in no line of this mail is shown."""
    rules = case.table.rules
    facts = {"game": rules.name, "reason": refused.reason}
    if shown is None:
        return failed("refused", turn="", fixes=(), **facts)
    return failed("propose_shown", rows=rules.rows(shown.board), turn=shown.turn, **facts)


def _whose(case: Case, words: str) -> Seat | None:
    """Whose turn is meant: in the words of the game, by name, or as seen by the sender."""
    word = words.lower()
    seat = case.table.rules.seat_named(word)
    if seat is not None or not word:
        return seat
    if word in SENDER:
        return case.seat
    if word in OTHER_ONE:
        return case.seat.other
    named = [one for one in Seat if skeleton(case.table.names[one]) == skeleton(words)]
    return named[0] if named else None


def _offer(case: Case, wanted: Offer, shown_after: int | None) -> Report:
    """Put a proposal to the other one, in the place of any other of the sender's."""
    own = [one for one in offering.standing(case, case.seat) if one.kind in REMEDIES]
    wish = wish_of(case.table, wanted)
    if any(is_same(case.table, one, wanted) for one in own):
        return done("already_proposed", wish=wish)
    instead_of = _known(case, own)
    facts = {
        "wish": wish,
        "days": STANDS_FOR.days,
        "found": _compared(case, wanted),
        "shown_after": shown_after,
    }
    offers.end(case.session, own, OfferEnd.REPLACED)
    offers.make(case.session, wanted)
    case.changed()
    if talk.is_heard(case):
        case.tell("proposed", offer=wanted.id, instead_of=instead_of, turn=wanted.turn, **facts)
    return done("proposed", is_in_place=bool(own), **facts)


def _known(case: Case, own: Sequence[Offer]) -> object:
    """The wish that the other one has heard of, of those that are replaced; None: of none."""
    for one in own:
        unsaid = offering.unsaid(case, one)
        return wish_of(case.table, one) if unsaid is None else unsaid.facts["instead_of"]
    return None


def _compared(case: Case, wanted: Offer) -> Comparison | None:
    """What a proposed board is beside the game: nobody is to agree to one that lies otherwise without knowing it."""
    shown = boards.shown(case.session, case.table.number, case.seat)
    if wanted.kind != OfferKind.BOARD or shown is None:
        return None
    table = case.table
    return table.rules.compare(table.row.setup, [turn.text for turn in table.turns], shown.board)
