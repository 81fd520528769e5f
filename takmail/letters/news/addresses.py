"""Tell that addresses of a player are added, asked about or removed."""

from collections.abc import Mapping

from takmail.blocks import Blocks, Message, buttons, message, paragraph
from takmail.letters.answers.general import address_asked
from takmail.letters.batch import LetterBatch
from takmail.letters.letter import Sending
from takmail.letters.news.row import Row, says
from takmail.letters.reader import Reader
from takmail.letters.style import Style, style_of
from takmail.world import LIFETIME, Player, news


def _you_have_added(event: news.AddressAdded, reader: Reader) -> Blocks:
    return paragraph(message("address_added", name=reader.world.players[event.player].name))


def _tell_of_added(work: LetterBatch, event: news.AddressAdded) -> LetterBatch:
    """Tell the player at their oldest address that they have one more."""
    player = work.world.players[event.player]
    made = (
        *paragraph(message("you_have_one_more_address", name=player.name, changed=event.address)),
        *paragraph(message("if_you_did_not_add_it", changed=event.address)),
    )
    return _told(work, player, player.oldest_mailbox.address, message("subject_of_added_address"), made)


def _address_is_asked(event: news.AddressAsked, reader: Reader) -> Blocks:
    return address_asked(reader, wait_hours=event.wait_hours, days=LIFETIME.days)


def _ask_address(work: LetterBatch, event: news.AddressAsked) -> LetterBatch:
    """Ask the owner of an address whether they are the player who wants to add it."""
    if not event.sends_letter:
        return work
    assert event.question.address is not None
    assert event.question.player is not None
    usual = style_of(work.services, None)
    name = work.world.players[event.question.player].name
    return work.outside_games(
        message("subject_of_asked_address"),
        lambda _: paragraph(message("is_this_address_yours", name=name, days=LIFETIME.days)),
        work.mailbox(event.question.address),
        Style(event.letter_view or usual.view, event.language or usual.language),
        Sending(asks=True, typed_due_at=event.waits_until or work.now),
    )


def _tell_of_removed(work: LetterBatch, event: news.AddressRemoved) -> LetterBatch:
    """Tell the address that is removed, and the player's other one if no mail asked for it just now."""
    player, subject = work.world.players[event.player], message("subject_of_removed_address")
    left = paragraph(message("this_address_has_left", name=player.name))
    work = _told(work, player, event.address, subject, left)
    if work.writer is not None:
        return work
    left = paragraph(message("your_address_has_left", name=player.name, changed=event.address))
    return _told(work, player, player.main_mailbox.address, subject, left)


def _tell_of_leaving(work: LetterBatch, event: news.RemovalAsked) -> LetterBatch:
    """Tell all addresses of the player. Only the letter to the one that is to be removed asks, and it is the last."""
    asked, days, subject = event.question.address, LIFETIME.days, message("subject_of_leaving_address")
    assert event.question.player is not None
    assert asked is not None
    player = work.world.players[event.question.player]
    leaves = paragraph(message("your_address_leaves", name=player.name, changed=asked, days=days))
    for address in player.addresses:
        if address != asked:
            work = _told(work, player, address, subject, leaves)
    this_leaves = (
        *paragraph(message("this_address_leaves", name=player.name, days=days)),
        buttons((message("label_keep_address"), "no")),
    )
    return _told(work, player, asked, subject, this_leaves, asks=True)


def _told(
    work: LetterBatch, player: Player, address: str, subject: Message, made: Blocks, *, asks: bool = False
) -> LetterBatch:
    """Return the letters with one to an address of a player, or to one that was theirs."""
    return work.outside_games(
        subject,
        lambda _: made,
        work.mailbox(address),
        style_of(work.services, player),
        Sending(asks=asks),
    )


ROWS: Mapping[type[news.News], Row] = {
    news.AddressAdded: Row("address_added", _you_have_added, writes=_tell_of_added),
    news.AddressRemoved: Row("address_removed", says(message("address_removed")), writes=_tell_of_removed),
    news.AddressAsked: Row("address_asked", _address_is_asked, writes=_ask_address),
    news.RemovalAsked: Row(
        "address_leaves", says(message("address_leaves", days=LIFETIME.days)), writes=_tell_of_leaving
    ),
}
"""Rows of news about addresses."""
