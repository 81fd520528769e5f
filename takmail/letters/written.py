"""Keep the letters of one cause that are written so far, and render and count the next one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Self

from takmail.blocks import Blocks, Text, message
from takmail.commands.answers import CauseResult, SeatClaim
from takmail.commands.series import begun_after
from takmail.games.interface import Seat
from takmail.games.readonly import replace
from takmail.letters import budgets
from takmail.letters.catalogue import Speaker
from takmail.letters.drawings import Drawings
from takmail.letters.letter import NEVER_RENDERED, About, Draft, Letter, Rendered, Sending, postponed_letters
from takmail.letters.mailto_links import MailtoLinks, mailto_links
from takmail.letters.page import HtmlPage
from takmail.letters.reader import (
    Answering,
    Correspondent,
    Lobby,
    Reader,
    Style,
    style_of,
)
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
from takmail.mail.tokens import SeatRef, nonce_of
from takmail.vocabulary.taught import in_language
from takmail.world import (
    Game,
    GameNumber,
    LetterPurpose,
    LetterState,
    LetterView,
    Mailbox,
    MessageId,
    Player,
    PlayerId,
    SeenWorld,
    Snapshot,
    Thread,
    World,
    events,
    is_reviewed,
    tzinfo_of,
)


@dataclass(frozen=True, slots=True)
class WrittenLetters:
    """The letters of a cause that are written so far, and what the next one of them depends on.

    * `snapshot` is what the cause was decided from, and `result` what the letters describe
    * `writer` wrote the mail that is answered, None if none is
    * `mailboxes` by address and `threads` by game and seat include these letters
    * `delivered_chat` is the version of a game up to which these letters deliver the waiting chat to a seat
    """

    services: Services
    snapshot: Snapshot
    result: CauseResult
    writer: Correspondent | None
    letters: tuple[Letter, ...] = ()
    mailboxes: Mapping[str, Mailbox] = field(default_factory=dict)
    threads: Mapping[tuple[GameNumber, Seat], Thread] = field(default_factory=dict)
    delivered_chat: Mapping[tuple[GameNumber, Seat], int] = field(default_factory=dict)

    @property
    def world(self) -> World:
        """The world after the cause."""
        return self.result.world

    @property
    def now(self) -> datetime:
        """The time of the cause."""
        return self.snapshot.now

    @property
    def claim(self) -> SeatClaim | None:
        """The seat whose thread gets the answer, or None if the answer is not about a game."""
        return self.result.claim

    @property
    def purpose(self) -> LetterPurpose:
        """The kind under which budgets count letters that the mail leads to."""
        return LetterPurpose.SURE if self.writer is None else self.writer.sender.purpose

    @property
    def is_of_part(self) -> bool:
        """Whether the cause is a part of a mail about several games. What ends a game has letters of its own."""
        return self.snapshot.cause.part_of is not None and not self.result.ended

    @property
    def last_for(self) -> str:
        """What `Correspondent.last_for` says, '' if no mail is answered."""
        return "" if self.writer is None else self.writer.last_for

    @property
    def is_stranger(self) -> bool:
        """Whether the mail that is answered is a stranger's (`Sender.is_stranger`)."""
        return self.writer is not None and self.writer.sender.is_stranger

    def has_ended(self, game: GameNumber) -> bool:
        """Return whether this cause ended a game. One that had not begun is declined instead."""
        return game in self.result.ended and self.world.game(game).record.is_over

    def holds_end(self, game: Game) -> bool:
        """Return whether letters that only tell that a game has ended wait for what its review finds."""
        is_last = self.has_ended(game.number) and begun_after(self.world, game) is None
        return bool(self.services.bots.every) and is_last and is_reviewed(game)

    def mailbox(self, address: str) -> Mailbox:
        """Return the mailbox of an address, as it is after the cause.

        If no player owns it after the cause, return it as it was before. If no player owned the address before either,
        return a new mailbox.
        """
        owners = (world.owner(address) for world in (self.world, self.snapshot.world))
        owned = (owner.mailbox(address) for owner in owners if owner is not None)
        return next((mailbox for mailbox in owned if mailbox is not None), Mailbox(address))

    def current_mailbox(self, mailbox: Mailbox) -> Mailbox:
        """Return a mailbox whose budget includes the letters written so far."""
        return self.mailboxes.get(mailbox.address, mailbox)

    @property
    def writing_player(self) -> PlayerId | None:
        """The player who wrote the mail, also one whom it has erased. None if there is none."""
        before = None if self.writer is None else self.writer.sender.player
        player = self.result.player or before
        return None if player is None else player.id

    def style_of(self, player: Player) -> Style:
        """Return how a player wants letters. Who has never written gets an answer in the language of the mail."""
        style, language = style_of(self.services, player), self.result.offers_language
        is_unknown = self.writing_player == player.id and not player.has_written
        return style._replace(language=language) if language and is_unknown else style

    def legible(self, style: Style) -> Style:
        """Return the style of a letter, which has the text, too, if the mail has just chosen HTML alone.

        So whoever reads only text can undo it, even if they have not written the mail.
        """
        is_new = style.view is LetterView.HTML and "view" in events.settings_changed(self.result.happened)
        return style._replace(view=LetterView.BOTH) if is_new else style

    def reader(self, style: Style, kind: str | None, world: SeenWorld, sending: Sending) -> Reader:
        """Return the reader of a letter, who may see the `world`.

        `kind` is the kind of game that the letter is about, None for the default one.
        """
        services = self.services
        return Reader(
            None,
            kind or services.games.default,
            Lobby(services.games, services.access.new_players, services.bots),
            world,
            style.language,
            None if sending.answers is None else Answering(),
        )

    def message_id(self, mailbox: Mailbox, ref: SeatRef | None, sending: Sending, language: str) -> MessageId:
        """Return the Message-ID of the next letter."""
        nonce = nonce_of(self.snapshot.seed, len(self.letters) + 1)
        lesson = f"{language}{sending.lesson}" if sending.lesson else ""
        return MessageId(
            self.services.key.message_id(
                ref, mailbox.address, nonce, mailbox.token_number, asks=sending.asks, lesson=lesson
            )
        )

    def said(self, subject: Text, language: str) -> str:
        """Return a text in a language, such as a Subject."""
        return self.services.templates.words(language).text(subject, common_values(self.services, self.now))

    def with_letter(
        self,
        draft: Draft,
        number: GameNumber | None,
        about: About,
        game: Game | None = None,
        gathered: tuple[About, ...] = (),
    ) -> Self:
        """Return the batch with one more letter, about the game of this number, with its board if `game` is given.

        `about` says what it shows of the game, and `gathered` what a digest shows of several.
        """
        sending = draft.sending
        chat = tuple(words for shown in (about, *gathered) for words in shown.chat)
        mailbox = budgets.without_letters(self.current_mailbox(draft.mailbox), postponed_letters(chat))
        state, due = sending.state_and_due(
            self.services.rates, mailbox, number, self.now, earlier=len(self.letters)
        )
        letter = Letter(
            message_id=draft.message_id,
            mail_from="" if sending.has_null_sender else self.services.address,
            mail_to=mailbox.address,
            content=NEVER_RENDERED if state is LetterState.HELD else rendered(self.services, draft, self.now),
            purpose=sending.purpose,
            budget=sending.budget(draft.mailbox),
            state=state,
            due_at=due,
            created_at=self.now,
            delivery_class=sending.delivery_class(
                draft.mailbox, game, is_proven=self.purpose is LetterPurpose.SURE
            ),
            about=about,
            gathered=gathered,
            replaced=draft.replaced,
            released=draft.released,
            purge_after_send=sending.purge_after_send,
        )
        mailbox = budgets.with_letter(
            mailbox, letter.purpose, number, letter.message_id, self.now, postponed=letter.is_postponed
        )
        mailboxes = {**self.mailboxes, mailbox.address: mailbox}
        return replace(self, letters=(*self.letters, letter), mailboxes=mailboxes)


# One letter, rendered.


def rendered(services: Services, draft: Draft, now: datetime) -> Rendered:
    """Render a letter as its reader wants it."""
    key, style, sending, reader = services.key, draft.style, draft.sending, draft.reader
    if style.view is not LetterView.TEXT:
        reader = replace(reader, links=_links(services, draft))
    blocks = draft.make(reader)
    words = services.templates.words(style.language)
    opponent = words.name(reader.opponent.name)
    common = {
        **common_values(services, now.astimezone(tzinfo_of(style.zone)), opponent),
        "has_game": reader.view is not None,
        "is_guest": reader.view is not None and reader.view.is_guest,
        "new_players": reader.lobby.new_players,
    }
    speaker = Speaker(words, common)
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
    if waits and seen.is_open and not asks:
        return "turn"
    return "answer" if asks or waits else ""


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
