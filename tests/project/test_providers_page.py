"""docs/providers.md agrees with what `takmail init` knows."""

import re

import pytest

from takmail.config.providers import Provider, providers
from tests.project.providers_page import PAGE, with_tables

TEXT = PAGE.read_text(encoding="utf-8")


def test_the_tables_are_those_of_the_data() -> None:
    assert with_tables(TEXT) == TEXT, "run: make providers"


def test_a_table_that_is_not_would_be_seen() -> None:
    changed = TEXT.replace("imap.gmail.com:993", "imap.gmail.com:143")
    assert changed != TEXT
    assert with_tables(changed) == TEXT


@pytest.mark.parametrize("provider", providers().values(), ids=providers())
def test_each_provider_is_there_with_its_servers_and_sources(provider: Provider) -> None:
    assert f"| {provider.name} |" in TEXT
    assert {f"{one.host}:{one.port}" for one in (provider.imap, provider.smtp)} <= {
        *re.findall(r"\S+:\d+", TEXT)
    }
    for source in provider.sources:
        assert f"| <{source.url}> | {source.date} |" in TEXT
