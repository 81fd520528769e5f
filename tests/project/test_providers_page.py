"""docs/providers.md and docs/providers-sources.md agree with what `takmail init` knows."""

import re

import pytest

from takmail.config.providers import Provider, providers
from tests.project.providers_page import PAGE, SOURCES, with_tables

TEXT, SOURCES_TEXT = (page.read_text(encoding="utf-8") for page in (PAGE, SOURCES))


@pytest.mark.parametrize("text", [TEXT, SOURCES_TEXT], ids=["servers", "sources"])
def test_the_tables_are_those_of_the_data(text: str) -> None:
    assert with_tables(text) == text, "run: make providers"


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
        assert f"| <{source.url}> | {source.date} |" in SOURCES_TEXT
