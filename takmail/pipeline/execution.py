"""Define the work on a mail: the context of the next command, what was reported, and how changes are made."""

from dataclasses import dataclass, replace

from takmail.commands import show
from takmail.commands.answers import (
    NO_CHAT,
    Answer,
    Assurance,
    ChatResult,
    Effects,
    Reported,
    Result,
    Said,
    SeatClaim,
    Sender,
)
from takmail.commands.context import Context
from takmail.commands.grammar.normalize import clipped
from takmail.letters.services import Services
from takmail.limits.words import MAX_REPEATED_LINE_CHARS
from takmail.mail.address import mask_addresses
from takmail.pipeline.interpret import seated_context
from takmail.world import GameNumber, MailState, Match, Snapshot, news


@dataclass(frozen=True, slots=True)
class Execution:
    """The work on a mail that is done so far.

    * `context` is that of the next command
    * `claim` is the seat in whose thread the answer goes, or None if the answer is not about a game
    * `chat` is what happened to the chat
    """

    context: Context
    claim: SeatClaim | None = None
    reports: tuple[Reported, ...] = ()
    chat: ChatResult = NO_CHAT

    def with_effects(self, effects: Effects) -> "Execution":
        """Make the changes in order, and add the news, for which letters need their games."""
        if not effects:
            return self
        context, world = self.context, self.context.world
        told: list[news.News] = []
        for effect in effects:
            if not isinstance(effect, news.News):
                world = effect(world)
            elif isinstance(effect, news.GameNews) and effect.game in world.games:
                told.append(replace(effect, version=world.games[effect.game].record.version))
            else:
                told.append(effect)
        context = replace(context, order=context.order + len(effects)).after(world, tuple(told))
        context.load_games([event.game for event in told if isinstance(event, news.GameNews)])
        return replace(self, context=context)

    def reported(self, line: str, answer: Answer, *, is_confirmed: bool = False) -> "Execution":
        """Add the report of a line of the mail, and make the changes of the answer."""
        shown = clipped(mask_addresses(line), MAX_REPEATED_LINE_CHARS)
        if isinstance(answer, Said):
            return self._with_report(Reported(shown, answer, is_confirmed)).with_effects(answer.effects)
        first = answer[0]
        assert isinstance(first, news.News)
        execution = self._with_report(Reported(shown, first, is_confirmed))
        return execution.with_effects(answer)._after(first)

    def _with_report(self, report: Reported) -> "Execution":
        return replace(self, reports=(*self.reports, report))

    def result(
        self, note: str = "", *, is_silent: bool = False, mail_state: MailState | None = None
    ) -> Result:
        """Return the result of everything done so far. The arguments are as in `Result`."""
        context = self.context
        return Result(
            world=context.world,
            events=context.events,
            reports=self.reports,
            chat=self.chat,
            claim=self.claim,
            player=context.player,
            matches=matches(context),
            note=note,
            is_silent=is_silent,
            mail_state=mail_state,
        )

    def _after(self, first: news.News) -> "Execution":
        """Continue where the answer to a command leads. `first` is the news that reports it.

        After an erasure, continue without a game and without a player. An answer about no game goes into the thread of
        a game that the command has made. When a game begins, the rules may have drawn other seats.
        """
        match first:
            case news.PlayerErased():
                context = replace(self.context, game=None, seat=None, player=None, player_verified=False)
                return replace(self, claim=None, context=context)
            case news.GameProposed(game=number) if self.claim is None:
                return self._entered(number)
            case news.SeekJoined(game=number, is_in_answer=True) | news.GameBegun(game=number):
                return self._entered(number)
            case news.BidMade(game=number) if number == self.context.game:
                return self._entered(number)
            case _:
                return self

    def _entered(self, number: GameNumber) -> "Execution":
        """Continue in a game that the sender has just entered."""
        player = self.context.player
        assert player is not None
        seat = self.context.world.games[number].record.seat_of(player.id)
        claim = SeatClaim(number, seat, Assurance.PLAYER)
        return replace(self, claim=claim, context=seated_context(self.context, claim, None))


def matches(context: Context) -> dict[GameNumber, Match]:
    """Return the match that each ended game belongs to, by the game's number. Void games belong to none.

    A match is seen from the first seat of its game.
    """
    # When a player leaves for good, the opponent's letter shows the match score again, as does one that tells the end
    # of a game anew.
    told = {event.game for kind in (news.OpponentLeft, news.EndReviewed) for event in context.done(kind)}
    world = context.world
    games = (
        game
        for number, game in world.games.items()
        if number in told or world.has_ended_since(context.before, number)
    )
    return {
        game.number: show.match_between(context, game.record.kind, *game.players)
        for game in games
        if show.counts(game.record)
    }


def context_of(services: Services, snapshot: Snapshot, sender: Sender | None = None) -> Context:
    """Return the context of a cause before a game is found. `sender` is None if the cause is not a mail."""
    return Context(
        services=services,
        now=snapshot.now,
        seed=snapshot.seed,
        mail=snapshot.cause.mail,
        sender="" if sender is None else sender.address,
        sender_name="" if sender is None else sender.name,
        player=None if sender is None else sender.player,
        utc_offset=None if sender is None else sender.utc_offset,
        is_signed=sender is not None and sender.is_signed,
        world=snapshot.world,
        before=snapshot.world,
        arrived_at=snapshot.cause.arrived_at,
    )
