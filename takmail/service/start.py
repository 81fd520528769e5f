"""The verbs that begin a game: new, accept, decline."""

import re

from takmail.games.game import Refused, Seat
from takmail.games.registry import DEFAULT, GAMES
from takmail.service.case import Case, Report, done, failed
from takmail.service.commands import New
from takmail.service.identify import Chair, Proof
from takmail.service.post import write_in_game
from takmail.store import games, players
from takmail.store.tables import GameRow, Player, Standing

FALLBACK_NAME = "A friend"


def invite(case: Case, command: New) -> Report:
    """Found a game and send the invitation; it begins when the other one accepts."""
    if case.desk.key.is_own(command.opponent):
        return failed("new_me")
    if command.opponent == case.mail.sender:
        return failed("new_yourself")
    rules = GAMES[DEFAULT]
    try:
        setup = rules.set_up(command.setup, case.desk.lot)
    except Refused as refused:
        return failed("refused", game=rules.name, reason=refused.reason, turn="", fixes=())
    host = case.player or _meet(case, case.mail.sender, case.mail.sender_name)
    case.player = host
    guest = players.by_address(case.session, command.opponent) or _meet(case, command.opponent, "")
    if guest.id == host.id:
        return failed("new_yourself")
    host_seat = _draw(case, command.first)
    pair = (host, guest) if host_seat == Seat.FIRST else (guest, host)
    names = (pair[0].name, pair[1].name)
    game = GameRow(
        kind=rules.name,
        setup=setup,
        subject=case.desk.templates.line("game/subject.txt", names=names, title=rules.title(setup)),
        standing=Standing.INVITED,
        invited_by=players.number(host),
        created_at=case.desk.clock(),
    )
    number = games.add(case.session, game, (players.number(pair[0]), players.number(pair[1])))
    _send_invitation(case, Chair(game, host_seat, players.number(host), Proof.SURE, None))
    return done("invited", number=number, guest=guest.name, title=rules.title(setup))


def accept(case: Case) -> Report:
    """Begin the game that the sender was invited to; to say so again is no fault."""
    if case.table.row.standing == Standing.OPEN:
        return done("already_begun")
    refusal = _not_asked(case)
    if refusal:
        return refusal
    case.table.row.standing = Standing.OPEN
    case.changed()
    case.tell("begun")
    return done("begun")


def decline(case: Case) -> Report:
    """Turn the invitation down."""
    refusal = _not_asked(case)
    if refusal:
        return refusal
    case.table.row.standing = Standing.DECLINED
    case.changed()
    case.tell("declined")
    return done("declined")


def provisional_name(address: str) -> str:
    """What someone is called until they write themselves: the first word of the address, `Ben` for ben.x2@…"""
    return re.split(r"[^a-z]", address)[0].capitalize() or FALLBACK_NAME


def _not_asked(case: Case) -> Report | None:
    """Why the sender can't answer an invitation to this game, if they can't."""
    row = case.table.row
    if row.standing == Standing.DECLINED:
        return failed("was_declined")
    if row.standing == Standing.OVER:
        return failed("over")
    if row.standing == Standing.OPEN:
        return failed("too_late_to_decline")
    if case.player is not None and row.invited_by == case.player.id:
        return failed("not_yours_to_accept")
    return None


def _meet(case: Case, address: str, name: str) -> Player:
    return players.add(case.session, address, name or provisional_name(address), case.desk.clock())


def remember_name(case: Case) -> None:
    """Someone who was only an address gets the name that their own mail gives."""
    player, mail = case.player, case.mail
    if player is not None and mail.sender_name and player.name == provisional_name(mail.sender):
        player.name = mail.sender_name


def _draw(case: Case, first: str) -> Seat:
    match first:
        case "me":
            return Seat.FIRST
        case "them":
            return Seat.SECOND
        case _:
            return case.desk.lot.choice(list(Seat))


def _send_invitation(case: Case, chair: Chair) -> None:
    """Write to the guest; a mail that named no game is answered in the thread of the new one."""
    before, shown = case.chair, case.shown
    case.sit(chair)
    write_in_game(case, "invitation", chair.seat.other, answers=False)
    if before is not None:
        case.sit(before)
        case.shown = shown
