"""Decide when an invitation is sent, and any other letter to an address that a player typed.

The number of unanswered invitations to one player is limited. The host gets the same answer in every case. It does not
reveal whether the address is known or its owner wants no mail.

The letters to all strangers together are limited, too, within an hour and within a day. Anybody can write in a
stranger's name, and a player can invite any address. One budget is for answers to mails that may be forged, another for
letters to addresses that players typed, so that forged mails can't use up the second. One organisation gets only a part
of a budget, and so does one player.
"""

from collections.abc import Collection, Iterator, Sequence, Set
from datetime import datetime, timedelta
from math import ceil
from operator import attrgetter

from takmail.commands.answers import NewsAndChanges, RefusalError, refused
from takmail.commands.context import ADDRESS_LEFT_OUT, CommandServices, Context
from takmail.commands.grammar.names import leads_away
from takmail.limits.games import MAX_INVITATIONS_TO_PLAYER
from takmail.limits.letters import STRANGER_SHARES, RateLimits
from takmail.limits.words import MAX_INVITATION_CHARS
from takmail.mail.domains import organisation_of
from takmail.world import (
    BEGUN,
    LIFETIME,
    CountedLetter,
    GameRecord,
    Player,
    PlayerId,
    Queries,
    Standing,
    StrangerBudget,
    game_changes,
    news,
)
from takmail.world.changes import Change, in_game, of_player

LONGEST_WAIT = LIFETIME / 2
"""How long a letter to a typed address waits at most. The other half of the time is left for the answer."""

_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)
_NOBODY = frozenset((("to", ""), ("by", None), ("from", "")))
"""What has no share: a common provider, and nobody."""


def ask(
    context: Context, game: GameRecord, guest: Player, waits_until: datetime | None = None
) -> NewsAndChanges:
    """Send an invitation if the guest may get one now, otherwise let it wait. It leaves not before `waits_until`."""
    asked = [game for game in waiting_for(context, guest) if game.invited_at is not None]
    if _may_ask(context, guest, game.invited_by, asked):
        written = news.InvitationWritten(game=game.number, waits_until=waits_until)
        return written, in_game(game.number, game_changes.invited, context.now)
    return (of_player(guest.id, Player.choosing, "invitations_wait", True),)


def ask_next(context: Context) -> NewsAndChanges:
    """Send invitations that waited for the sender of a verified mail, as far as they may get them now."""
    guest = context.player
    if guest is None or not guest.invitations_wait:
        return ()  # This avoids loading the games of a player without waiting invitations, who may have very many.
    waiting = waiting_for(context, guest)
    asked = [game for game in waiting if game.invited_at is not None]
    written: list[news.InvitationWritten | Change] = []
    for game in waiting:
        if game.invited_at is None and _may_ask(context, guest, game.invited_by, asked):
            (table,) = context.load_games([game.number])
            if table.is_corrupt:
                continue
            written += (
                news.InvitationWritten(game=game.number, comes_last=True),
                in_game(game.number, game_changes.invited, context.now),
            )
            asked.append(game)
    if len(asked) == len(waiting):
        written.append(of_player(guest.id, Player.choosing, "invitations_wait", False))
    return tuple(written)


def waiting_for(context: Context, guest: Player) -> list[GameRecord]:
    """Return the invitations to a player that are unanswered, whether or not they were sent."""
    games = context.games_of(guest.id, Standing.INVITED)
    return [game for game in games if game.invited_by != guest.id]


def is_own(context: Context) -> bool:
    """Tell whether the game is an unanswered invitation of the sender."""
    record = context.table.record
    return record.standing == Standing.INVITED and record.invited_by == record.seats[context.you]


def _may_ask(context: Context, guest: Player, host: PlayerId, asked: Sequence[GameRecord]) -> bool:
    """Tell whether a player may get an invitation of `host` now.

    `asked` are the invitations that the player got and has not answered.
    """
    if guest.wants_no_mail or host in guest.blocked:
        return False
    # A host has at most one open invitation per guest, whether by name or by address.
    if guest.is_blocked or any(game.invited_by == host for game in asked):
        return False
    if not guest.has_written:
        games = context.games_of(guest.id, *Standing)
        return not any(game.guest == guest.id and game.invited_at is not None for game in games)
    plays = context.games_of(guest.id, *BEGUN)
    return len(asked) < (MAX_INVITATIONS_TO_PLAYER if plays else 1)


