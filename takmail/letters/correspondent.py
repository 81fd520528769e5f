"""Define whoever gets the answer to a mail."""

from dataclasses import dataclass, replace

from takmail.commands.grammar.names import clean_name
from takmail.commands.result import Result, Sender
from takmail.letters import budgets
from takmail.letters.services import Services
from takmail.letters.style import Style, style_of
from takmail.mail.message import Message, UnreadableReason
from takmail.world import Mailbox, Player


@dataclass(frozen=True, slots=True)
class Correspondent:
    """Whoever gets the answer to a mail, and what its letters take from the mail.

    * `mailbox` gets the answer. It is in its state after the mail.
    * `name` is empty if it is not verified
    * `style` is how they want their letters
    * `thread` are the Message-IDs of the mail's thread. The mail's own one is the last.
    * `unreadable` is the reason why the mail's text was not read, or None
    * `last_for` is "hour" or "day" if the answer is the last one allowed within that time, otherwise ''
    * `game` is the kind of game that the mail is about, or None for the default one
    * `needs_new_token`: others have read the current token of the seat in the answer's thread
    """

    sender: Sender
    mailbox: Mailbox
    name: str
    style: Style
    thread: tuple[str, ...] = ()
    unreadable: UnreadableReason | None = None
    last_for: str = ""
    game: str | None = None
    needs_new_token: bool = False


def correspondent(services: Services, mail: Message, sender: Sender, result: Result) -> Correspondent:
    """Return whoever wrote a mail, as its letters need them."""
    own = () if mail.message_id is None else (mail.message_id,)
    owner = result.world.owner(sender.address)
    return Correspondent(
        sender,
        (owner and owner.mailbox(sender.address)) or replace(sender.mailbox, address=sender.address),
        _verified_name(sender, result.player),
        style_of(services, owner),
        (*mail.references, *own),
        mail.unreadable,
        budgets.last_for(services.rates, sender),
        None if result.claim is None else result.world.games[result.claim.game].record.kind,
        sender.needs_new_token(result.claim),
    )


def _verified_name(sender: Sender, player: Player | None) -> str:
    """Return the sender's name, or '' if it is not verified, because anybody may have written an unverified name."""
    if not sender.is_verified:
        return ""
    return clean_name(sender.name) if player is None or player.is_erased else player.name
