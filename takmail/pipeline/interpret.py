"""Find the game that a mail is about, and parse its text for that game."""

from dataclasses import dataclass, replace

from takmail.commands.context import Context
from takmail.commands.grammar.answers import Expected
from takmail.commands.grammar.faults import LineFault, Unclear
from takmail.commands.grammar.line_reader import anywhere, in_game
from takmail.commands.grammar.understand import (
    ANSWERS_NOTHING,
    NOTHING,
    Understood,
    named_games,
    understand,
)
from takmail.commands.lessons import given_again, with_lesson
from takmail.commands.result import Assurance, ForeignGame, Place, SeatClaim, Sender, SeveralGames
from takmail.games.interface import State
from takmail.letters.services import Services
from takmail.limits.mails import MAX_NAMED_GAMES
from takmail.mail.message import Message
from takmail.pipeline.authenticate import Reply, find_claim, find_seat, newest_letter, tokens
from takmail.pipeline.confirmation import Questions, find_questions
from takmail.pipeline.typed_text import extract_in_game, extract_reply_text, without_list_heading
from takmail.world import RUNNING, GameNumber, Player, SentLetter, Standing


@dataclass(frozen=True, slots=True)
class Interpreted:
    """An interpreted mail.

    * `sender` counts as verified if the mail has the token of the sender's seat in a corrupt game
    * `place` is what the mail is about
    * `context` is that of its first command
    * `typed` is the text that its sender typed
    * `understood` are the commands and chat in it, none if the mail names several games
    * `questions` are the open questions that it may answer
    """

    sender: Sender
    place: Place
    context: Context
    typed: str
    understood: Understood
    questions: Questions

    @property
    def claim(self) -> SeatClaim | None:
        """The seat for which the mail was written, or None if it is about no game."""
        return self.place if isinstance(self.place, SeatClaim) else None

    @property
    def assurance(self) -> Assurance:
        """How certain it is who wrote the mail."""
        if self.claim is not None:
            return self.claim.assurance
        return Assurance.ADDRESS if self.sender.address_verified else Assurance.NOBODY


@dataclass(frozen=True, slots=True)
class _Mail:
    """A mail and the letter that it answers. `text` is what its sender typed, extracted without knowing the game.

    `lesson` is the lesson in the letter: its language and number, None if it has none.
    """

    services: Services
    sender: Sender
    reply: Reply
    message: Message
    text: str
    lesson: tuple[str, int] | None


def interpret(
    services: Services, context: Context, sender: Sender, reply: Reply, message: Message
) -> Interpreted:
    """Find the game that a mail is about, and parse the text for that game. The given `context` has no game.

    The headers name the game, or a `#12` at the start of the text does. Raises CorruptGame if the mail needs the board
    of a corrupt game.
    """
    text = extract_reply_text(services, message, reply.letter)
    lesson = services.key.lesson(newest_letter(services.key, message) or "")
    if lesson is not None and not isinstance(sender.claim, SeatClaim):
        text = with_lesson(services, *lesson, text)
    mail = _Mail(services, sender, reply, message, text, lesson)
    named = tuple(map(GameNumber, named_games(text, anywhere(services.games, services.commands))))
    context.load_games(named[:MAX_NAMED_GAMES])
    context = replace(context, letter=None if reply.letter is None else reply.letter.message_id)
    place = sender.claim
    if named:
        place = find_claim(
            tuple(tokens(services.key, message)),
            context.world,
            message,
            sender.player,
            address_verified=sender.address_verified,
            is_refuted=sender.is_refuted,
            named=named,
        )
    if isinstance(place, SeveralGames):
        return Interpreted(sender, place, context, text, NOTHING, find_questions(context, reply))
    if not isinstance(place, SeatClaim):
        return _in_no_game(mail, context, place)
    without_board = _without_board(mail, context, place)
    return without_board or _interpreted(mail, seated_context(context, place, reply.letter), place)


def _interpreted(mail: _Mail, context: Context, place: Place, *, is_guessed: bool = False) -> Interpreted:
    """Parse the text of a mail in its context. `is_guessed`: the mail does not name the seat's game."""
    claim = place if isinstance(place, SeatClaim) else None
    questions = find_questions(context, mail.reply, claim, is_guessed=is_guessed)
    game, seat = (None, None) if claim is None else (context.world.games[claim.game], claim.seat)
    typed = extract_in_game(mail.services, mail.message, mail.reply.letter, mail.text, game, seat)
    understood = read(context, typed, questions.expected)
    return Interpreted(mail.sender, place, context, typed, understood, questions)


