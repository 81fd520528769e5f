"""Find the game that a mail is about, extract the text that its sender typed, and parse it for that game."""

from collections.abc import Sequence
from dataclasses import dataclass

from takmail.commands.after_lessons import with_choice
from takmail.commands.answers import (
    Assurance,
    ChatStatus,
    ForeignGame,
    Place,
    SeatClaim,
    Sender,
    SeveralGames,
)
from takmail.commands.bidding_lines import bid_command
from takmail.commands.command import LineFault, Unclear
from takmail.commands.context import Answered, Context, OutsideGames
from takmail.commands.grammar.answers import Expected, read_answer
from takmail.commands.grammar.line_reader import LineReader, anywhere, in_game
from takmail.commands.grammar.understand import ANSWERS_NOTHING, named_games, understand
from takmail.commands.grammar.understood import NOTHING, Understood, of_orders
from takmail.commands.lessons import given_again, needs_offer, offered_again, with_lesson
from takmail.games.interface import State
from takmail.games.readonly import replace
from takmail.games.teaching import LessonMark
from takmail.letters.services import Services
from takmail.mail.lines_by_game import MailPart, has_heading
from takmail.mail.message import Mail
from takmail.mail.reaction import reaction_in
from takmail.pipeline.authenticate import (
    RepliesTo,
    Reply,
    find_claim,
    find_seat,
    newest_letter,
    reply_to,
    tokens,
)
from takmail.pipeline.confirmation import Questions, find_questions
from takmail.pipeline.results import seated_context
from takmail.pipeline.split_mail import typed_parts
from takmail.pipeline.typed_text import extract_in_game, extract_reply_text, without_list_heading
from takmail.world import UNFINISHED, GameNumber, Queries


@dataclass(frozen=True, slots=True)
class Interpreted:
    """An interpreted mail.

    * `sender` counts as verified if the mail has the token of the sender's seat in a corrupt game
    * `place` is what the mail is about
    * `context` is that of its first command
    * `typed` is the text that its sender typed
    * `understood` are the commands and chat in it, none if the mail names several games
    * `questions` are the open questions that it may answer
    * `reaction` is its emoji if it is only a reaction, otherwise None
    """

    sender: Sender
    place: Place
    context: Context
    typed: str
    understood: Understood
    questions: Questions
    reaction: str | None = None

    @property
    def is_silent(self) -> bool:
        """Whether no letter has to bring a new token to its sender."""
        return not self.sender.needs_new_token(self.context.claim)

    @property
    def assurance(self) -> Assurance:
        """How certain it is who wrote the mail."""
        if self.context.claim is not None:
            return self.context.claim.assurance
        return Assurance.ADDRESS if self.sender.address_verified else Assurance.NOBODY


@dataclass(frozen=True, slots=True)
class _Mail:
    """A mail and the letter that it answers. `text` is what its sender typed, extracted without knowing the game.

    `lesson` is the lesson that the letter gives or ends: its language and mark, None if it has none.
    """

    services: Services
    sender: Sender
    reply: Reply
    message: Mail
    text: str
    lesson: tuple[str, LessonMark] | None


def interpret(
    services: Services, context: Context, sender: Sender, reply: Reply, message: Mail
) -> Interpreted:
    """Find the game that a mail is about, and parse the text for that game. The given `context` has no game.

    A thumb may be a `yes` to what the answered letter asks. It is read as if it were typed, and asked about.
    Raises CorruptGame if the mail needs the board of a corrupt game.
    """
    interpreted = _interpret_text(services, context, sender, reply, message)
    body, reaction = message.body, message.body.reaction
    if reaction is None:
        reaction = reaction_in(interpreted.typed, body.text)
    if reaction and read_answer(reaction) and interpreted.questions.asks_for_answer:
        typed = replace(message, body=replace(body, text=reaction))
        return _interpret_text(services, context, sender, reply, typed)
    return replace(interpreted, reaction=reaction)


