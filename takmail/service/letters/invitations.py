"""Who is asked to a game, and when: nobody gets a second invitation before they have answered the first.

The host hears the same in any case: not whether the address is known here, nor whether its owner wants no mail.
"""

from takmail.games.game import Seat
from takmail.service.case import Case
from takmail.service.letters.post import write_in_game
from takmail.service.letters.unasked import case_of
from takmail.service.trust.identify import game_number
from takmail.store import games, players
from takmail.store.tables import BEGUN, GameRow, Player, Standing

MOST_FOR_A_PLAYER = 5
"""Invitations that may wait for the answer of somebody who plays; for anybody else it is one."""


def ask(case: Case, game: GameRow) -> None:
    """Write to who is invited, if they may be written to now; if not, they will be asked in their turn."""
    host = players.get(case.session, game.invited_by)
    guest = _guest(case, game)
    if not _may_ask(case, guest, host):
        players.has_to_be_asked(case.session, guest, True)
        return
    game.asked_at = case.desk.clock()
    seats = games.seats(case.session, game_number(game))
    seat = Seat(seats.index(game.invited_by))
    # The mail at hand may be about another game, or the guest's own.
    invitation = case_of(case.desk, case.session, game, seat, case.intake_id)
    is_stranger = not players.has_written(case.session, players.number(guest))
    kind = "invitation" if game.rematch_of is None else "rematch"
    write_in_game(invitation, kind, seat.other, answers=False, is_stranger=is_stranger)
    case.letters += invitation.letters


def ask_next(case: Case) -> None:
    """Now that the sender has surely written, let them see an invitation that has had to wait."""
    if case.player is None or not case.player.has_to_be_asked:
        return  # Most have none that waits, and may sit in very many games.
    # Who holds back another one just now is done with it first, or finds this done.
    players.lock(case.session, case.player)
    waiting = [one for one in waiting_for(case, case.player) if one.asked_at is None]
    for game in waiting:
        ask(case, game)
    players.has_to_be_asked(case.session, case.player, any(one.asked_at is None for one in waiting))


def waiting_for(case: Case, guest: Player) -> list[GameRow]:
    """The invitations that wait for somebody's answer."""
    you = players.number(guest)
    return [one for one in games.of_player(case.session, you, (Standing.INVITED,)) if one.invited_by != you]


def _guest(case: Case, game: GameRow) -> Player:
    first, second = games.seats(case.session, game_number(game))
    return players.get(case.session, second if first == game.invited_by else first)


def _may_ask(case: Case, guest: Player, host: Player) -> bool:
    """Whether somebody may get an invitation now."""
    you = players.number(guest)
    if players.wants_no_mail(case.session, you) or players.blocks(case.session, you, players.number(host)):
        return False
    waiting = [one for one in waiting_for(case, guest) if one.asked_at is not None]
    # By whatever name or address they are asked again: one question of one host at a time.
    if guest.is_blocked or any(one.invited_by == host.id for one in waiting):
        return False
    if not players.has_written(case.session, you):
        return not games.was_asked(case.session, you)
    plays = games.of_player(case.session, you, BEGUN)
    return len(waiting) < (MOST_FOR_A_PLAYER if plays else 1)
