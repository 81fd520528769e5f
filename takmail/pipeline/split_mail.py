"""Split a mail about several games into parts, which are mails of their own, or ask its player about it first.

A part has its own place in the queue of its game, its own transaction and letters. One answer tells what became of all.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from functools import cache

from takmail.commands import redaction
from takmail.commands.answers import (
    CauseResult,
    Refusal,
    Said,
    SeatClaim,
    Sender,
    SeveralGames,
    Skipped,
    refused,
)
from takmail.commands.context import CommandServices, Context
from takmail.commands.grammar.line_reader import LineReader, anywhere
from takmail.commands.grammar.normalize import clipped, plain, without_manners, writable
from takmail.commands.grammar.signatures import may_be_name
from takmail.commands.grammar.understand import named_games, understand
from takmail.commands.questions import ask, closing, open_questions, question_to_sender, same_questions
from takmail.games.interface import Seat
from takmail.letters.compose import Composed
from takmail.limits.mails import MAX_PARTS
from takmail.limits.questions import MAX_HELD_CHARS
from takmail.limits.words import MAX_CAREFUL_LINES, MAX_TYPED_CHARS
from takmail.mail.lines_by_game import (
    MailPart,
    Naming,
    has_heading,
    has_number_sign,
    has_numbers,
    may_name_games,
    sections,
    split,
)
from takmail.mail.message import Dmarc, Mail
from takmail.mail.part_as_mail import PartHeaders, as_mail, part_id
from takmail.mail.queue import queue_of
from takmail.mail.quotes.own_letters import OwnAddress
from takmail.mail.quotes.reply_text import JudgedLine, judged_lines
from takmail.pipeline.authenticate import RepliesTo, Reply
from takmail.pipeline.confirmation import AGAIN_AFTER, HELD
from takmail.pipeline.reactions import with_events
from takmail.pipeline.results import carried_out, cause_result
from takmail.vocabulary import table, words_of
from takmail.world import (
    GameNumber,
    GameRecord,
    LetterState,
    MailState,
    MessageId,
    Pending,
    PendingKind,
    Player,
    Queries,
    SentLetter,
    Standing,
    events,
)
from takmail.world.split_mails import NewPart, Piece

_HEADING_SIGN = "·"


# What was typed for which game.


def typed_parts(
    services: CommandServices, context: Context, sender: Sender, reply: Reply, message: Mail, text: str
) -> tuple[MailPart, ...]:
    """Return what was typed for each game, none if the lines of the mail name no game beside that of its headers.

    `text` is all that was typed. Names of opponents, and the headings in a quote, name games only in a mail whose
    headers name none.
    """
    claim = sender.claim
    if claim is not None and not has_number_sign(text):
        return ()  # the usual case
    if context.cause.part_of is not None:
        return ()  # what is for the game of a part is decided already
    is_free, reader = claim is None, anywhere(services.games, services.commands)
    quotes_list = is_free and reply.letter is not None and reply.letter.game is None
    quotes_list = quotes_list and _HEADING_SIGN in message.body.text
    may_name = is_free and may_name_games(text)
    if not (quotes_list or may_name or has_numbers(text)) or (claim and not isinstance(claim, SeatClaim)):
        return ()
    naming = Naming(
        _commands_in(reader),
        _opponents(context, sender.player) if may_name and sender.player is not None else {},
        claim.game if isinstance(claim, SeatClaim) else None,
        _is_own(context, sender.player),
        is_free and _answers_list(reply),
    )
    typed: Sequence[MailPart] = (MailPart(None, text),)
    if quotes_list:
        letter = "" if reply.letter is None else reply.letter.text
        lines = tuple(_judged(services, message, reply.letter))
        typed = _beginning(sections(lines, letter))
    parts = split(typed, naming)
    return parts if any(part.game is not None for part in parts) else ()


def _answers_list(reply: Reply) -> bool:
    """Return whether a mail answers a letter about no game that names some. A letter that asks is answered as such."""
    letter = reply.letter if reply.kind is RepliesTo.OTHER else None
    return letter is not None and letter.game is None and has_number_sign(letter.text)


def _is_own(context: Context, player: Player | None) -> Callable[[int], bool]:
    """Return what tells whether a player has or had a seat in the game of a number. It asks only when it is called."""

    @cache
    def numbers() -> frozenset[int]:
        games = () if player is None else context.world.games_of(player.id, *Standing)
        return frozenset(game.number for game in games)

    return lambda number: number in numbers()


def _commands_in(reader: LineReader) -> Callable[[str], bool]:
    """Return what tells whether the rest of a line is a command. It reads a text once, and the first ones with care."""
    known: dict[str, bool] = {}

    def is_command(rest: str) -> bool:
        if rest not in known:
            is_careful = len(known) < MAX_CAREFUL_LINES
            known[rest] = bool(named_games(f"#1 {rest}", reader, is_careful=is_careful))
        return known[rest]

    return is_command


def _beginning(found: Sequence[MailPart]) -> list[MailPart]:
    """Return the first sections, as far as they are read, in characters that can be stored."""
    left, kept = MAX_TYPED_CHARS, []
    for section in found:
        text = writable(section.text)[: max(left, 0)]
        left -= len(text)
        kept.append(replace(section, text=text))
    return kept


def _judged(services: CommandServices, message: Mail, letter: SentLetter | None) -> Iterator[JudgedLine]:
    own = OwnAddress(services.address, services.name)
    text, html = (None, None) if letter is None else (letter.text, letter.html_text)
    return judged_lines(message.body.text, text, own, html)


def _opponents(context: Context, player: Player) -> Mapping[str, int | None]:
    """Return the games of a player by the opponents' names. A name stands for None if there are several.

    A polite word is no name: who is called Thanks does not get what is typed below that word.
    """
    games: dict[str, int | None] = {}
    for number, opponent in context.world.ask(Queries.opponents, player.id):
        name = " ".join(opponent.casefold().split())
        if without_manners(plain(name), ()):
            games[name] = None if name in games else number
    return games


@dataclass(frozen=True, slots=True)
class _Splitting:
    """A mail that is split. `letter` is the one that it answers, or `until` is when its lines were asked about."""

    context: Context
    message: Mail
    player: Player
    letter: SentLetter | None
    until: datetime | None

    def parts(self, typed: Sequence[MailPart]) -> Iterator[NewPart]:
        """Yield the parts as mails."""
        games = {game.number: game for game in self.context.world.games_of(self.player.id, *Standing)}
        for number, part in enumerate(typed, 1):
            record = None if part.game is None else games.get(GameNumber(part.game))
            raw = as_mail(self._headers(number, part, record), part.text)
            queue = queue_of(self.context.services.key, raw, self.message.sender) or ""
            yield NewPart(number, raw, queue, part.game)

    def _headers(self, number: int, part: MailPart, record: GameRecord | None) -> PartHeaders:
        key, message = self.context.services.key, self.message
        tag, answers = ("" if part.game is None else key.game_tag(part.game)), None
        if record is not None:
            seat = record.seat_of(self.player.id)
            tag = key.subject_tag(record.number, seat, record.seats[seat].token_number)
            answers = self._letter_shown(record.number, seat)
        box = self.player.mailbox(message.sender)
        return PartHeaders(
            sender=message.sender,
            sender_name=message.sender_name,
            date=_date(self.context, message.utc_offset),
            recipient=key.personal_address(message.sender, 0 if box is None else box.token_number),
            message_id=part_id(message.message_id, number, message.sender.rpartition("@")[2]),
            answers=answers,
            tag=tag,
            vouched=_vouched(self.context.services, message),
        )

    def _letter_shown(self, game: GameNumber, seat: Seat) -> MessageId | None:
        """Return the letter to a seat that shows what the writer of the mail has seen, None if that is not known."""
        letter, until = self.letter, self.until or self.context.now
        has_seen = letter is not None and letter.game is None and has_heading(letter.text, game)
        if not has_seen and self.until is None:
            return None
        answered = None if letter is None else letter.message_id
        shown = self.context.world.ask(Queries.letter_to_seat, game, seat, answered, until)
        return None if shown is None else shown.message_id


def _date(context: Context, utc_offset: str | None) -> str:
    """Return the header Date of a part: when its mail arrived, with the offset of the mail's own Date."""
    at = context.cause.arrived_at or context.now
    if utc_offset is None:
        return format_datetime(at.replace(tzinfo=None))
    hours, minutes = int(utc_offset[1:3]), int(utc_offset[3:5])
    offset = timedelta(hours=hours, minutes=minutes)
    return format_datetime(at.astimezone(timezone(-offset if utc_offset[0] == "-" else offset)))


