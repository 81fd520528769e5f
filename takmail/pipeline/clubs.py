"""Do what is due in tournaments by itself, each in a transaction of its own. Carry out what the operator rules.

Due are a tournament whose season begins or is over, a game that was drawn, and a player who is to be told something.
"""

from collections.abc import Callable
from dataclasses import replace

from takmail.blocks import Message, message
from takmail.commands import beginnings, clubs_organising
from takmail.commands.answers import Events, RefusalError
from takmail.commands.context import Context
from takmail.limits.clubs import BETWEEN_SEASONS, MOST_PUT_OFF, PUT_OFF_BY
from takmail.pipeline.rulings import CannotRule
from takmail.world import (
    GameNumber,
    GameRecord,
    Invitation,
    LogWord,
    PlayerId,
    Ruling,
    Standing,
    Timing,
    events,
    operations,
    seated,
    with_zones,
)
from takmail.world.clubs.forms import form_of
from takmail.world.clubs.results import open_pairings
from takmail.world.clubs.values import (
    DecidedBy,
    Outcome,
    Pairing,
    StepKind,
    Tournament,
    TournamentNumber,
    TournamentStanding,
)
from takmail.world.clubs_lookup import find_tournament, is_in, tournament_of_game


def by_operator(context: Context, decide: Callable[[Context], Events]) -> Events:
    """Return what an operator's step at a tournament leads to. Raises CannotRule with the words of a refusal."""
    try:
        return decide(context)
    except RefusalError as error:
        refusal = error.refusal
        said = context.services.templates.said(Message(refusal.reason, refusal.facts))
        raise CannotRule("refused", said=said) from None


def on_club(context: Context, subject: int, work: str) -> Events:
    """Return what is due about a tournament, one of its games, or a player (`subject`)."""
    kind, *numbers = work.split()
    if kind == operations.TOURNAMENT:
        return _on_tournament(context, TournamentNumber(subject))
    if kind == operations.PAIRING:
        return _on_game(context, GameNumber(subject))
    number, version = map(int, numbers)
    return _on_step(context, TournamentNumber(number), version, PlayerId(subject))


def _on_tournament(context: Context, number: TournamentNumber) -> Events:
    """End a round that is over, or begin a season whose time has come."""
    tournament = find_tournament(context.world, number)
    if tournament is None or tournament.is_over:
        return ()
    if tournament.is_running:
        return _after_round(context, tournament)
    starts_at = tournament.starts_at
    is_time = tournament.is_full if starts_at is None else starts_at <= context.now
    if not is_time:
        return ()
    if len(clubs_organising.ready(context, tournament)) >= form_of(tournament).fewest:
        return clubs_organising.begun(context, tournament)
    if _times_put_off(tournament) >= MOST_PUT_OFF:
        return (events.TournamentEnded(tournament=number, ended_at=context.now, why=""),)
    until = context.now + PUT_OFF_BY
    return (events.TournamentPutOff(tournament=number, until=until, put_off_at=context.now),)


def _after_round(context: Context, tournament: Tournament) -> Events:
    """End a round whose games are decided, or whose time is over. Begin the next one, or end the season."""
    number, over = tournament.number, list[events.Event]()
    is_time = tournament.starts_at is not None and tournament.starts_at <= context.now
    if not (is_time or tournament.is_round_decided):
        return ()
    form, still_open = form_of(tournament), open_pairings(tournament)
    if form.ends_games and still_open:
        drawn = tuple(one._replace(outcome=Outcome.DRAW, by=DecidedBy.DATE) for one in still_open)
        over.append(events.RoundOver(tournament=number, pairings=drawn))
        tournament = replace(tournament, pairings=tournament.with_pairings(drawn))
    draw = form.next_round(tournament)
    if draw is not None:
        return (*over, clubs_organising.next_round(context, tournament, draw))
    if not tournament.is_decided:
        return ()
    next_at = context.now + BETWEEN_SEASONS if form.repeats else None
    return (*over, events.SeasonEnded(tournament=number, ended_at=context.now, next_at=next_at))


