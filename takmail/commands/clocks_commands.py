"""List the commands about clocks, and about time off, in which they stand."""

from functools import partial

from takmail.commands import clocks, clocks_offers, profile
from takmail.commands.command import Command, Effect, HelpTopics, Needs
from takmail.commands.grammar.arguments import Choice, Length
from takmail.commands.grammar.dates import Away, Planned

LOOKS, CHANGES, SETS = Effect.LOOKS, Effect.CHANGES, Effect.SETS
OPEN = Needs.OPEN

PROPOSE_PACE = Command(
    "propose",
    CHANGES,
    clocks_offers.propose_pace,
    clocks_offers.ProposePace,
    needs=OPEN,
    resumes_mail=True,
    help=HelpTopics(page="clock"),
)
IN_GAME = (
    Command("gift", CHANGES, clocks.gift, Length, needs=OPEN, resumes_mail=True),
    Command("clock", LOOKS, clocks.tell, needs=OPEN, help=HelpTopics(("time", "days", "strict"))),
    Command("clock on", CHANGES, clocks_offers.start_clock, needs=OPEN, resumes_mail=True),
)
"""The commands about the clock of a game."""
TIME_OFF = (
    Command("away", LOOKS, clocks.tell_time_off),
    # It may take the place of longer time off.
    Command("away", SETS, clocks.go_away, Away, makes_player=True, may_cost_game=True),
    Command("away cancel", SETS, clocks.cancel_time_off, may_cost_game=True, help=HelpTopics(page="away")),
    Command(
        "away cancel",
        SETS,
        clocks.cancel_time_off,
        Planned,
        may_cost_game=True,
        help=HelpTopics(page="away"),
    ),
    Command("back", SETS, clocks.come_back, may_cost_game=True),
    Command("holiday", LOOKS, partial(clocks.tell_time_off, tells_setting=True)),
    Command("holiday", SETS, profile.choose, Choice, makes_player=True, may_cost_game=True),
)
"""The commands about a player's time off."""
