"""Find the open question that a mail answers, and what a `yes` in its first line would answer."""

import re
from dataclasses import dataclass

from takmail.commands import invitations, offers
from takmail.commands.context import Context
from takmail.commands.grammar import answers
from takmail.commands.grammar.answers import Expected, Waits
from takmail.commands.grammar.manners import is_question
from takmail.commands.grammar.understand import ANSWERS_NOTHING
from takmail.commands.questions import open_questions, resignations
from takmail.commands.result import Assurance, SeatClaim
from takmail.pipeline.authenticate import RepliesTo, Reply
from takmail.world import RUNS_COMMANDS, Pending, PendingKind, SentLetter, Standing


@dataclass(frozen=True, slots=True)
class Questions:
    """The open questions that a mail answers or may answer.

    * `answered` is the question that a `yes` confirms, or None. It is None unless the sender is verified.
    * `likely` is the question that is asked again if it is uncertain what a bare answer refers to, or None. No newer
      question replaced it.
    * `is_offered`: the opponent has an open offer
    * `expected` is what the first line may answer
    """

    replies_to: RepliesTo
    answered: Pending | None = None
    likely: Pending | None = None
    is_offered: bool = False
    expected: Expected = ANSWERS_NOTHING

    @property
    def asks_for_answer(self) -> bool:
        """Whether the answered letter asks a question that is open, or an invitation waits for the sender."""
        return self.replies_to is RepliesTo.OPEN or self.expected.waits is answers.INVITATION


def find_questions(
    context: Context,
    reply: Reply,
    claim: SeatClaim | None = None,
    *,
    is_guessed: bool = False,
) -> Questions:
    """Return the questions that a mail may answer.

    `claim` is the seat for which the mail was written, or None if it is about no game. The context has this game unless
    it is corrupt. `is_guessed`: the mail does not name the game.
    """
    # The token of somebody else's seat never answers. Only the seat's player can do that.
    may_answer = claim is None or claim.assurance is not Assurance.TOKEN
    answered = _answered_question(context, reply) if may_answer else None
    likely = _likely_question(context, reply.letter)
    is_answer = answered is not None or _was_asked(reply, claim)
    if is_answer and not is_guessed:
        waits = _asked_by_letter(context, answered)
    elif is_guessed and likely is not None:
        # A mail whose game is guessed has commands for this game, so its `yes` only counts if any `yes` does.
        waits = None
    else:
        waits = waits_in_game(context, likely)
    return Questions(
        answered=answered,
        likely=likely,
        replies_to=reply.kind if answered is None else RepliesTo.OPEN,
        is_offered=_is_offered(context),
        expected=Expected(
            waits,
            is_player=context.player is not None and context.player.begun_games > 0,
            sender=context.sender_name,
        ),
    )


def _asked_by_letter(context: Context, answered: Pending | None) -> Waits:
    """Return what the answered letter asks. An offer that it shows, too, is answered by its name.

    A `yes` to a question that was asked is an answer even if the question is closed. It is refused then.
    """
    if answered is not None and answered.kind is PendingKind.RESIGN:
        return answers.RESIGNATION
    if answered is None or answered.kind not in (*RUNS_COMMANDS, PendingKind.MEANT):
        return answers.PAST
    words, commands = re.findall(r"\w+", answered.words.lower()), context.services.commands.words
    names_final = any(command.is_final for word in words for _, command in commands.get(word, ()))
    # The held words may be no more than a "yes" to an offer.
    is_final = names_final or _is_offered(context) or answered.kind is PendingKind.DOUBT
    return answers.FINAL if is_final else answers.QUESTION


def waits_in_game(context: Context, likely: Pending | None = None) -> Waits | None:
    """Return what waits for the sender's word in the game of the mail, or None. Questions of single letters don't.

    `likely` is a question of a letter to which a `yes` may be the answer, too.
    """
    if context.game is None:
        return None
    if resignations(context) and not _is_offered(context):
        return answers.RESIGNATION
    table, opponent = context.table, context.you.other
    if table.record.standing is Standing.INVITED and not invitations.is_own(context):
        return answers.INVITATION
    waiting = offers.standing(context, opponent) if table.record.standing is Standing.OPEN else ()
    if not waiting:
        return None
    is_shown = context.version is not None and all(offer.version <= context.version for offer in waiting)
    # A "yes" may also answer what the opponent asks in words, or whether the sender gives the game up.
    has_asked = is_question(table.last_chat[opponent] or "") or resignations(context)
    return answers.OFFER if is_shown and not (has_asked or likely) else answers.DOUBTFUL_OFFER


def _is_offered(context: Context) -> bool:
    """Return whether the opponent has an open offer."""
    return context.game is not None and any(offer.seat != context.you for offer in context.table.offers)


def _answered_question(context: Context, reply: Reply) -> Pending | None:
    """Return the open question that the sender answers, or None.

    It is the question of the answered letter, whose Message-ID proves its reader even if the mail server refutes the
    mail. The reply address of a letter that asks names the letter, too, as some mail programs omit the reference to it.
    """
    asked = open_questions(context, context.sender)
    return next(
        (question for question in asked if reply.letter and question.letter == reply.letter.message_id), None
    )


def _likely_question(context: Context, letter: SentLetter | None) -> Pending | None:
    """Return the open question that a bare answer may refer to, or None. `letter` is the answered letter.

    It is the question of the answered letter, or otherwise the newest one. A letter of a game that asks nothing has
    none. For a mail about a game, the questions to the seat and to all addresses of its player count. For another mail,
    the questions to the sender's address count.
    """
    is_in_game = context.game is not None
    addresses = context.table.players[context.you].addresses if is_in_game else (context.sender,)
    asked = [question for question in open_questions(context, *addresses) if question.kind in RUNS_COMMANDS]
    likely = [question for question in asked if letter is not None and question.letter == letter.message_id]
    if not likely and not (is_in_game and letter is not None):
        likely = [question for question in asked if not question.is_replaced]
    return max(reversed(likely), key=lambda question: question.asked_at, default=None)


def _was_asked(reply: Reply, claim: SeatClaim | None) -> bool:
    """Return whether the mail answers a letter that asked for a `yes`, even if its question is closed.

    A letter about the mail's game counts only if the seat's player is verified.
    """
    is_players = claim is not None and claim.player_verified
    is_seats = reply.letter is not None and reply.letter.game is not None
    return reply.kind is RepliesTo.LOST or (reply.kind is RepliesTo.CLOSED and (is_players or not is_seats))