def _times_put_off(tournament: Tournament) -> int:
    """Return how often the next season was put off by itself."""
    return sum(
        step.kind is StepKind.PUT_OFF and not step.why and step.season == tournament.season + 1
        for step in tournament.steps
    )


def _on_game(context: Context, number: GameNumber) -> Events:
    """Begin a game that was drawn, or end one that is decided although it runs."""
    tournament = tournament_of_game(context.world, number)
    pairing = None if tournament is None else tournament.pairing(number)
    if tournament is None or pairing is None:
        return ()
    game = context.world.find_game(number)
    if game is None:
        is_played = pairing.outcome is None and tournament.is_running
        return _begun(context, tournament, pairing) if is_played else ()
    if pairing.outcome is None or not game.record.is_running:
        return ()
    # The table has the result. The game itself has none, so that it counts in nothing else.
    why = _reason(context, tournament, pairing)
    line = operations.AddToLog(who=tournament.name, what=LogWord.ENDED, why=why, game=number)
    is_ruled = any(step.game == number for step in tournament.steps)
    # That a player dropped out, or that the tournament has ended, is told to its players in one letter for all games.
    is_told = pairing.by is DecidedBy.DEFAULT or (pairing.by is DecidedBy.RULING and not is_ruled)
    ended: events.GameEvent = (
        events.TournamentGameEnded(game=number, why=why)
        if is_told
        else events.GameRuled(game=number, ruling=Ruling.VOID, why=why)
    )
    return (ended, events.DecisionLogged(line=line))


def _begun(context: Context, tournament: Tournament, pairing: Pairing) -> Events:
    """Return what begins a game. Both players have accepted it by entering."""
    terms, world = tournament.terms, context.world
    first, second = world.player(pairing.first), world.player(pairing.second)
    rules = context.services.games.by_name[terms.kind]
    setup = beginnings.setup_to_begin(context, rules, terms.setup)
    assert setup is not None, "no tournament has games whose players bid"
    record = GameRecord(
        number=pairing.number,
        version=0,
        kind=terms.kind,
        setup=setup,
        subject="",
        standing=Standing.OPEN,
        created_at=context.now,
        invitation=Invitation(first.id, written_at=context.now, tournament=tournament.number),
        seats=seated(first.id, second.id),
        timing=Timing(terms.pace, is_strict=True).with_clock(context.now),
    )
    subject = beginnings.subject_of(context, record, setup, (first.name, second.name))
    game = beginnings.new_game(context, replace(record, subject=subject), (first, second))
    return (events.TournamentGameBegun(game=pairing.number, new_game=with_zones(game)),)


def _reason(context: Context, tournament: Tournament, pairing: Pairing) -> str:
    """Return why a game ended that was not played to its end: the organiser's reason, who dropped out, or the date."""
    if pairing.by is DecidedBy.DATE:
        return context.services.label(message("reason_round_over", name=tournament.name))
    if pairing.by is DecidedBy.RULING:
        steps = (step for step in reversed(tournament.steps) if step.game == pairing.number)
        return next(steps, tournament.steps[-1]).why
    entries = map(tournament.entry, pairing.players)
    out = [entry.player for entry in entries if entry is not None and entry.out is not None]
    player = context.world.player(out[0]).name
    return context.services.label(message("reason_dropped_out", player=player, name=tournament.name))


def _on_step(context: Context, number: TournamentNumber, version: int, player: PlayerId) -> Events:
    """Tell a player what has happened to a tournament, if a letter reaches them."""
    tournament = find_tournament(context.world, number)
    step = None if tournament is None else tournament.step(version)
    if tournament is None or step is None:
        return ()
    reader = context.world.player(player)
    is_news = step.kind is StepKind.OPENED
    knows_it = is_news and (
        tournament.organiser == player
        or is_in(tournament, player)
        or tournament.standing is not TournamentStanding.ENTERING
    )
    if knows_it or reader.is_blocked or not reader.is_reachable:
        return ()
    return (events.StepTold(tournament=number, step=step, player=player),)
