"""Carry out `address add` and `address remove`, and the `yes` from a new address.

The answer to `address add` does not reveal whether the address is known. Only the owner of the address gets the
question. When the address is added, a letter goes to the oldest address, too.
"""

from takmail.commands import profile
from takmail.commands.answers import Answer, Events, refused, refused_to_all, told
from takmail.commands.context import Context
from takmail.commands.grammar.arguments import AddressIsMine, OneAddress
from takmail.commands.stranger_budgets import wait_for
from takmail.limits.games import MAX_ADDRESSES
from takmail.limits.questions import MAX_OPEN_ABOUT_ADDRESS
from takmail.mail.domains import may_be_a_person
from takmail.world import LIFETIME, Pending, PendingKind, Player, PlayerId, Queries, events


def add(context: Context, command: OneAddress) -> Answer:
    """Ask the owner of an address whether it belongs to the sender.

    Even if no letter is sent, the address counts as asked.
    """
    address = command.address
    player, joined = profile.enrol(context)
    if context.services.key.is_own(address):
        return refused_to_all("address_ours")
    if not may_be_a_person(address, context.services.address):
        return refused("no_person", address=address)
    if address in player.addresses:
        return told("address_known")
    asked = _asked_by(context, player.id)
    if len(player.addresses) + len(asked - {address}) >= MAX_ADDRESSES:
        return refused("address_many", most=MAX_ADDRESSES)
    if address in asked:
        return told("address_asked", wait_hours=0, days=LIFETIME.days)
    question = Pending(
        context.next_pending(),
        PendingKind.ADDRESS,
        asked_at=context.now,
        address=address,
        player=player.id,
    )
    owner = context.world.owner(address)
    is_written = _may_be_asked(context, address, owner)
    waits_until, wait_hours = wait_for(context, address, player.id)
    return (
        *joined,
        events.AddressAsked(
            question=question,
            sends_letter=is_written,
            letter_view=None if owner is None else owner.preferences.letter_view,
            language=None if owner is None else owner.preferences.language,
            waits_until=waits_until,
            wait_hours=wait_hours,
        ),
    )


def remove(context: Context, command: OneAddress) -> Answer:
    """Remove an address from the sender. The last address cannot be removed.

    The oldest address goes after a week, unless its owner says `no`: whoever takes an account over has a younger one.
    """
    player, joined = profile.enrol(context)
    mailbox = player.mailbox(command.address)
    if mailbox is None:
        return refused("address_not_yours")
    if len(player.addresses) == 1:
        return refused("address_last")
    if mailbox.added_at is None or mailbox == player.oldest_mailbox:
        return _removed_later(context, player, command.address, joined)
    return (*joined, events.AddressRemoved(player=player.id, address=command.address))


def _removed_later(context: Context, player: Player, address: str, joined: Events) -> Answer:
    """Ask the owner of the oldest address whether it may be removed after a week."""
    if any(question.kind is PendingKind.REMOVAL for question in context.world.questions_to(address)):
        return told("address_leaves", days=LIFETIME.days)
    question = Pending(
        context.next_pending(),
        PendingKind.REMOVAL,
        asked_at=context.now,
        address=address,
        player=player.id,
    )
    return (*joined, events.RemovalAsked(question=question))


def removed(context: Context, question: Pending) -> Events:
    """Return what removes the address of a question whose week is over, if it can still be removed."""
    assert question.player is not None
    assert question.address is not None
    player = context.world.player(question.player)
    if player.mailbox(question.address) is None or len(player.addresses) == 1:
        return ()
    return (events.AddressRemoved(player=player.id, address=question.address),)


def is_mine(context: Context, command: AddressIsMine) -> Answer:
    """Add the sender's address to a player, because its owner answered `yes`."""
    player = context.world.player(PlayerId(command.player_id))
    owner = context.world.owner(context.author.address)
    if owner is not None and owner.id == player.id:
        return told("address_known")
    if owner is not None:
        return refused("address_taken")
    if len(player.addresses) >= MAX_ADDRESSES:
        return refused("address_many", most=MAX_ADDRESSES)
    return (events.AddressAdded(player=player.id, address=context.author.address, added_at=context.now),)


def _asked_by(context: Context, player: PlayerId) -> frozenset[str | None]:
    """Return the addresses that a player has claimed and whose owners have not answered."""
    of_this_mail = context.asked(PendingKind.ADDRESS)
    stored = context.world.ask(Queries.addresses_asked, player, context.now - LIFETIME)
    return stored | {question.address for question in of_this_mail if question.player == player}


def _may_be_asked(context: Context, address: str, owner: Player | None) -> bool:
    """Tell whether a letter may ask the owner of an address, None if nobody owns it.

    It may not after too many questions, or if the owner asked for no more mail or has left for good.
    """
    waiting = (question for question in context.world.questions_to(address) if question.is_open)
    asked = [
        question
        for question in waiting
        if question.kind == PendingKind.ADDRESS and question.letter is not None
    ]
    wants_none = (
        context.world.ask(Queries.mailbox, address).has_left if owner is None else owner.wants_no_mail
    )
    return len(asked) < MAX_OPEN_ABOUT_ADDRESS and not wants_none
