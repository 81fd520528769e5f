"""Find the game that a mail is about, and parse its text for that game."""

from dataclasses import dataclass, replace

from takmail.commands.context import Context
from takmail.commands.dispatch import needs_game
from takmail.commands.game.table import Corrupt, Table
from takmail.commands.grammar.commands import Word
from takmail.commands.grammar.line_reader import anywhere, in_game
from takmail.commands.grammar.understand import Understood, named_games, understand
from takmail.commands.kinds import QuestionKind
from takmail.commands.questions import asked_of_seat
from takmail.commands.records import GameNumber, Question, SentLetter
from takmail.commands.result import Assurance, SeatClaim, Sender
from takmail.games.interface import Seat
from takmail.letters.services import Services
from takmail.limits.mails import MAX_NAMED_GAMES
from takmail.mail.message import Message
from takmail.pipeline.reply import address_question
from takmail.pipeline.select import (
    Ambiguous,
    InCorruptGame,
    InGame,
    NoGame,
    Selected,
    only_game,
    select_game,
    wants_game,
)
from takmail.pipeline.typed_text import extract_in_game, extract_reply_text
from takmail.pipeline.values import Reply, Request


@dataclass(frozen=True, slots=True)
class Interpreted:
    """An interpreted mail.

    * `sender` counts as verified if the mail has the token of the sender's seat in a corrupt game
    * `place` is the game that the mail is about
    * `context` is that of its first command
    * `request` is empty if the game is ambiguous or corrupt
    * `question` is the question to the sender's address that it answers, or None
    """

    sender: Sender
    place: Selected
    context: Context
    request: Request
    question: Question | None = None

    @property
    def claim(self) -> SeatClaim | None:
        """The seat for which the mail was written, or None if its game is corrupt or it is about no game."""
        return self.place.claim if isinstance(self.place, InGame) else None

    @property
    def assurance(self) -> Assurance:
        """How certain it is who wrote the mail."""
        if self.claim is not None:
            return self.claim.assurance
        return Assurance.ADDRESS if self.sender.address_verified else Assurance.NOBODY


@dataclass(frozen=True, slots=True)
class _Mail:
    """A mail and the letter that it answers. `text` is what its sender typed, extracted without knowing the game."""

    services: Services
    sender: Sender
    reply: Reply
    message: Message
    text: str

    def typed(self, game: Table | Corrupt | None = None, seat: Seat | None = None) -> str:
        """Return what the sender typed, extracted with the letters and boards of the game if one is given."""
        return extract_in_game(self.services, self.message, self.reply.letter, self.text, game, seat)

    def question(self, context: Context) -> Question | None:
        """Return the question to the sender's address that a `yes` in the mail would answer, or None."""
        return address_question(self.services, context, self.sender, self.message, self.reply)

    def answers_question(self, claim: SeatClaim) -> bool:
        """Return whether the mail answers a letter that asked for a `yes`.

        A letter about the mail's game counts only if the seat's player is verified.
        """
        return _answers_question_outside_games(self.reply) or (claim.player_verified and self.reply.asks)


def interpret(
    services: Services, context: Context, sender: Sender, reply: Reply, message: Message
) -> Interpreted:
    """Find the game that a mail is about, and parse the text for that game. The given `context` has no game."""
    text = extract_reply_text(services, message, reply.letter)
    mail = _Mail(services, sender, reply, message, text)
    named = tuple(map(GameNumber, named_games(text, anywhere(services.games))))
    context = replace(context, state=context.with_games(*named[:MAX_NAMED_GAMES]))
    place = select_game(services, context.state, sender, message, named)
    if isinstance(place, Ambiguous):
        return Interpreted(sender, place, context, Request(text, Understood((), "")))
    if isinstance(place, InCorruptGame):
        return _in_corrupt_game(mail, context, place)
    if isinstance(place, InGame):
        return _in_game(mail, context, place)
    return _in_no_game(mail, context, place)


