"""Tournaments: their entries, pairings and steps, who hears of new ones, and which game belongs to one."""

import sqlalchemy as sa
from alembic import op

revision = "r0014"
down_revision = "r0013"
branch_labels = None
depends_on = None

_TIME = sa.DateTime(timezone=True)
_GOES_ON = sa.text("standing <> 'over'")


def _player(name: str, *, nullable: bool = False, is_key: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), sa.ForeignKey("player.id"), nullable=nullable, primary_key=is_key)


def _tournament(*, is_key: bool = False) -> sa.Column[int]:
    return sa.Column(
        "tournament_id", sa.Integer(), sa.ForeignKey("tournament.id"), nullable=False, primary_key=is_key
    )


def upgrade() -> None:
    """Add the tables and columns. There is no tournament yet, and nobody has asked to hear of one."""
    op.add_column(
        "player", sa.Column("hears_of_tournaments", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    op.add_column("game", sa.Column("tournament_id", sa.Integer(), nullable=True))
    op.create_table(
        "tournament",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(255), nullable=False),
        sa.Column("skeleton", sa.String(255), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("setup", sa.Text(), nullable=False),
        sa.Column("pace", sa.String(255), nullable=False),
        sa.Column("most", sa.Integer(), nullable=False),
        _player("organiser_id", nullable=True),
        sa.Column("standing", sa.String(16), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("starts_at", _TIME, nullable=True),
        sa.Column("created_at", _TIME, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "entry",
        _tournament(is_key=True),
        sa.Column("season", sa.Integer(), primary_key=True, autoincrement=False),
        _player("player_id", is_key=True),
        sa.Column("entered_at", _TIME, nullable=False),
        sa.Column("division", sa.Integer(), server_default="0", nullable=False),
        sa.Column("out", sa.String(16), nullable=True),
        sa.Column("stays", sa.Boolean(), server_default=sa.true(), nullable=False),
    )
    op.create_table(
        "pairing",
        sa.Column("game_id", sa.Integer(), primary_key=True, autoincrement=False),
        _tournament(),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("division", sa.Integer(), nullable=False),
        _player("first_id"),
        _player("second_id"),
        sa.Column("outcome", sa.String(16), nullable=True),
        sa.Column("decided_by", sa.String(16), nullable=True),
    )
    op.create_table(
        "step",
        _tournament(is_key=True),
        sa.Column("version", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("happened_at", _TIME, nullable=False),
        sa.Column("division", sa.Integer(), server_default="0", nullable=False),
        _player("player_id", nullable=True),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("why", sa.Text(), server_default=sa.text("''"), nullable=False),
    )
    op.create_index(
        "ix_tournament_skeleton",
        "tournament",
        ["skeleton"],
        unique=True,
        sqlite_where=_GOES_ON,
        postgresql_where=_GOES_ON,
    )
    for table, column in (
        ("tournament", "organiser_id"),
        ("entry", "player_id"),
        ("pairing", "tournament_id"),
        ("pairing", "first_id"),
        ("pairing", "second_id"),
        ("step", "player_id"),
    ):
        op.create_index(f"ix_{table}_{column}", table, [column])
