"""A takmail of a later version, whose only difference is one more migration."""

import shutil
from pathlib import Path

import pytest

from takmail.store import database, schema, upgrade

NEXT = "r9999"
"""The version of its schema."""

_MIGRATION = f'''"""Add a column that no takmail uses."""

import sqlalchemy as sa
from alembic import op

revision = "{NEXT}"
down_revision = "{schema.HEAD}"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("player", sa.Column("shoe_size", sa.Integer(), nullable=True))
'''


def become_newer(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Make takmail upgrade databases to NEXT. `folder` gets a copy of the migrations, and the one more."""
    migrations = folder / "newer migrations"
    shutil.copytree(schema.MIGRATIONS, migrations, ignore=shutil.ignore_patterns("__pycache__"))
    (migrations / "versions" / f"{NEXT}_shoes.py").write_text(_MIGRATION)
    monkeypatch.setattr(schema, "MIGRATIONS", migrations)
    for module in (schema, upgrade, database):
        monkeypatch.setattr(module, "HEAD", NEXT)
