"""Build the headers that put a letter into its thread, and that name the addresses for answers and unsubscribing."""

from collections.abc import Collection, Sequence
from typing import TypedDict

from takmail.letters.services import Services
from takmail.limits.letters import MAX_THREAD_REFERENCES
from takmail.mail.tokens import SeatRef


class ThreadHeaders(TypedDict):
    """The fields of `Letter` that name its sender, its thread and the addresses for answers."""

    sender: str
    sender_name: str
    reply_to: str
    in_reply_to: str | None
    references: tuple[str, ...]
    unsubscribe: tuple[str, str]


def thread_headers_for(
    services: Services,
    to: str,
    number: int,
    ref: SeatRef | None,
    previous: Sequence[str],
    own: Collection[str],
) -> ThreadHeaders:
    """Return the headers of a letter to `to`. `previous` are the Message-IDs of the earlier mails in its thread.

    `own` are those of letters to the same seat, also before the players swapped their seats.

    `ref` is the seat whose address gets the answers, or None for the reader's personal address at takmail. The token of
    the personal address has this `number`.
    """
    key = services.key
    # A sender may have put the Message-ID of another player's letter, with its token, into the thread. The Message-ID
    # of a letter that asks lets a `yes` count, so no other letter repeats it: its reader may answer with others in Cc.
    thread = [
        one
        for one in dict.fromkeys(previous)
        if (one in own or key.may_see(one, ref, to)) and not key.asks(one)
    ]
    references = (
        thread if len(thread) <= MAX_THREAD_REFERENCES else [thread[0], *thread[1 - MAX_THREAD_REFERENCES :]]
    )
    return ThreadHeaders(
        sender=services.address,
        sender_name=services.name,
        reply_to=services.key.reply_address(ref.game, ref.seat, ref.number)
        if ref
        else services.key.personal_address(to, number),
        in_reply_to=thread[-1] if thread else None,
        references=tuple(references),
        unsubscribe=services.key.unsubscribe_address(to),
    )