def _interpret_text(
    services: Services, context: Context, sender: Sender, reply: Reply, message: Mail
) -> Interpreted:
    """Do the same as `interpret` with the text of the mail, whether or not it is a reaction.

    The headers name the game, or a `#12` at the start of the text does.
    """
    text = extract_reply_text(services, message, reply.letter)
    of_lesson = services.key.lesson(newest_letter(services.key, message) or "")
    lesson = None if of_lesson is None else (of_lesson[0], LessonMark.read(of_lesson[1]))
    if lesson is not None and not isinstance(sender.claim, SeatClaim):
        read_in = with_choice if lesson[1].is_ended else with_lesson
        text = read_in(services, *lesson, text)
    mail = _Mail(services, sender, reply, message, text, lesson)
    named = tuple(map(GameNumber, named_games(text, anywhere(services.games, services.commands))))
    context = replace(context, answered=Answered(None if reply.letter is None else reply.letter.message_id))
    place = sender.claim
    parts = typed_parts(services, context, sender, reply, message, text)
    games = (
        tuple(dict.fromkeys(GameNumber(part.game) for part in parts if part.game is not None))
        if parts
        else ()
    )
    # A letter that asks has to be answered as such.
    lists = reply.kind is RepliesTo.OTHER and reply.letter is not None and reply.letter.game is None
    is_only = len(games) == 1 and sender.claim is None and (lists or not named)
    named = games if is_only else named
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
    if len(games) > 1 or any(part.is_unclear for part in parts):
        place = SeveralGames(games, parts)
    elif is_only and isinstance(place, SeatClaim):
        mail, place = _for_one_game(mail, context, place, parts)
    if isinstance(place, SeveralGames):
        return Interpreted(sender, place, context, text, NOTHING, find_questions(context, reply))
    if not isinstance(place, SeatClaim):
        return _in_no_game(mail, context, place)
    without_board = _without_board(mail, context, place)
    return without_board or _interpreted(mail, seated_context(context, place, mail.reply.letter), place)


def _for_one_game(
    mail: _Mail, context: Context, claim: SeatClaim, parts: Sequence[MailPart]
) -> tuple[_Mail, SeatClaim]:
    """Return a mail with what its lines say for the only game that they name, and its seat.

    If it answers a letter about no game, its writer has seen there what the letter to the seat shows.
    """
    text = "\n\n".join(part.text for part in parts)
    message = replace(mail.message, body=replace(mail.message.body, text=text))
    reply, listed = mail.reply, mail.reply.letter
    if reply.kind is RepliesTo.OTHER and listed is not None and has_heading(listed.text, claim.game):
        shown = context.world.ask(
            Queries.letter_to_seat, claim.game, claim.seat, listed.message_id, context.now
        )
        if shown is not None:
            reply = reply_to(mail.services.key, shown)
            claim = replace(claim, turn=shown.turn)
    return replace(mail, message=message, text=text, reply=reply), claim


def _interpreted(
    mail: _Mail,
    context: Context,
    place: Place,
    *,
    is_guessed: bool = False,
    understood: Understood | None = None,
) -> Interpreted:
    """Parse the text of a mail in its context, unless it is `understood` already.

    `is_guessed`: the mail does not name the seat's game.
    """
    claim = place if isinstance(place, SeatClaim) else None
    questions = find_questions(context, mail.reply, claim, is_guessed=is_guessed)
    game, seat = (None, None) if claim is None else (context.world.game(claim.game), claim.seat)
    typed = extract_in_game(mail.services, mail.message, mail.reply.letter, mail.text, game, seat)
    if understood is None:
        understood = read(context, typed, questions.expected)
    return Interpreted(mail.sender, place, context, typed, understood, questions)


def _in_no_game(mail: _Mail, context: Context, place: ForeignGame | None) -> Interpreted:
    """Interpret a mail that names no game. If its commands need a game, the sender's only game is assumed.

    None is for a part of a mail for several games, whose other parts name theirs.
    """
    named = _watched_game(mail, context) if place is None else place.game
    context = replace(context, outside=OutsideGames(named))
    if mail.lesson is not None and mail.lesson[1].is_ended:
        alone = _interpreted(mail, context, place)
        if needs_offer(alone.understood) and alone.questions.answered is None:
            again = offered_again(mail.services, *mail.lesson, alone.understood.beside)
            return replace(alone, understood=again)
        mail = replace(mail, lesson=None)
    may_want_game = mail.sender.player is not None and named is None and context.cause.part_of is None
    if may_want_game and mail.lesson is None:
        read_once = _read_in_only_game(mail, context)
        if read_once is not None:
            return read_once
    interpreted = _interpreted(mail, context, place)
    if mail.lesson is not None and interpreted.questions.answered is None:
        again = given_again(mail.services, *mail.lesson, interpreted.understood, mail.message.sender_name)
        interpreted = replace(interpreted, understood=again)
    is_only_answer = interpreted.questions.expected.waits is not None and not interpreted.understood.orders
    if not may_want_game or is_only_answer or not wants_game(context, interpreted.understood):
        return interpreted
    claim = _only_game(context, mail.sender)
    if claim is None:
        return interpreted
    return _interpreted(mail, seated_context(context, claim, mail.reply.letter), claim, is_guessed=True)