def _vouched(services: CommandServices, message: Mail) -> str:
    """Return the mail server's word for the sender, '' if it did not vouch for them."""
    if message.dmarc is not Dmarc.PASS or services.authserv_id is None:
        return ""
    domain = message.sender.rpartition("@")[2]
    return f"{services.authserv_id}; dmarc=pass header.from={domain}"


# A mail about several games is split, asked about or refused.


def of_several_games(
    context: Context, sender: Sender, message: Mail, place: SeveralGames, reply: Reply
) -> CauseResult:
    """Return the result of a mail that names several games: it is split, asked about, or refused.

    The player is asked once about the whole mail unless it provably comes from their address. It is refused if its
    headers name several games, if it is talk between several people, or if no game in it is the sender's.
    """
    player = context.player
    if player is None or sender.is_to_others or not _has_own(context, player, place):
        return cause_result(carried_out(context, "", refused("disagree", games=place.games)))
    if not sender.address_verified:
        return _asked(context, player, place)
    return _split(_Splitting(context, message, player, reply.letter, None), place.parts)


def confirmed(context: Context, message: Mail, asked: Pending) -> CauseResult:
    """Return the result of a `yes` to the question about a whole mail. The question is closed, and the mail split.

    Its lines were written for the boards as they were when it was asked about.
    """
    context = with_events(context, closing(same_questions(context, asked)))
    player = context.player
    if player is None:
        return cause_result(context, "the player of the mail has left", is_silent=True)
    services = context.services
    reader = anywhere(services.games, services.commands)
    naming = Naming(_commands_in(reader), {})
    parts = split((MailPart(None, asked.words),), naming)
    if any(part.game is None for part in parts):
        # The question shows words for no game as they were typed. Names have been read except those of several games.
        unclear = {name: game for name, game in _opponents(context, player).items() if game is None}
        above = split([part for part in parts if part.game is None], replace(naming, names=unclear))
        parts = (*above, *(part for part in parts if part.game is not None))
    return _split(_Splitting(context, message, player, None, asked.asked_at), parts)


