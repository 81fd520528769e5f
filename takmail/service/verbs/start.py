"""The verbs that begin a game: new, accept, decline."""

from collections.abc import Sequence
from datetime import timedelta

from takmail.games.game import Refused, Seat
from takmail.games.registry import DEFAULT, GAMES
from takmail.service.case import Case, Report, done, failed
from takmail.service.game.title import title_of
from takmail.service.letters import invitations
from takmail.service.people import register
from takmail.service.people.enrol import enrol, enrol_guest, label_for
from takmail.service.reading.commands import New
from takmail.service.trust.identify import Chair, Proof, game_number
from takmail.service.verbs.closed import not_open
from takmail.store import encounters, games, outbox, players
from takmail.store.tables import GameRow, Player, Standing

MOST_OPEN = 10
"""Invitations of one host that may wait for an answer: takmail is no way to write to many strangers."""
MOST_IN_ONE_MAIL = 5
"""Invitations that one mail sends out."""


def invite(case: Case, command: New) -> Report:
    """Found a game and send the invitation; it begins when the other one accepts."""
    if case.desk.key.is_own(command.opponent):
        return failed("new_me")
    setup = set_up(case, command.setup)
    if isinstance(setup, Report):
        return setup
    guest = _known(case, command.opponent)
    by_name = not _is_address(command.opponent)
    if guest is None and by_name:
        return failed("new_nobody", name=command.opponent)
    if command.opponent == case.mail.sender or (guest and case.player and guest.id == case.player.id):
        return failed("new_yourself")
    label = None if by_name else label_for(case, command.opponent)
    refusal = too_many(case, guest, label)
    if refusal:
        return refusal
    host = case.player = enrol(case)
    guest = guest or enrol_guest(case, command.opponent)
    new = GameRow(
        kind=DEFAULT,
        setup=setup,
        days=command.days,
        is_relay=command.is_relay,
        subject="",
        standing=Standing.INVITED,
        invited_by=players.number(host),
        guest_label=label,
        created_at=case.desk.clock(),
    )
    return found(case, new, host, guest, draw(case, DEFAULT, host, guest, command.first))


def set_up(case: Case, words: Sequence[str]) -> str | Report:
    """The set-up that the words behind a command come to, or why they come to none."""
    rules = GAMES[DEFAULT]
    try:
        return rules.set_up(words, case.desk.lot)
    except Refused as refused:
        return failed("refused", game=rules.name, reason=refused.reason, turn="", fixes=())


def found(case: Case, new: GameRow, host: Player, guest: Player, host_seat: Seat) -> Report:
    """Store a new game and ask the guest to it."""
    number = store(case, new, host, guest, host_seat)
    invitations.ask(case, new)
    if case.chair is None:
        # A mail that named no game is answered in the thread of the new one.
        case.sit(Chair(new, host_seat, players.number(host), Proof.SURE, None))
    name = new.guest_label or guest.name
    return done(
        "invited", number=number, guest=name, title=title_of(new), days=new.days, is_relay=new.is_relay
    )


def store(case: Case, new: GameRow, host: Player, guest: Player, host_seat: Seat) -> int:
    """Store a new game, by its players' names; gives its number."""
    pair = (host, guest) if host_seat == Seat.FIRST else (guest, host)
    names = (pair[0].name, pair[1].name)
    new.subject = case.desk.templates.line("game/subject.txt", names=names, title=title_of(new))
    return games.add(case.session, new, (players.number(pair[0]), players.number(pair[1])))


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
    """Turn the invitation down, or take one's own back; the guest need not hear of that."""
    row = case.table.row
    if row.standing == Standing.INVITED and case.player is not None and row.invited_by == case.player.id:
        row.standing = Standing.DECLINED
        outbox.withdraw(case.session, case.table.number, case.seat.other)
        case.changed()
        return done("withdrawn")
    refusal = _not_asked(case)
    if refusal:
        return refusal
    case.table.row.standing = Standing.DECLINED
    case.changed()
    case.tell("declined")
    return done("declined")


def _not_asked(case: Case) -> Report | None:
    """Why the sender can't answer an invitation to this game, if they can't."""
    row = case.table.row
    if row.standing == Standing.OPEN:
        return failed("too_late_to_decline")
    if row.standing != Standing.INVITED:
        return not_open(row)
    if case.player is not None and row.invited_by == case.player.id:
        return failed("not_yours_to_accept")
    return None


def too_many(case: Case, guest: Player | None, label: str | None) -> Report | None:
    """Why nobody else is invited now, if that is so; `guest` is None for somebody who is not known yet.

    `label` is what the host calls a guest whose address they have given, None: they have given the name.
    """
    if sum(one.report.about == "invited" for one in case.reports) >= MOST_IN_ONE_MAIL:
        return failed("many_new", most=MOST_IN_ONE_MAIL)
    if case.player is None:
        return None
    you = players.number(case.player)
    for game in games.of_player(case.session, you, (Standing.INVITED,)):
        # Who is known by a name and asked by an address, or the other way round: a refusal would tell whose it is.
        is_theirs = guest is not None and guest.id in games.seats(case.session, game_number(game))
        known_as = game.guest_label if game.invited_by == you else None
        if guest is not None and is_theirs and known_as == label:
            asked = game.invited_by == you
            return failed("already_asked", other=label or guest.name, number=game.id, was_host=asked)
    if _asked_of_late(case, you) >= MOST_OPEN:
        return failed("many_asked", most=MOST_OPEN)
    return None


def _asked_of_late(case: Case, host: int) -> int:
    """How many of somebody's invitations wait, or have come to nothing within a day: to take them back frees none."""
    then = case.desk.clock() - timedelta(days=1)
    asked = games.of_player(case.session, host, (Standing.INVITED, Standing.DECLINED))
    mine = (game for game in asked if game.invited_by == host)
    return sum(game.standing == Standing.INVITED or game.created_at > then for game in mine)


def _is_address(opponent: str) -> bool:
    return "@" in opponent


def _known(case: Case, opponent: str) -> Player | None:
    """Who is meant, by address or by name, if they are known here."""
    if _is_address(opponent):
        return players.by_address(case.session, opponent)
    return register.by_name(case.session, opponent)


def draw(case: Case, kind: str, host: Player, guest: Player, first: str | None) -> Seat:
    """The host's seat: as they want it, or else in turn with their last game, or by lot in the first one."""
    match first:
        case "me":
            return Seat.FIRST
        case "them":
            return Seat.SECOND
        case "random":
            return case.desk.lot.choice(list(Seat))
    last = encounters.last_beginner(case.session, kind, players.number(host), players.number(guest))
    if last is None:
        return case.desk.lot.choice(list(Seat))
    return Seat.SECOND if last == host.id else Seat.FIRST
