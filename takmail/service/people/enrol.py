"""People as they come: who writes or is invited for the first time is noted, with a name."""

from takmail.service.case import Case
from takmail.service.people import register
from takmail.service.people.names import NameFault, clean_name, core, fault_in, provisional_name
from takmail.service.people.skeleton import skeleton
from takmail.store import players
from takmail.store.tables import Player


def enrol(case: Case) -> Player:
    """The sender as a player, by the name that their mail gives: nobody is shown an address or any word of it."""
    mail, now = case.mail, case.desk.clock()
    player = case.player or players.add(case.session, mail.sender, _friend(case), now, heard_at=now)
    _call(case, player)
    return player


def enrol_guest(case: Case, address: str) -> Player:
    """Somebody new, who was named by their address alone; that name is for the host only, and nobody's own."""
    return players.add(case.session, address, label_for(case, address), case.desk.clock())


def label_for(case: Case, address: str) -> str:
    """What somebody is called who is known by their address alone, to who has given it."""
    return provisional_name(address) or _friend(case)


def remember_name(case: Case) -> None:
    """Someone who was only an address gets a name of their own: the one that their own mail gives, if it does."""
    if case.player is not None:
        _call(case, case.player)


def fault_of_name(case: Case, name: str) -> NameFault | None:
    """Why nobody can be called so, whether or not the name is free; None: somebody can."""
    fault = fault_in(name)
    if fault is None and (core(name) in _not_a_person(case) or register.reads_as_command(name)):
        return NameFault.MEANS_SOMETHING
    return fault


def _call(case: Case, player: Player) -> None:
    """Give a player a name if they have none of their own, or one that stands for a missing one."""
    has_one = player.skeleton is not None
    if has_one and core(player.name) != skeleton(_friend(case)):
        return  # as nearly all have
    given = clean_name(case.mail.sender_name)
    if given and fault_of_name(case, given):
        given = ""
    if given or not has_one:
        register.take(case.session, player, given or _friend(case))


def _friend(case: Case) -> str:
    """What somebody is called of whom no name is known."""
    return case.desk.templates.line("names/friend.txt")


def _not_a_person(case: Case) -> frozenset[str]:
    """What stands in the letters for takmail itself, or in the place of a name."""
    templates = case.desk.templates
    words = (templates.line(name) for name in templates.names() if name.startswith("names/"))
    return frozenset(map(skeleton, (*words, case.desk.name)))