def _in_game(mail: _Mail, context: Context, place: InGame) -> Interpreted:
    claim = place.claim
    context = seated_context(context, claim, mail.reply.letter)
    table = context.table
    typed = mail.typed(table, claim.seat)
    asked = mail.question(context) if claim.player_verified else None
    is_open = asked is not None or mail.answers_question(claim)
    return Interpreted(
        mail.sender, place, context, Request(typed, read(context, typed, question_open=is_open)), asked
    )


def _in_no_game(mail: _Mail, context: Context, place: NoGame) -> Interpreted:
    """Interpret a mail that names no game. If its commands need a game, the sender's only game is assumed."""
    typed = mail.typed()
    context = replace(context, named_game=place.named, is_corrupt=place.corrupt is not None)
    asked = mail.question(context)
    is_answer = asked is not None or _answers_question_outside_games(mail.reply)
    understood = read(context, typed, question_open=is_answer)
    if (understood.orders or not is_answer) and wants_game(understood, place):
        state, claim = only_game(context, mail.sender)
        context = replace(context, state=state)
        if claim is not None:
            context = seated_context(context, claim, mail.reply.letter)
            typed = mail.typed(context.table, claim.seat)
            request = Request(typed, read(context, typed))
            return Interpreted(
                mail.sender, InGame(claim), context, request, asked if claim.player_verified else None
            )
    return Interpreted(mail.sender, place, context, Request(typed, understood), asked)


def _in_corrupt_game(mail: _Mail, context: Context, place: InCorruptGame) -> Interpreted:
    """Interpret a mail about a corrupt game. If none of its commands needs the game, it is run as about no game.

    Chat with such commands is not delivered, as it may be only a greeting, and the answer says so.
    """
    claim = place.claim
    game = context.state.games[claim.game]
    typed = mail.typed(game, claim.seat)
    asked = mail.question(context) if claim.player_verified else None
    is_open = asked is not None or mail.answers_question(claim)
    orders = understand(typed, anywhere(mail.services.games), question_open=is_open).orders
    is_answer = any(one.command in (Word.YES, Word.NO) for one in orders)
    can_do_without = (
        bool(orders) and not any(map(needs_game, orders)) and (asked is not None or not is_answer)
    )
    if not can_do_without:
        return Interpreted(mail.sender, place, context, Request(typed, Understood((), "")))
    sender = replace(mail.sender, address_verified=mail.sender.address_verified or claim.player_verified)
    return _in_no_game(replace(mail, sender=sender), context, NoGame(corrupt=claim.game))


def _answers_question_outside_games(reply: Reply) -> bool:
    """Return whether the mail answers a letter about no game that asked for a `yes`, even if the question is closed."""
    if reply.letter is None:
        return reply.unknown_parent
    return reply.letter.game is None and reply.asks


def seated_context(context: Context, claim: SeatClaim, answered: SentLetter | None) -> Context:
    """Return the context of a mail that was written for a seat.

    `answered` is the letter that the mail answers. The context gets its version only if it is about the same game.
    """
    is_of_game = answered is not None and answered.game == claim.game
    return replace(
        context,
        game=claim.game,
        seat=claim.seat,
        player_verified=claim.player_verified,
        version=answered.version if answered is not None and is_of_game else None,
        turn=claim.turn,
    )


def read(context: Context, text: str, *, question_open: bool = False) -> Understood:
    """Parse a text, with the grammar of the context's game if it has one.

    `question_open`: a question is open that a `yes` in the text would answer.
    """
    games = context.services.games
    if context.game is None:
        return understand(text, anywhere(games), question_open=question_open)
    table = context.table
    reader = in_game(games, table.rules, table.state)
    is_open = question_open or awaits_yes(context)
    return understand(text, reader, question_open=is_open, names=table.names)


def awaits_yes(context: Context) -> bool:
    """Return whether any `yes` for the seat resigns the game.

    This is so if a resignation waits for a `yes`, and the opponent has no open offer that the `yes` may refer to.
    """
    table, you = context.table, context.you
    asked = asked_of_seat(table, you, (QuestionKind.RESIGN,), context.now)
    return bool(asked) and not any(one.seat != you for one in table.offers)
