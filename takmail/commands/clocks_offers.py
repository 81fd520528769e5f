"""Offer another time for turns, and begin to play with a clock."""

from dataclasses import dataclass
from typing import Self

from takmail.commands.answers import Answer, refused
from takmail.commands.command import Arguments, LineFault, Rest, Unclear
from takmail.commands.context import Context
from takmail.commands.grammar.normalize import clipped
from takmail.commands.grammar.paces import OPTION, pace_option, with_times_in_short
from takmail.commands.pending import agree_on, offer_or_repeat, offers_of
from takmail.limits.words import MAX_REPEATED_WORD_CHARS
from takmail.world import NO_PACE, PendingKind


@dataclass(frozen=True, slots=True)
class ProposePace(Arguments):
    """The time for turns to play with from now on, as an option of `new`, None for no clock."""

    pace: str | None

    @classmethod
    def read(cls, rest: Rest) -> Self | Unclear | None:
        """Parse `days=5`, `time=7d+12h`, `days=3 weekdays` or `time=none`. Say so if there is no such time."""
        option = pace_option(rest.text)
        if option is None:
            typed = clipped(rest.text.lower(), MAX_REPEATED_WORD_CHARS)
            return Unclear(LineFault.NEW_OPTION, typed) if OPTION.match(with_times_in_short(typed)) else None
        return cls(None if option == NO_PACE else option)

    def written(self) -> str:
        """Return the option."""
        return self.pace or NO_PACE


def propose_pace(context: Context, command: ProposePace) -> Answer:
    """Offer to play with another time for turns, or agree if the opponent has offered the same."""
    game, record, pace = context.game, context.game.record, command.pace
    if game.players[context.you.other].is_bot:
        return refused("no_clock_against_bots")
    if record.invitation.tournament is not None:
        return refused("tournament_keeps_clock")
    if pace == record.timing.pace and (pace is None or record.timing.clock_from is not None):
        return refused("pace_is_so")
    offered = offers_of(context, context.you.other, PendingKind.PACE)
    if offered and offered[0].words == (pace or ""):
        return agree_on(context, offered[0])
    return offer_or_repeat(context, PendingKind.PACE, pace or "")


def start_clock(context: Context) -> Answer:
    """Offer to play with a clock, with the time that was agreed on when the game began."""
    pace = context.game.record.timing.pace
    return refused("no_pace_agreed") if pace is None else propose_pace(context, ProposePace(pace))
