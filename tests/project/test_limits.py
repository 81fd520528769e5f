"""The limits: each has a reason, and a key in config.toml has the limit's name."""

import ast
from dataclasses import fields
from pathlib import Path

import pytest

import takmail.limits
from takmail.config import LimitSettings
from takmail.limits.letters import RateLimits
from takmail.limits.mails import Limits

MODULES = sorted(Path(takmail.limits.__file__).parent.glob("*.py"))
WORK = {"header_lines", "part_header_lines", "boundaries", "text_lines", "html_tags", "rejects_oversize"}
"""The fields of `Limits` that limit the work, and that nobody can set."""


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_every_limit_is_followed_by_its_reason(module: Path) -> None:
    body = ast.parse(module.read_text()).body
    for one, following in zip(body, [*body[1:], None], strict=True):
        if isinstance(one, ast.Assign):
            assert isinstance(following, ast.Expr), ast.unparse(one)
            assert isinstance(following.value, ast.Constant), ast.unparse(one)


def test_the_keys_of_the_section_limits_are_those_of_the_limits() -> None:
    limits = {one.name for one in (*fields(Limits), *fields(RateLimits))}
    assert set(LimitSettings.model_fields) == limits - WORK


def test_the_defaults_are_those_of_the_limits() -> None:
    assert (LimitSettings().of_mails(), LimitSettings().of_letters()) == (Limits(), RateLimits())
