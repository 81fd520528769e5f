"""People as they come: who writes or is invited for the first time is noted, with a name."""

from takmail.service.case import Case
from takmail.service.names import clean_name, provisional_name
from takmail.store import players
from takmail.store.tables import Player


def enrol(case: Case) -> Player:
    """The sender as a player, by the name that their mail gives: nobody is shown an address or any word of it."""
    mail, now = case.mail, case.desk.clock()
    name = clean_name(mail.sender_name) or _friend(case)
    if case.player is None:
        return players.add(case.session, mail.sender, name, now)
    if case.player.name == provisional_name(mail.sender):
        case.player.name = name
    return case.player


def enrol_guest(case: Case, address: str) -> Player:
    """Somebody new, who was named by their address alone."""
    return players.add(case.session, address, provisional_name(address) or _friend(case), case.desk.clock())


def remember_name(case: Case) -> None:
    """Someone who was only an address gets the name that their own mail gives."""
    player, name = case.player, clean_name(case.mail.sender_name)
    if player is not None and name and player.name in (provisional_name(case.mail.sender), _friend(case)):
        player.name = name


def _friend(case: Case) -> str:
    """What somebody is called of whom no name is known."""
    return case.desk.templates.line("names/friend.txt")
