"""Tell what is remembered of the sender of any mail: when the address was proved, its last text, and its tokens."""

from takmail.commands.answers import NewsAndChanges, Sender
from takmail.letters.services import Services
from takmail.mail.tokens import FIRST_RENEWED
from takmail.world import GameNumber, LastText, Player, Snapshot, operations
from takmail.world.changes import carrying_out, heard_from, in_game, of_mailbox, of_player, releasing_letters
from takmail.world.game_changes import with_token


def heard(
    services: Services,
    snapshot: Snapshot,
    sender: Sender,
    text: LastText,
    *,
    has_order: bool = False,
    is_unsigned: bool = False,
) -> NewsAndChanges:
    """Return the changes for a mail from a verified sender, or none. `text` is the last text of the address after it.

    They store the time of the mail, and release the letters that wait for the player, unless mail to it was stopped or
    a machine probably wrote the text. Whoever had left for good can be invited again after a mail with an order in it
    (`has_order`): a farewell or an automatic reply has none. `is_unsigned`: the sender has confirmed that mails from
    the address come without a valid signature.
    """
    player, box = sender.player, snapshot.sender
    if not sender.is_verified or (box.has_left and not has_order):
        return ()
    address, now = sender.address, snapshot.now
    remembered = carrying_out(
        operations.RememberAddress(digests=services.key.digests(address), verified_at=now, text=text)
    )
    if player is None:
        return (remembered,)
    received = of_mailbox(address, heard_from, now, text, sender.shows_personal, is_unsigned)
    if box.has_left:
        return (received, remembered, of_player(player.id, Player.stopped, None))
    if box.stopped_at is not None or text.is_quiet:
        return (received,)
    return (received, releasing_letters(player.id, address, services.rates.letters_per_day))


def tokens_renewed(sender: Sender) -> NewsAndChanges:
    """Return the changes that renew the tokens of seats that the mail has shown to others."""
    return tuple(
        in_game(
            GameNumber(ref.game),
            with_token,
            ref.seat,
            # The letter with the first number says why. Who needs no token is told nothing.
            max(ref.number + 1, FIRST_RENEWED + sender.is_signed),
        )
        for ref in sender.shown_seats
    )
