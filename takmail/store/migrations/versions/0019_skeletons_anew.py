"""Raise the version, as names have other skeletons than before. No table changes.

`takmail.store.upgrade` computes the stored skeletons anew after the migrations.
"""

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change no table."""
