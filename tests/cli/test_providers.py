"""What takmail knows about mail providers: every entry makes valid settings, and every fact has a source."""

from dataclasses import fields
from datetime import date
from itertools import chain
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from takmail.cli.setup import _toml
from takmail.config import Settings
from takmail.config.loading import parse
from takmail.config.providers import OAUTH_PROVIDERS, Provider, Server, provider_of, providers
from takmail.limits.letters import UNLIMITED
from tests.support.harness import TEMPLATES
from tests.support.tables import each_row

PROVIDERS = pytest.mark.parametrize("provider", providers().values(), ids=providers())
ADDRESS = "tak@example.org"
AWKWARD = '"it\'s" a\\b # ü 🎲 <&> \x7f\u2028\u00a0.'
"""A password with all that TOML or a template could trip over."""


def text_of(provider: Provider, ca_file: Path | None = None) -> str:
    """The config.toml that `takmail init` writes."""
    return TEMPLATES.page(
        "console/init/config.txt",
        address=ADDRESS,
        it=provider,
        user="tak",
        ca_file=ca_file,
        example="config.example.toml",
        secrets={"password": AWKWARD, "client_id": "takmail's id", "client_secret": AWKWARD},
        toml=_toml,
    )


def settings_of(provider: Provider) -> Settings:
    return parse(text_of(provider), Path("config.toml"))


@PROVIDERS
def test_each_provider_makes_valid_settings_with_its_facts(provider: Provider) -> None:
    settings = settings_of(provider)
    assert settings.imap is not None
    assert settings.service.address == ADDRESS
    assert settings.service.recipient_delimiter == ("+" if provider.delimiter is None else provider.delimiter)
    for server, known in ((settings.imap, provider.imap), (settings.smtp, provider.smtp)):
        assert Server(server.host, server.port) == known
        assert server.tls == known.tls()
    assert settings.smtp.limits == provider.limits
    assert settings.smtp.connections == (provider.connections or 4)


@PROVIDERS
def test_each_provider_is_logged_in_to_as_it_wants(provider: Provider) -> None:
    settings = settings_of(provider)
    assert settings.imap is not None
    if provider.oauth:
        assert settings.oauth is not None
        assert (settings.imap.auth, settings.smtp.auth, settings.imap.password) == ("oauth2", "oauth2", None)
        assert (settings.oauth.provider, settings.oauth.client_secret) == (provider.oauth, AWKWARD)
    else:
        assert (settings.imap.user, settings.imap.secret(), settings.oauth) == ("tak", AWKWARD, None)
    assert settings.smtp.user == (None if provider.smtp.port == 25 else "tak")


@PROVIDERS
def test_each_key_has_a_comment_and_differs_from_its_default(provider: Provider) -> None:
    lines = text_of(provider).splitlines()
    section = ""
    for before, line in zip(["", *lines], lines, strict=False):
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            key, _, value = line.partition(" = ")
            assert before.startswith("# ") or key == "port"
            part = getattr(parse(text_of(provider), Path("config.toml")), section)
            assert getattr(part, key) != type(part).model_fields[key].default, (key, value)


@PROVIDERS
def test_each_fact_has_one_source_with_a_day(provider: Provider) -> None:
    sourced = [*chain.from_iterable(source.facts for source in provider.sources)]
    facts = {one.name: getattr(provider, one.name) for one in fields(provider)}
    known = {name for name, value in facts.items() if value not in (None, (), UNLIMITED)} - {
        "name",
        "sources",
    }
    assert sorted(sourced) == sorted(known)
    for source in provider.sources:
        assert urlsplit(source.url).scheme == "https"
        assert source.date > date(2016, 1, 1)


@PROVIDERS
def test_what_a_provider_says_about_itself_is_plausible(provider: Provider) -> None:
    assert (provider.password == "oauth2") == (provider.oauth is not None)
    assert provider.oauth in (None, *OAUTH_PROVIDERS)
    # takmail's IMAP has TLS from the first byte, or none on this machine.
    assert provider.imap.tls() in ("implicit", "none")
    # A delimiter that isn't there loses the answers to letters; so does one that is wrong.
    assert provider.delimiter in (None, "+", "-", "")
    assert provider.authserv_id is None
    assert all(domain == domain.lower() and "." in domain for domain in provider.domains)


def test_no_domain_is_at_two_providers() -> None:
    domains = [*chain.from_iterable(one.domains for one in providers().values())]
    assert len(domains) == len(set(domains))


@each_row(
    ("domain", "name"),
    [
        ("localhost", "local"),
        ("gmail.com", "gmail"),
        ("googlemail.com", "gmail"),
        ("hotmail.co.uk", "outlook"),
        ("me.com", "icloud"),
        ("ymail.com", "yahoo"),
        ("aol.de", "aol"),
        ("gmx.at", "gmx"),
        ("gmx.us", "gmx-com"),
        ("web.de", "web-de"),
        ("magenta.de", "t-online"),
        ("mailbox.org", "mailbox-org"),
        ("posteo.net", "posteo"),
        ("fastmail.fm", "fastmail"),
        ("zohomail.eu", "zoho-eu"),
        ("foxmail.com", "qq"),
        ("163.com", "163"),
        ("126.com", "126"),
        ("ya.ru", "yandex"),
        ("bk.ru", "mail-ru"),
        ("pm.me", "proton"),
    ],
)
def test_a_domain_tells_its_provider(domain: str, name: str) -> None:
    assert provider_of(domain) is providers()[name]


@pytest.mark.parametrize("domain", ["example.org", "mail.gmail.com", "xgmail.com", ""])
def test_any_other_domain_has_none(domain: str) -> None:
    assert provider_of(domain) is None


def test_providers_of_other_peoples_domains_are_chosen_by_name() -> None:
    chosen = {name for name, provider in providers().items() if not provider.domains}
    assert {"workspace", "microsoft365", "migadu", "local"} <= chosen


@each_row(
    ("server", "ca_file", "tls"),
    [
        (Server("imap.example.org", 993), None, "implicit"),
        (Server("smtp.example.org", 465), None, "implicit"),
        (Server("smtp.example.org", 587), None, "starttls"),
        (Server("smtp.example.org", 2525), None, "starttls"),
        (Server("127.0.0.1", 465), None, "none"),
        (Server("localhost", 1143), None, "none"),
        (Server("127.0.0.1", 993), "ca.pem", "implicit"),
        (Server("127.0.0.1", 1025), "ca.pem", "starttls"),
    ],
)
def test_tls_follows_from_the_server(server: Server, ca_file: str | None, tls: str) -> None:
    assert server.tls(ca_file) == tls


def test_certificates_stand_in_both_sections() -> None:
    file = Path(__file__).parents[1] / "data/tls/ca.pem"
    settings = parse(text_of(providers()["proton"], file), Path("config.toml"))
    assert settings.imap is not None
    assert (settings.imap.tls, settings.smtp.tls) == ("implicit", "starttls")
    assert settings.imap.ca_file == settings.smtp.ca_file == file
