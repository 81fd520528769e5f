"""Show ratings to the operator, and compute them at once: `takmail rating`."""

from pathlib import Path

import click
from sqlmodel import Session, col, select

from takmail.cli.common import config_option, opened
from takmail.cli.lists import Cells, Listed, json_option, show_list
from takmail.store import ratings
from takmail.store.tables import PlayerRow, RatingRow


def list_ratings(session: Session) -> list[Listed]:
    """Return the ratings of all players, the strongest of each kind of game and board first."""
    order = (
        col(RatingRow.kind),
        col(RatingRow.board),
        col(RatingRow.points).desc(),
        col(RatingRow.player_id),
    )
    query = select(RatingRow, PlayerRow).join(PlayerRow).order_by(*order)
    return [
        {
            "game": rating.kind,
            "board": rating.board,
            "points": rating.points,
            "deviation": rating.deviation,
            "games": rating.games,
            "seen_by": player.rating_seen_by or "opponents",
            "number": player.id,
            "name": player.name,
        }
        for rating, player in session.exec(query).all()
    ]


def _cells(row: Listed) -> Cells:
    return {**row, "number": f"#{row['number']}"}


@click.group("rating")
def rating_commands() -> None:
    """Show how strong the players are, or compute it at once.

    \b
    Examples:
      takmail rating list
      takmail rating compute
    """


@rating_commands.command("list")
@json_option("rating")
@config_option
def rating_list(as_json: bool, config_file: Path) -> None:
    """List the ratings of all players, also of those who hide theirs or have few games.

    A rating may be off by its deviation. 400 points more are ten wins for each loss.

    \b
    Example:
      takmail rating list --config config.toml
    """
    with opened(config_file) as app, app.store.transaction() as session:
        every = list_ratings(session)
    show_list(every, _cells, "There are no ratings yet.", as_json=as_json)


@rating_commands.command("compute")
@config_option
def rating_compute(config_file: Path) -> None:
    """Compute all ratings from all finished games now. A running service does so by itself, after games end.

    \b
    Example:
      takmail rating compute --config config.toml
    """
    with opened(config_file) as app:
        with app.store.reading() as session:
            found = ratings.computed(session, app.services.games, app.causes.now())
        with app.store.transaction() as session:
            ratings.store(session, found)
    click.echo(f"{len(found.ratings)} ratings computed.")