def _has_own(context: Context, player: Player, place: SeveralGames) -> bool:
    """Return whether the mail has parts, and one of them is for a game of the player.

    Anybody can write in a player's name, so no game is read for it.
    """
    is_own = _is_own(context, player)
    return any(part.game is not None and is_own(part.game) for part in place.parts[:MAX_PARTS])


def _split(splitting: _Splitting, typed: Sequence[MailPart]) -> CauseResult:
    context = splitting.context
    typed = [replace(part, text=_without_farewell(splitting, part.text)) for part in typed]
    idle = [part for part in typed if _is_idle(splitting, part)]
    kept = [part for part in typed if part not in idle]
    parts = tuple(splitting.parts(kept[:MAX_PARTS]))
    left_out = (
        *(None for part in idle if _has_words(splitting, part)),
        *(part.game for part in kept[MAX_PARTS:] if part.game is not None),
    )
    context = with_events(context, (events.MailSplit(mail=_mail(context), parts=parts, left_out=left_out),))
    note = f"split into {len(parts)} parts"
    return cause_result(context, note, is_silent=True, mail_state=MailState.ANSWERED)


def _mail(context: Context) -> int:
    assert context.cause.mail is not None
    return context.cause.mail


def _is_idle(splitting: _Splitting, part: MailPart) -> bool:
    """Return whether a part is for no game, and orders nothing. What is for some game may only be polite."""
    if part.game is not None or (part.is_unclear and _has_words(splitting, part)):
        return False
    services = splitting.context.services
    return not understand(part.text, anywhere(services.games, services.commands)).orders