def words_to_bring(services: CommandServices, waiting: Sequence[str]) -> list[str]:
    """Return those of the host's waiting words that an invitation brings: the first short ones that lead nowhere else.

    The others wait until the guest accepts.
    """
    left_out = services.label(ADDRESS_LEFT_OUT)
    short = (words for words in waiting if len(words) <= MAX_INVITATION_CHARS)
    return [words for words in short if left_out not in words and not leads_away(words)][:1]


# Limits on the letters to all strangers together.


def free_at(
    rates: RateLimits, budget: StrangerBudget, counted: Collection[CountedLetter], letter: CountedLetter
) -> tuple[datetime, str]:
    """Return when a letter may leave, and the name of the limit for which it has to wait, '' if it need not.

    It is the earliest time at which no limit is exceeded, so that those who wait for long hold nobody else back.
    `counted` are the letters of the budget that have left within a day or are to leave.
    """
    by_time = sorted(counted, key=attrgetter("leaves_at"))
    known = [(earlier.leaves_at, _sharers(earlier)) for earlier in by_time]
    taken: list[tuple[datetime, datetime, str]] = []
    for name, window in (
        (f"total_stranger_{budget}_per_hour", _HOUR),
        (f"total_stranger_{budget}_per_day", _DAY),
    ):
        most = getattr(rates, name)
        taken += [(*span, name) for span in _taken([when for when, _ in known], most, window)]
        for sharer in _sharers(letter):
            same = [when for when, sharers in known if sharer in sharers]
            taken += [(*span, name) for span in _taken(same, max(1, most // STRANGER_SHARES), window)]
    at, limit = letter.leaves_at, ""
    for start, end, name in sorted(taken):
        if start < at < end:
            at, limit = end, name
    return at, limit


def wait_for(context: Context, to: str, player: PlayerId) -> tuple[datetime | None, int]:
    """Return until when a letter waits that `player` causes by typing the address `to`, and the hours, rounded up.

    They are None and 0 if it may leave now. A letter is refused that would leave too late to be answered, or goes to a
    domain from which the operator takes no mail. All typed addresses count. If those of players did not, the wait would
    reveal which ones are.
    """
    if context.world.ask(Queries.mailbox, to).block_reason is not None:
        raise RefusalError(refused("blocked_domain", address=to))
    now, by = context.now, (context.sender,)
    # Of this mail's letters only their number counts. A mail has few of them.
    this_mail: tuple[news.InvitationWritten | news.AddressAsked, ...] = (
        *context.done(news.InvitationWritten),
        *context.done(news.AddressAsked),
    )
    counted = [CountedLetter("", event.waits_until or now, player, by) for event in this_mail]
    counted += context.world.ask(Queries.counted_letters, StrangerBudget.INVITATIONS)
    at, _ = free_at(
        context.services.rates, StrangerBudget.INVITATIONS, counted, CountedLetter(to, now, player, by)
    )
    if at - now > LONGEST_WAIT:
        raise RefusalError(refused("asks_too_many"))
    return (at, ceil((at - now) / _HOUR)) if at > now else (None, 0)


def _sharers(letter: CountedLetter) -> Set[object]:
    """Return what gets only a part of a budget: the recipient's organisation, the player, the player's organisations.

    A common provider has no share, as its addresses have nothing in common.
    """
    by = {("from", organisation_of(address)) for address in letter.player_addresses}
    return {("to", organisation_of(letter.to)), ("by", letter.player), *by} - _NOBODY


def _taken(times: Sequence[datetime], most: int, window: timedelta) -> Iterator[tuple[datetime, datetime]]:
    """Yield between which times one more letter would exceed `most` letters within a `window`. `times` are sorted."""
    for first, last in zip(times, times[most - 1 :], strict=False):
        if last - first < window:
            yield last - window, first + window
