"""The commands about one's own addresses: `address add`, `address remove`, and the `yes` of a new one.

Whoever adds an address hears the same whether it is known here or not; its owner alone is asked, and both are told.
"""

from takmail.commands import profile
from takmail.commands.answers import Answer, refused, unchanged
from takmail.commands.context import Context
from takmail.commands.events import AddressAdded, AddressAsked, AddressRemoved
from takmail.commands.grammar.commands import AddAddress, RemoveAddress
from takmail.commands.kinds import QuestionKind
from takmail.commands.records import ASKED_FOR, PlayerId, Question

MOST_ADDRESSES = 5
"""Addresses of one player; nobody reads at more places, and each one is a letter to somebody."""
MOST_ASKED = 2
"""Questions about whose it is that wait for one address."""


def add(context: Context, command: AddAddress) -> Answer:
    """Ask at an address whether it is the sender's; it counts as asked even if nobody is written to there."""
    address = command.address
    player, joined = profile.enrol(context)
    if context.services.key.is_own(address):
        return refused("address_ours")
    if address in player.addresses:
        return unchanged("address_known")
    asked = _asked_by(context, player.id)
    if len(player.addresses) + len(asked - {address}) >= MOST_ADDRESSES:
        return refused("address_many", most=MOST_ADDRESSES)
    if address in asked:
        return unchanged("address_asked", days=ASKED_FOR.days)
    question = Question(
        context.next_question(),
        QuestionKind.ADDRESS,
        asked_at=context.now,
        address=address,
        player=player.id,
    )
    is_written = _may_be_asked(context, address)
    owner = context.player_by_address(address)
    event = AddressAsked(
        question=question,
        name=player.name,
        days=ASKED_FOR.days,
        is_written=is_written,
        letter_view=None if owner is None else owner.letter_view,
    )
    return (event, *joined)


def remove(context: Context, command: RemoveAddress) -> Answer:
    """Let an address be the sender's no more; the last one stays."""
    player, joined = profile.enrol(context)
    if command.address not in player.addresses:
        return refused("address_not_yours")
    if len(player.addresses) == 1:
        return refused("address_last")
    return (AddressRemoved(player=player.id, address=command.address, name=player.name), *joined)


def is_mine(context: Context, player_id: int) -> Answer:
    """The owner of the new address has said `yes`: it is the player's from now on."""
    player = context.find_player(PlayerId(player_id))
    owner = context.player_by_address(context.sender)
    if owner is not None and owner.id == player.id:
        return unchanged("address_known")
    if owner is not None:
        return refused("address_taken")
    if len(player.addresses) >= MOST_ADDRESSES:
        return refused("address_many", most=MOST_ADDRESSES)
    return (
        AddressAdded(
            player=player.id,
            address=context.sender,
            name=player.name,
            before=player.main.address,
            at=context.now,
        ),
    )


def _asked_by(context: Context, player: PlayerId) -> frozenset[str | None]:
    """The addresses that a player has claimed, and that are neither confirmed nor denied."""
    here = (one.question for one in context.done(AddressAsked))
    stored = context.queries.addresses_asked(player, context.now - ASKED_FOR)
    return stored | {one.address for one in here if one.player == player}


def _may_be_asked(context: Context, address: str) -> bool:
    """Whether somebody is written to: not if they are asked much already, or want no mail."""
    waiting = (one for one in context.questions_to(address) if one.is_open(context.now))
    asked = [one for one in waiting if one.kind == QuestionKind.ADDRESS and one.letter is not None]
    owner = context.player_by_address(address)
    return len(asked) < MOST_ASKED and (owner is None or not owner.wants_no_mail)
