"""Headers that put a letter into its thread, and direct answers and `stop` to takmail."""

from typing import TypedDict

from takmail.letters.services import Services
from takmail.mail.tokens import SeatRef

MOST_REFERENCES = 12
"""The maximum number of Message-IDs in References. The first and the last ones hold the thread together."""


class ThreadHeaders(TypedDict):
    """The headers of a letter for its sender and its thread, by the names of `Letter`."""

    sender: str
    sender_name: str
    reply_to: str
    in_reply_to: str | None
    references: tuple[str, ...]
    unsubscribe: tuple[str, str]


def thread_headers_for(
    services: Services, to: str, ref: SeatRef | None, previous: list[str]
) -> ThreadHeaders:
    """Return the headers that put a letter into its thread, and direct answers and `stop` to takmail."""
    # A sender may have put another player's letter, with its token, into the thread.
    thread = [one for one in dict.fromkeys(previous) if services.key.may_see(one, ref, to)]
    references = thread if len(thread) <= MOST_REFERENCES else [thread[0], *thread[1 - MOST_REFERENCES :]]
    return ThreadHeaders(
        sender=services.address,
        sender_name=services.name,
        reply_to=services.key.reply_address(ref.game, ref.seat) if ref else services.key.personal_address(to),
        in_reply_to=thread[-1] if thread else None,
        references=tuple(references),
        unsubscribe=services.key.unsubscribe_address(to),
    )
