"""`rematch`: the same game once more, and the other one begins."""

from takmail.games.game import Seat
from takmail.service.case import Case, Report, failed
from takmail.service.trust.identify import Chair, game_number
from takmail.service.verbs import start
from takmail.service.verbs.closed import not_open
from takmail.store import games, players
from takmail.store.tables import GameRow, Standing


def rematch(case: Case) -> Report:
    """Ask the opponent to another game like this one; in answer to being asked it is as good as `accept`."""
    table, row = case.table, case.table.row
    you, other = table.players[case.seat], table.players[case.seat.other]
    if row.standing == Standing.INVITED and row.rematch_of is not None and row.invited_by != you.id:
        return start.accept(case)
    if row.standing != Standing.OVER:
        return not_open(row) or failed("rematch_too_soon")
    if case.opponent_has_left:
        return failed("opponent_left")
    following = games.rematch(case.session, table.number)
    if following is not None:
        return _follow(case, following)
    refusal = start.too_many(case, other, None)
    if refusal:
        return refusal
    new = GameRow(
        kind=row.kind,
        setup=row.setup,
        days=row.days,
        is_relay=row.is_relay,
        rematch_of=table.number,
        subject="",
        standing=Standing.INVITED,
        invited_by=players.number(you),
        created_at=case.desk.clock(),
    )
    return start.found(case, new, you, other, case.seat.other)


def _follow(case: Case, following: GameRow) -> Report:
    """There is a game that follows on this one; where the other one has asked for it, it begins.

    What the mail has already brought about in the old game is told in a letter of the old game.
    """
    number, you = game_number(following), players.number(case.table.players[case.seat])
    other = case.table.players[case.seat.other]
    if following.standing != Standing.INVITED:
        return failed("rematch_begun", number=number)
    if following.invited_by == you or case.news:
        return failed("already_asked", other=other.name, number=number, was_host=following.invited_by == you)
    game = games.get(case.session, number, lock=True)
    assert game is not None
    assert case.chair is not None
    seat = Seat(games.seats(case.session, number).index(you))
    case.sit(Chair(game, seat, you, case.chair.proof, None))
    return start.accept(case)
