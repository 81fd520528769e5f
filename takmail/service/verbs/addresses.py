"""The verbs about one's own addresses: `address add`, `address remove`, and the `yes` of a new one.

Whoever adds an address hears the same whether it is known here or not; its owner alone is asked, and both are told.
"""

from takmail.service.case import Case, Report, done, failed
from takmail.service.letters.post import write_to
from takmail.service.people.enrol import enrol
from takmail.service.reading.commands import AddAddress, RemoveAddress
from takmail.service.trust.asking import ASKED_FOR
from takmail.store import confirmations, players
from takmail.store.tables import Confirmation, ConfirmationKind

MOST_ADDRESSES = 5
"""Addresses of one player; nobody reads at more places, and each one is a letter to somebody."""
MOST_ASKED = 2
"""Questions about whose it is that wait for one address."""


def add(case: Case, command: AddAddress) -> Report:
    """Ask at an address whether it is the sender's."""
    player = enrol(case)
    you, own = players.number(player), players.addresses(case.session, players.number(player))
    if case.desk.key.is_own(command.address):
        return failed("address_ours")
    if command.address in own:
        return done("address_known")
    asked = confirmations.addresses_for(case.session, you, case.desk.clock() - ASKED_FOR)
    if len(own) + len(asked - {command.address}) >= MOST_ADDRESSES:
        return failed("address_many", most=MOST_ADDRESSES)
    if command.address not in asked:
        _ask(case, command.address, you)
    return done("address_asked", days=ASKED_FOR.days)


def remove(case: Case, command: RemoveAddress) -> Report:
    """Let an address be the sender's no more; the last one stays."""
    player = enrol(case)
    own = players.addresses(case.session, players.number(player))
    if command.address not in own:
        return failed("address_not_yours")
    if len(own) == 1:
        return failed("address_last")
    write_to(case, command.address, "address_removed", {"name": player.name})
    players.remove_address(case.session, command.address)
    return done("address_removed")


def is_mine(case: Case, player_id: int) -> Report:
    """The owner of the new address has said `yes`: it is the player's from now on."""
    address, player = case.mail.sender, players.get(case.session, player_id)
    owner = players.by_address(case.session, address)
    if owner is not None and owner.id == player_id:
        return done("address_known")
    if owner is not None:
        return failed("address_taken")
    if len(players.addresses(case.session, player_id)) >= MOST_ADDRESSES:
        return failed("address_many", most=MOST_ADDRESSES)
    before = players.main_address(case.session, player_id).address
    write_to(case, before, "address_added", {"name": player.name, "added": address})
    players.add_address(case.session, address, player_id, case.desk.clock())
    case.player = player
    return done("address_added", name=player.name)


def _ask(case: Case, address: str, player_id: int) -> None:
    """Write to the new address, unless it is asked much already or wants no mail; it counts as asked in any case."""
    letter = None
    if _may_be_asked(case, address):
        name = players.get(case.session, player_id).name
        letter = write_to(case, address, "address_asks", {"name": name, "days": ASKED_FOR.days}, asks=True)
    confirmations.ask(
        case.session,
        Confirmation(
            address=address,
            kind=ConfirmationKind.ADDRESS,
            player_id=player_id,
            letter_id=letter,
            asked_at=case.desk.clock(),
        ),
    )


def _may_be_asked(case: Case, address: str) -> bool:
    waiting = confirmations.asked_since(case.session, address, case.desk.clock() - ASKED_FOR)
    if sum(one.kind == ConfirmationKind.ADDRESS for one in waiting) >= MOST_ASKED:
        return False
    owner = players.by_address(case.session, address)
    return owner is None or not players.wants_no_mail(case.session, players.number(owner))
