"""Render letters: the text, the HTML part, which has the same words and boards to touch, and the bytes of both."""

from dataclasses import replace
from datetime import datetime

from takmail.blocks import Blocks, message
from takmail.letters.catalogue import Speaker
from takmail.letters.drawings import Drawings
from takmail.letters.letter import Draft, Rendered, Sending
from takmail.letters.mailto_links import MailtoLinks, mailto_links
from takmail.letters.page import HtmlPage
from takmail.letters.reader import Reader
from takmail.letters.services import Services
from takmail.letters.text import as_text
from takmail.limits.letters import (
    MAX_HTML_BYTES,
    MAX_SHORT_LINK_CHARS,
    MAX_THREAD_REFERENCES,
    MOST_BOARDS,
    MOST_BOARDS_OF_GAMES,
)
from takmail.mail.letter import OutgoingMail
from takmail.mail.letter_body import LetterBody
from takmail.mail.quotes.own_letters import page_text
from takmail.mail.tokens import SeatRef
from takmail.vocabulary.taught import in_language
from takmail.world import LetterView, tzinfo_of


def rendered(services: Services, draft: Draft, now: datetime) -> Rendered:
    """Render a letter as its reader wants it."""
    key, style, sending, reader = services.key, draft.style, draft.sending, draft.reader
    if style.view is not LetterView.TEXT:
        reader = replace(reader, links=_links(services, draft))
    blocks = draft.make(reader)
    common = {
        **common_values(services, now.astimezone(tzinfo_of(style.zone)), reader.opponent.name),
        "has_game": reader.view is not None,
        "is_guest": reader.view is not None and reader.view.is_guest,
        "new_players": reader.lobby.new_players,
    }
    speaker = Speaker(services.templates.words(style.language), common)
    text = as_text(blocks, speaker)
    if sending.is_piece:
        return _piece(services, blocks, reader, speaker, text)
    page = None if style.view is LetterView.TEXT else _page(services, blocks, reader, draft.subject, speaker)
    html, pictures = (None, ()) if page is None else (page.html, page.pictures)
    mail = OutgoingMail(
        to=draft.mailbox.address,
        to_name=draft.name,
        sender=services.address,
        sender_name=speaker.text(message("sender_name", waits_for=_waits_for(reader, sending))),
        reply_to_name=services.name,
        reply_to=_reply_to(services, draft),
        subject=draft.subject,
        language=style.language,
        body=LetterBody(
            text=None if style.view is LetterView.HTML and html else text,
            html=html,
            attachments=() if reader.attached.record is None else (reader.attached.record,),
            has_pictures=bool(pictures),
            has_animation=reader.attached.animation is not None,
        ),
        message_id=draft.message_id,
        references=_references(services, draft),
        date=now,
        is_reply=sending.answers is not None,
        unsubscribe=key.unsubscribe_address(draft.mailbox.address, sending.ends),
    )
    return Rendered(
        raw=mail.as_bytes(),
        text=text,
        html_text=None if html is None else page_text(html),
        drawings=Drawings(reader.kind, pictures, reader.attached.animation).as_text(),
    )


def _piece(services: Services, blocks: Blocks, reader: Reader, speaker: Speaker, text: str) -> Rendered:
    """Return what another letter tells. Its boards have no pictures."""
    if reader.links is None:
        return Rendered(raw=b"", text=text)
    html = services.templates.pages.fragment(blocks, speaker, services.games.wording, reader.links)
    return Rendered(raw=b"", text=text, html_text=page_text(html), fragment=html)


def _waits_for(reader: Reader, sending: Sending) -> str:
    """Return for what of its reader a letter waits, as an inbox shows it: `turn`, `answer`, or '' for nothing."""
    seen = reader.view
    if seen is None or seen.seat is None:
        return "answer" if sending.asks else ""
    asks = sending.asks or seen.is_invited or (seen.is_open and seen.offers.theirs)
    waits = seen.game.waits_for(seen.you)
    return "turn" if waits and seen.is_open and not asks else "answer" if asks or waits else ""


def common_values(services: Services, today: datetime, opponent: str = "") -> dict[str, object]:
    """Return the parameters that all messages of a letter have. `today` is now, in the time zone of its reader."""
    return {"service": services.name, "address": services.address, "opponent": opponent, "today": today}


def _links(services: Services, draft: Draft) -> MailtoLinks:
    """Return the `mailto:` links of a letter. A mail that one of them opens is an answer to the letter.

    A lesson may be passed on, so that its links have no token, and their mails answer nothing.
    """
    key, message_id, ref = services.key, draft.message_id, draft.ref
    address = services.address if draft.sending.lesson else key.letter_address(message_id)
    keep_one = services.templates.said(message("keep_one_line"), draft.style.language)
    moves = in_language("moves", draft.style.language)
    if ref is not None:
        links = mailto_links(address, key.letter_tag(message_id), (ref.turn or 0) + 1, keep_one, moves)
    else:
        links = mailto_links(address, f"Re: {draft.subject}", 0, keep_one, moves)

    def to_seat(seat: SeatRef) -> MailtoLinks:
        to = key.reply_address(seat.game, seat.seat, seat.number)
        # As short as it can be, for many boards in one letter.
        is_named = to != services.address
        tag = f"#{seat.game}" if is_named else key.subject_tag(seat.game, seat.seat, seat.number)
        links = mailto_links(to, tag, (seat.turn or 0) + 1, keep_one, moves)
        return replace(links, most_chars=MAX_SHORT_LINK_CHARS)

    return replace(links, to_seat=to_seat)


def _page(
    services: Services, blocks: Blocks, reader: Reader, subject: str, speaker: Speaker
) -> HtmlPage | None:
    """Return the HTML part, None if it would exceed `MAX_HTML_BYTES`.

    The more boards of pictures it has, the longer it is. It has as many as fit.
    """
    assert reader.links is not None
    for most in MOST_BOARDS if reader.view is not None else MOST_BOARDS_OF_GAMES:
        page = services.templates.pages.page(
            blocks, speaker, services.games.wording, reader.links, subject, most
        )
        if len(page.html) <= MAX_HTML_BYTES:
            return page
    return None


def _reply_to(services: Services, draft: Draft) -> str:
    """Return the address for answers: that of the seat, or the reader's personal one."""
    key, ref, sending = services.key, draft.ref, draft.sending
    if ref is not None:
        return key.reply_address(ref.game, ref.seat, ref.number)
    if sending.asks or sending.lesson:
        # Some mail programs keep only the reply address. A `yes` counts only if it names the letter, and the letter's
        # name says which lesson it gives.
        return key.letter_address(draft.message_id)
    return key.personal_address(draft.mailbox.address, draft.mailbox.token_number)


def _references(services: Services, draft: Draft) -> tuple[str, ...]:
    """Return the Message-IDs of the thread that the reader may see."""
    # A sender may have put the Message-ID of another player's letter, with its token, into the thread. The Message-ID
    # of a letter that asks lets a `yes` count, so no other letter repeats it: its reader may answer with others in Cc.
    key, to = services.key, draft.mailbox.address
    thread = tuple(
        message_id
        for message_id in dict.fromkeys(draft.previous)
        if (message_id in draft.own or key.may_see(message_id, draft.ref, to)) and not key.asks(message_id)
    )
    if len(thread) <= MAX_THREAD_REFERENCES:
        return thread
    return thread[0], *thread[1 - MAX_THREAD_REFERENCES :]
