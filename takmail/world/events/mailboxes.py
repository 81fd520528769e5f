"""Define the events of mailboxes: who has written, which letters came back, and what is sent again."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from takmail.games.interface import Seat
from takmail.games.readonly import replace
from takmail.world import game_changes, operations
from takmail.world.events.base import Event, PlayerEvent
from takmail.world.kinds import GameNumber, LetterPurpose, MessageId
from takmail.world.players import LastText, Mailbox, Player
from takmail.world.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class MailboxEvent(PlayerEvent):
    """Base class of what happened to a player's mailbox."""

    address: str

    def _of_mailbox(self, world: World, changed: Callable[[Mailbox], Mailbox]) -> World:
        """Return the world in which `changed(mailbox)` is the mailbox of the event."""
        player = world.player(self.player)
        mailbox = player.mailbox(self.address)
        assert mailbox is not None
        return world.with_player(player.with_mailbox(changed(mailbox)))


@dataclass(frozen=True, slots=True, kw_only=True)
class SenderHeard(MailboxEvent):
    """A verified mail came from a player at `heard_at`. `text` is the last text from the address after it.

    * `renews_token`: others have read the address's personal token in it, so that the token gets the next number
    * `is_unsigned`: from now on tokens in its mails count although the mail server refutes them
    """

    heard_at: datetime
    text: LastText
    renews_token: bool = False
    is_unsigned: bool = False

    def apply(self, world: World) -> World:
        """Return the world in which letters to the address arrive, as far as is known."""
        return self._of_mailbox(
            world,
            lambda mailbox: replace(
                mailbox,
                bounces=0,
                verified_at=self.heard_at,
                token_number=mailbox.token_number + self.renews_token,
                last_text=self.text,
                is_unsigned=mailbox.is_unsigned or self.is_unsigned,
                budget=replace(mailbox.budget, news={}),
            ),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StrangerHeard(Event):
    """A verified mail came at `heard_at` from an address that is no player's, or whose owner had left for good.

    `marks` are those of the address, the newest key's first. `text` is the last text from it.
    """

    marks: tuple[str, ...]
    heard_at: datetime
    text: LastText

    def apply(self, world: World) -> World:
        """Return the world in which that is remembered of the address."""
        return world.with_operation(
            operations.RememberAddress(marks=self.marks, verified_at=self.heard_at, text=self.text)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MailResumed(PlayerEvent):
    """A player who had asked for no more mail gets mail again."""

    def apply(self, world: World) -> World:
        """Return the world in which none of the player's addresses is stopped."""
        return self._of_player(world, Player.stopped, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class LettersReleased(MailboxEvent):
    """Letters to a player are queued again: those suspended at an address, and `max_postponed` that were postponed.

    Those that contain only chat stay postponed.
    """

    max_postponed: int

    def apply(self, world: World) -> World:
        """Return the world in which they are queued."""
        world = self._of_player(world, _with_released_letters)
        releasing = operations.ReleaseLetters(
            player=self.player, address=self.address, max_postponed=self.max_postponed
        )
        return world.with_operation(releasing)


def _with_released_letters(player: Player) -> Player:
    """Return a player after their postponed letters are released, but for those that contain only chat."""
    if not any(mailbox.budget.postponed for mailbox in player.mailboxes):
        return player
    awake = []
    for mailbox in player.mailboxes:
        postponed = {
            key: count for key, count in mailbox.budget.postponed.items() if key[0] == LetterPurpose.CHAT
        }
        awake.append(replace(mailbox, budget=replace(mailbox.budget, postponed=postponed)))
    return replace(player, mailboxes=tuple(awake))


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenRenewed(Event):
    """A mail has shown the token of a seat to others. Only the token with this number proves the seat now."""

    game: GameNumber
    seat: Seat
    number: int

    def apply(self, world: World) -> World:
        """Return the world in which only that token counts."""
        return world.with_game(game_changes.with_token(world.game(self.game), self.seat, self.number))


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterReturned(Event):
    """A letter came back, for a `reason`. It is sent again at `retry_at`, unless that is None."""

    letter: MessageId
    reason: str
    retry_at: datetime | None

    def apply(self, world: World) -> World:
        """Return the world in which the letter has come back."""
        returning = operations.ReturnLetter(letter=self.letter, reason=self.reason, retry_at=self.retry_at)
        return world.with_operation(returning)


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterBounced(MailboxEvent):
    """A letter came back because the address of a player does not work."""

    def apply(self, world: World) -> World:
        """Return the world in which one more letter to the address bounced."""
        return self._of_mailbox(world, lambda mailbox: replace(mailbox, bounces=mailbox.bounces + 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class LettersSuspended(Event):
    """Nothing is sent to an address until its owner writes."""

    address: str

    def apply(self, world: World) -> World:
        """Return the world in which letters to the address wait."""
        return world.with_operation(operations.SuspendLetters(address=self.address))