def _has_words(splitting: _Splitting, part: MailPart) -> bool:
    """Return whether a part has other words than polite ones, also to all readers: "Hi all,"."""
    return any(_others(splitting, line) for line in part.text.split("\n"))


def _without_farewell(splitting: _Splitting, text: str) -> str:
    """Return the text of a part without polite words to all readers at its end. They are for no game: "Bye, all!"."""
    lines = text.split("\n")
    above = lines[:-1] if may_be_name(lines[-1]) else lines
    while above and not _others(splitting, above[-1]):
        above = above[:-1]
    below = lines[len(above) :]
    is_to_all = any(table("everybody").matches(words_of(plain(line))) for line in below)
    return "\n".join(above) if is_to_all and any(map(str.strip, above)) else text


def _others(splitting: _Splitting, line: str) -> str:
    """Return the words of a line that are neither polite, nor name the sender, takmail or its readers."""
    opponents = (name for _, name in splitting.context.world.ask(Queries.opponents, splitting.player.id))
    names = (splitting.player.name, splitting.context.services.name, *opponents)
    return " ".join(table("everybody", "closings").others(words_of(without_manners(plain(line), names))))


def _asked(context: Context, player: Player, place: SeveralGames) -> CauseResult:
    """Ask once, at the address of the mail, whether its player wrote it."""
    if redaction.is_stranger(player):
        return cause_result(carried_out(context, "", refused("disagree", games=place.games)))
    whole = as_typed(place.parts)
    words = clipped(whole, MAX_HELD_CHARS)
    same = (
        question
        for question in open_questions(context, context.author.address)
        if question.words == words and not question.is_replaced
    )
    if any(timedelta(0) <= context.now - question.asked_at < AGAIN_AFTER for question in same):
        return cause_result(context, "a question about the same mail is open already", is_silent=True)
    question = question_to_sender(context, PendingKind.PARTS, words)
    asked = events.ConfirmationAsked(question=question, left_out=words != whole)
    return cause_result(with_events(context, ask(context, asked)), HELD, is_silent=True)


def as_typed(parts: Sequence[MailPart]) -> str:
    """Return the parts of a mail as one text, from which `split` makes the same parts. Those for no game are one."""
    return "\n\n".join(
        part.text if part.game is None else f"#{part.game}\n{part.text}"
        for part in sorted(parts, key=lambda part: part.game is not None)
    )


# The answer to all parts.


def piece_of(result: CauseResult, composed: Composed, turns: int, state: MailState) -> Piece | None:
    """Return what is told of a part of a mail beside its other parts, None if it waits for the operator.

    `state` is its final one.
    """
    if state is MailState.SHUNTED:
        return None
    if state not in (MailState.PLAYED, MailState.ANSWERED):
        return Piece("", has_failed=True, is_rejected=True)
    told = next((letter.content for letter in composed.letters if letter.is_piece), None)
    has_failed = _has_failed(result)
    if told is None:
        is_withheld = any(letter.state is LetterState.WITHDRAWN for letter in composed.letters)
        return Piece("", turns=turns, has_failed=has_failed, is_withheld=is_withheld)
    return Piece(told.text, told.fragment, turns, has_failed)


def _has_failed(result: CauseResult) -> bool:
    """Return whether something in a part was not done, or is asked about."""
    answers = [reported.answer for reported in result.reports]
    return any(
        isinstance(answer, Refusal | Skipped | events.QuestionAsked)
        or (isinstance(answer, Said) and "offers" in answer.facts)
        for answer in answers
    )
