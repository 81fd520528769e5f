"""Tell what is remembered of the sender of any mail: when the address was proved, its last text, and its tokens."""

from takmail.commands.answers import Events, Sender
from takmail.letters.services import Services
from takmail.mail.tokens import FIRST_RENEWED
from takmail.world import GameNumber, LastText, Snapshot, events


def heard(
    services: Services,
    snapshot: Snapshot,
    sender: Sender,
    text: LastText,
    *,
    has_order: bool = False,
    is_unsigned: bool = False,
) -> Events:
    """Return what any mail of a verified sender leads to. `text` is the last text of the address after it.

    It releases the letters that wait for the player, unless mail to the address was stopped, or a machine probably
    wrote the text. Whoever had left for good can be invited again after a mail with an order in it (`has_order`): a
    farewell or an automatic reply has none. `is_unsigned`: the sender has confirmed that mails from the address come
    without a valid signature.
    """
    player, box = sender.player, snapshot.sender
    if not sender.is_verified or (box.has_left and not has_order):
        return ()
    address, now = sender.address, snapshot.now
    remembered = events.StrangerHeard(marks=services.key.marks(address), heard_at=now, text=text)
    if player is None:
        return (remembered,)
    received = events.SenderHeard(
        player=player.id,
        address=address,
        heard_at=now,
        text=text,
        renews_token=sender.shows_personal,
        is_unsigned=is_unsigned,
    )
    if box.has_left:
        return (received, remembered, events.MailResumed(player=player.id))
    if box.stopped_at is not None or text.is_quiet:
        return (received,)
    most = services.rates.letters_per_day
    return (received, events.LettersReleased(player=player.id, address=address, max_postponed=most))


def tokens_renewed(sender: Sender) -> Events:
    """Return what renews the tokens of seats that the mail has shown to others."""
    return tuple(
        events.TokenRenewed(
            game=GameNumber(ref.game),
            seat=ref.seat,
            # The letter with the first number says why. Who needs no token is told nothing.
            number=max(ref.number + 1, FIRST_RENEWED + sender.is_signed),
        )
        for ref in sender.shown_seats
    )