def _read_in_only_game(mail: _Mail, context: Context) -> Interpreted | None:
    """Interpret a mail that names no game, whose lines are read only in the sender's only game.

    If its commands need no game, it is about none. Return None if it may answer a question outside games, or if there
    is no such game with a sound board.
    """
    claim = _only_game(context, mail.sender)
    if claim is None or context.world.game(claim.game).is_corrupt:
        return None
    if find_questions(context, mail.reply).expected.waits is not None:
        return None
    in_game = _interpreted(mail, seated_context(context, claim, mail.reply.letter), claim, is_guessed=True)
    if wants_game(context, in_game.understood):
        return in_game
    return _interpreted(mail, context, None, understood=in_game.understood)


def _watched_game(mail: _Mail, context: Context) -> GameNumber | None:
    """Return the game of the answered letter if the sender only watches it. Its moves are meant for no other."""
    letter, player = mail.reply.letter, mail.sender.player
    game = None if letter is None or letter.game is None else context.world.find_game(letter.game)
    if game is None or player is None or player.id in game.record.players:
        return None
    return game.number


def wants_game(context: Context, understood: Understood) -> bool:
    """Return whether a mail about no game needs a game that it does not name.

    Chat needs a game only if the mail has no commands.
    """
    is_chat_alone = bool(understood.chat) and not understood.orders
    return context.outside.named is None and (
        is_chat_alone or any(order.needs_game for order in understood.orders)
    )


def _only_game(context: Context, sender: Sender) -> SeatClaim | None:
    """Guess the game of a mail that names none. Return the seat in it, or None.

    It is the only game that waits for the sender, or otherwise the sender's only game.
    """
    player = sender.player
    if player is None:
        return None
    records = context.world.games_of(player.id, *UNFINISHED)
    # An invitation that was not sent yet does not count.
    invited_or_running = [
        game
        for game in records
        if game.invitation.written_at is not None or game.invitation.host == player.id
    ]
    games = [context.world.game(game.number) for game in invited_or_running]
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
    if not context.world.game(claim.game).is_corrupt:
        return None
    sender = replace(mail.sender, address_verified=mail.sender.address_verified or claim.player_verified)
    interpreted = _interpreted(
        replace(mail, sender=sender), replace(context, outside=OutsideGames(words=ChatStatus.BROKEN)), None
    )
    orders = interpreted.understood.orders
    is_answer = any(order.command.is_answer for order in orders)
    needs_game = any(order.needs_game for order in orders)
    is_stray = is_answer and interpreted.questions.answered is None
    return None if not orders or needs_game or is_stray else interpreted


def read(context: Context, text: str, expected: Expected = ANSWERS_NOTHING) -> Understood:
    """Parse a text, with the grammar of the context's game if it has one.

    The line that a link to a stack writes above its moves is ignored. If there is nothing else, the answer says so.
    `expected` is what the first line may answer.
    """
    games, commands = context.services.games, context.services.commands
    typed, text = text, without_list_heading(text, anywhere(games, commands))
    if typed.strip() and not text.strip():
        return of_orders([commands.order("", Unclear(LineFault.NO_LINE_KEPT))])
    names = () if context.game_number is None else tuple(context.game.names)
    return understand(text, reader_of(context), expected=expected, names=names)


def reader_of(context: Context) -> LineReader:
    """Return the reader for a mail in this context."""
    if context.game_number is None:
        return anywhere(context.services.games, context.services.commands)
    game = context.game
    player = context.player
    return in_game(
        context.services.games,
        context.services.commands,
        game.rules,
        game.state,
        _earlier_state(context),
        in_full=bid_command if game.record.is_bidding else str,
        played=tuple(game.texts()),
        is_over=game.record.standing not in UNFINISHED,
        reads_ptn=player is not None and player.preferences.reads_ptn,
        is_to_move=_is_to_move(context),
    )


def _is_to_move(context: Context) -> bool:
    game = context.game
    return game.keeps_board and game.record.is_open and game.to_move == context.you


def _earlier_state(context: Context) -> State | None:
    """Return the last state with the sender to move up to the answered letter, None if it is the current one.

    The answer to a turn of the sender may be answered by the same turn again. A game that keeps no board has one state.
    """
    game = context.game
    if not game.keeps_board:
        return None
    number = len(game.turns) if context.answered.turn is None else min(context.answered.turn, len(game.turns))
    if number and game.positions[number].to_move != context.seat:
        number -= 1
    state = game.positions[number]
    return state if number < len(game.turns) and state.to_move == context.seat else None