def _in_no_game(mail: _Mail, context: Context, place: ForeignGame | None) -> Interpreted:
    """Interpret a mail that names no game. If its commands need a game, the sender's only game is assumed."""
    context = replace(context, named_game=None if place is None else place.game)
    interpreted = _interpreted(mail, context, place)
    if mail.lesson is not None and interpreted.questions.answered is None:
        again = given_again(mail.services, *mail.lesson, interpreted.understood)
        interpreted = replace(interpreted, understood=again)
    is_only_answer = interpreted.questions.expected.waits is not None and not interpreted.understood.orders
    player = mail.sender.player
    if player is None or is_only_answer or not wants_game(context, interpreted.understood):
        return interpreted
    claim = _only_game(context, mail.sender, player)
    if claim is None:
        return interpreted
    return _interpreted(mail, seated_context(context, claim, mail.reply.letter), claim, is_guessed=True)


def wants_game(context: Context, understood: Understood) -> bool:
    """Return whether a mail about no game needs a game that it does not name.

    Chat needs a game only if the mail has no commands.
    """
    is_chat_alone = bool(understood.chat) and not understood.orders
    return context.named_game is None and (
        is_chat_alone or any(order.needs_game for order in understood.orders)
    )


def _only_game(context: Context, sender: Sender, player: Player) -> SeatClaim | None:
    """Guess the game of a mail that names none. Return the seat in it, or None.

    It is the only game that waits for the sender, or otherwise the sender's only game.
    """
    records = context.games_of(player.id, Standing.INVITED, *RUNNING)
    # An invitation that was not sent yet does not count.
    invited_or_running = [
        game for game in records if game.invited_at is not None or game.invited_by == player.id
    ]
    games = context.load_games([game.number for game in invited_or_running])
    waiting = [game for game in games if game.waits_for(game.record.seat_of(player.id))]
    likely = waiting if len(waiting) == 1 else games
    if len(likely) != 1:
        return None
    return find_seat(
        likely[0], player, (), address_verified=sender.address_verified, is_refuted=sender.is_refuted
    )


def _without_board(mail: _Mail, context: Context, claim: SeatClaim) -> Interpreted | None:
    """Interpret a mail about a corrupt game as about no game. Return None if something in it may need the game.

    Chat beside its commands is not delivered, as it may be only a greeting, and the answer says so.
    """
    if not context.world.games[claim.game].is_corrupt:
        return None
    sender = replace(mail.sender, address_verified=mail.sender.address_verified or claim.player_verified)
    interpreted = _interpreted(replace(mail, sender=sender), replace(context, is_corrupt=True), None)
    orders = interpreted.understood.orders
    is_answer = any(order.command.is_answer for order in orders)
    needs_game = any(order.needs_game for order in orders)
    is_stray = is_answer and interpreted.questions.answered is None
    return None if not orders or needs_game or is_stray else interpreted


def seated_context(context: Context, claim: SeatClaim, answered: SentLetter | None) -> Context:
    """Return the context of a mail that was written for a seat.

    `answered` is the letter that the mail answers. The context gets its version only if it went to the same seat, and
    nothing newer is answered.
    """
    is_of_seat = answered is not None and (answered.game, answered.seat) == (claim.game, claim.seat)
    return replace(
        context,
        game=claim.game,
        seat=claim.seat,
        player_verified=claim.player_verified,
        version=answered.version if answered is not None and is_of_seat and claim.turn is not None else None,
        turn=claim.turn,
    )


def read(context: Context, text: str, expected: Expected = ANSWERS_NOTHING) -> Understood:
    """Parse a text, with the grammar of the context's game if it has one.

    The line that a link to a stack writes above its moves is ignored. If there is nothing else, the answer says so.
    `expected` is what the first line may answer.
    """
    games, commands = context.services.games, context.services.commands
    typed, text = text, without_list_heading(text, anywhere(games, commands))
    if typed.strip() and not text.strip():
        return Understood((commands.order("", Unclear(LineFault.NO_LINE_KEPT)),), "")
    if context.game is None:
        return understand(text, anywhere(games, commands), expected=expected)
    table = context.table
    player = context.player
    reader = in_game(
        games,
        commands,
        table.rules,
        table.state,
        _earlier_state(context),
        is_bidding=table.record.standing is Standing.BIDDING,
        played=table.texts(),
        is_over=table.record.standing in (Standing.OVER, Standing.DECLINED),
        reads_ptn=player is not None and player.reads_ptn,
    )
    return understand(text, reader, expected=expected, names=table.names)


def _earlier_state(context: Context) -> State | None:
    """Return the last state with the sender to move up to the answered letter, None if it is the current one.

    The answer to a turn of the sender may be answered by the same turn again. A game that keeps no board has one state.
    """
    table = context.table
    if not table.keeps_board:
        return None
    number = len(table.turns) if context.turn is None else min(context.turn, len(table.turns))
    if number and table.positions[number].to_move != context.seat:
        number -= 1
    state = table.positions[number]
    return state if number < len(table.turns) and state.to_move == context.seat else None
