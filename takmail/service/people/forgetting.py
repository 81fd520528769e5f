"""Finding somebody in the mails that are kept, however these are encoded."""

import html
import re
import unicodedata
from collections.abc import Iterator

from sqlmodel import Session

from takmail.mail.address import the_sender
from takmail.mail.charsets import decoded
from takmail.mail.headers import first_headers, words_decoded
from takmail.mail.limits import Limits, OverLimit
from takmail.mail.mime import leaves
from takmail.service.people.skeleton import skeleton
from takmail.store import holdings, mails, players
from takmail.store.forget import Traces
from takmail.store.tables import Player

_MOST_LETTERS = 10_000
"""Letters to a player, the newest, that are looked through for older names of theirs."""
_SOFT_END = re.compile(r"=\r?\n")


def traces_of(session: Session, player: Player, limits: Limits) -> Traces:
    """What leads to a player, with the older names that letters went to, unless these are another one's by now."""
    you = players.number(player)
    names = {player.name: None}
    for post in holdings.letters(session, you, _MOST_LETTERS).rows:
        if post.game_id is not None and post.head:
            headers, _ = first_headers(post.head, limits)
            names[the_sender(headers.all("to"), limits)[1]] = None
    own = (one for one in filter(None, names) if _is_no_others(session, player, one))
    return Traces(tuple(players.addresses(session, you)), tuple(own))


def _is_no_others(session: Session, player: Player, name: str) -> bool:
    owner = players.by_skeleton(session, skeleton(name))
    return owner is None or owner.id == player.id


def mails_with(session: Session, traces: Traces, limits: Limits) -> set[int]:
    """The numbers of the kept mails in which one of the traces stands; what can't be searched counts as found.

    A mail that raised may hold a turn: only an address takes it away, as a name may be any word.
    """
    raised = mails.shunted(session)
    return {
        number
        for number, raw in mails.kept(session)
        if _holds(raw, traces.sure if number in raised else traces, limits)
    }


def _holds(raw: bytes, traces: Traces, limits: Limits) -> bool:
    try:
        return any(traces.stands_in(unicodedata.normalize("NFKC", text)) for text in _texts(raw, limits))
    except OverLimit:
        return True


def _texts(raw: bytes, limits: Limits) -> Iterator[str]:
    """All that a mail says: as it stands, its headers, and each part with its encoding undone."""
    yield _SOFT_END.sub("", decoded(raw, "utf-8"))
    headers, body = first_headers(raw, limits)
    yield from (words_decoded(value) for _, value in headers.items)
    for part in leaves(headers, body or b"", limits):
        yield from (words_decoded(value) for _, value in part.headers.items)
        text = decoded(part.payload(limits.mail_bytes), part.parameters.get("charset", "utf-8"))
        yield text
        yield html.unescape(re.sub(r"<[^>]{0,2000}>", "", text))
