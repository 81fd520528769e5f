"""`takmail login`, against a provider of the tests' own: with a code to type, by a browser, and by a pasted address."""

import os
import re
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit
from urllib.request import HTTPErrorProcessor, build_opener, urlopen

import pytest

from takmail.config.loading import load
from takmail.config.providers import OAUTH_PROVIDERS
from takmail.runtime.net.access_tokens import OwnTokens
from takmail.runtime.net.oauth import read_tokens
from tests.support.command_line import TAK, config_file, takmail
from tests.support.forked import Dialogue
from tests.support.token_server import CLIENT, SECRET, TokenServer


@pytest.fixture
def provider() -> Iterator[TokenServer]:
    with TokenServer().running() as server:
        yield server


@pytest.fixture
def config(provider: TokenServer, tmp_path: Path) -> Path:
    file = config_file(
        tmp_path,
        more=f'[oauth]\nprovider = "{provider.issuer}"\nclient_id = "{CLIENT}"\n'
        f'client_secret = "{SECRET}"\nscope = "mail offline_access"\n',
    )
    file.write_text(file.read_text().replace('password = "secret"', 'auth = "oauth2"'))
    return file


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that are made, each of which is over at once."""
    made: list[float] = []
    monkeypatch.setattr("time.sleep", made.append)
    return made


def check_tokens(config: Path, provider: TokenServer, told: str) -> None:
    """The tokens are in a file of mode 600 and are good, and nobody was shown any."""
    file = config.with_name("takmail.token")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    oauth = load(config).oauth
    assert oauth is not None
    assert OwnTokens(oauth).current() in provider.users
    assert read_tokens(file).refresh_token in provider.refresh_tokens
    assert f"{file} has the tokens now. Next: takmail check-config --connect --config {config}\n" in told
    assert not any(secret in told for secret in provider.secrets())


# With a code to type.


def test_a_code_is_shown_and_the_provider_asked_until_it_was_typed(
    config: Path, provider: TokenServer
) -> None:
    provider.has_device, provider.pending = True, ["authorization_pending", "authorization_pending"]
    config.with_name("takmail.token").touch(0o644)
    result = takmail("login", provider.issuer, "--config", config)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(
        f"Open {provider.issuer}/type in a browser on any machine, type the code ABCD-EFGH, and log in as {TAK}.\n"
    )
    check_tokens(config, provider, result.stdout)
    (form,) = (form for path, form in provider.asked if path.endswith("/device"))
    assert form == {"client_id": CLIENT, "scope": "mail offline_access"}


def test_a_provider_that_is_asked_too_often_is_given_time(
    config: Path, provider: TokenServer, pauses: list[float]
) -> None:
    provider.has_device, provider.interval = True, 2
    provider.pending = ["slow_down", "authorization_pending", "slow_down"]
    provider.refusals = [(503, "server_error")]
    assert takmail("login", "--config", config).exit_code == 0
    assert pauses == [2, 4, 9, 9, 14]


@pytest.mark.parametrize(
    ("error", "words"),
    [
        ("access_denied", "refuses: access_denied: Refused: nothing; run `takmail login`"),
        ("expired_token", "refuses: expired_token"),
        ("invalid_client", "check `client_id` and `client_secret` in [oauth]"),
    ],
)
def test_a_code_that_is_refused_ends_the_login(
    config: Path, provider: TokenServer, error: str, words: str
) -> None:
    provider.has_device, provider.pending = True, ["authorization_pending", error]
    result = takmail("login", "--config", config)
    assert result.exit_code == 1
    assert words in result.stderr
    assert not config.with_name("takmail.token").exists()


@pytest.mark.parametrize(
    ("interval", "life"),
    [("x", 60), ([], 60), (float("nan"), 60), (5, "soon"), (5, None), (5, float("inf")), (5, 10**400)],
)
def test_a_provider_whose_numbers_make_no_sense_is_told(
    config: Path, provider: TokenServer, interval: Any, life: Any
) -> None:
    provider.has_device, provider.interval, provider.device_life = True, interval, life
    result = takmail("login", "--config", config)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "not OAuth 2" in result.stderr


@pytest.mark.parametrize("interval", [0, -1, 10**12])
def test_the_pauses_are_never_none_and_never_long(
    config: Path, provider: TokenServer, interval: Any, pauses: list[float]
) -> None:
    provider.has_device, provider.interval = True, interval
    provider.refusals = [(503, "server_error")] * 9
    assert takmail("login", "--config", config).exit_code == 0
    assert len(pauses) == 10
    assert (min(pauses) >= 1, max(pauses)) == (True, 60)


def test_a_code_that_nobody_types_expires(config: Path, provider: TokenServer) -> None:
    provider.has_device, provider.device_life, provider.pending = (
        True,
        0.05,
        ["authorization_pending"] * 10_000,
    )
    result = takmail("login", "--config", config)
    assert (result.exit_code, result.stderr) == (
        1,
        "Error: the code has expired; run `takmail login`\n",
    )


def test_a_login_without_a_refresh_token_is_of_no_use(config: Path, provider: TokenServer) -> None:
    provider.has_device, provider.gives_refresh_tokens = True, False
    result = takmail("login", "--config", config)
    assert result.exit_code == 1
    assert "has sent no refresh token; check `scope` in [oauth]" in result.stderr
    assert not config.with_name("takmail.token").exists()


# By a browser.


class Login:
    """A running `takmail login`."""

    def __init__(self, process: Dialogue) -> None:
        self.process = process
        self.told = ""
        self.page = self.said(r"http://127\.0\.0\.1:\d+/tenant/authorize\?\S+")
        self.query = dict(parse_qsl(urlsplit(self.page).query))

    def said(self, pattern: str) -> str:
        """Wait until the command prints something, and return it."""
        while (found := re.search(pattern, self.told)) is None:
            line = self.process.stdout.readline()
            assert line, self.told
            self.told += line
        return found[0]

    def redirected(self) -> str:
        """The address to which the provider sends the browser."""

        class Stay(HTTPErrorProcessor):
            def http_response(self, _: object, response: object) -> object:
                return response

            https_response = http_response  # type: ignore[assignment]

        with build_opener(Stay).open(self.page) as response:
            return str(response.headers["Location"])

    def ended(self) -> int:
        said, code = self.process.ended()
        self.told += said
        return code


@contextmanager
def logging_in(config: Path, *, has_stdin: bool = True) -> Iterator[Login]:
    with closing(Dialogue("login", "--config", str(config), has_stdin=has_stdin)) as process:
        yield Login(process)


@pytest.mark.parametrize("has_stdin", [True, False])
def test_a_browser_brings_the_code(config: Path, provider: TokenServer, has_stdin: bool) -> None:
    with logging_in(config, has_stdin=has_stdin) as login:
        assert login.query["login_hint"] == TAK
        assert login.query["scope"] == "mail offline_access"
        assert login.query["code_challenge_method"] == "S256"
        with urlopen(login.redirected()) as page:
            assert b"close this page" in page.read()
        assert login.ended() == 0
    check_tokens(config, provider, login.told)


def test_an_address_with_a_slash_at_its_end_is_the_same(config: Path, provider: TokenServer) -> None:
    provider.has_device = True
    result = takmail("login", f"{provider.issuer}/", "--config", config)
    assert (result.exit_code, result.stderr) == (0, "")
    check_tokens(config, provider, result.stdout)


def test_the_address_can_be_pasted(config: Path, provider: TokenServer) -> None:
    with logging_in(config) as login:
        login.said("paste the address")
        login.process.stdin.write(f"  {login.redirected()}\r\n")
        login.process.stdin.flush()
        assert login.ended() == 0
    check_tokens(config, provider, login.told)


def test_another_address_is_not_taken(config: Path, provider: TokenServer) -> None:
    with logging_in(config) as login:
        forged = f"{login.query['redirect_uri']}?{urlencode({'code': 'mine', 'state': 'guessed'})}"
        for address in (forged, login.query["redirect_uri"]):
            with urlopen(address) as page:
                page.read()
        login.process.stdin.write(f"\nwhat?\n{forged}\n")
        login.process.stdin.flush()
        login.said(r"(?s)(Try again:.*){4}")
        urlopen(login.redirected()).close()
        assert login.ended() == 0
    check_tokens(config, provider, login.told)
    assert not any(form.get("code") == "mine" for _, form in provider.asked)


def test_a_refusal_of_the_person_is_told(config: Path) -> None:
    with logging_in(config) as login:
        answer = {"error": "access_denied", "state": login.query["state"]}
        urlopen(f"{login.query['redirect_uri']}?{urlencode(answer)}").close()
        assert login.ended() == 1
    assert "access_denied" in login.told
    assert "run `takmail login`" in login.told
    assert "Traceback" not in login.told


def test_it_can_be_broken_off(config: Path) -> None:
    with logging_in(config) as login:
        login.process.interrupt()
        assert login.ended() == 1
    assert login.told.endswith("Aborted!\n")
    assert not config.with_name("takmail.token").exists()


# The provider.


@pytest.mark.parametrize("name", ["google", "outlook.com"])
def test_another_provider_than_that_of_the_settings_is_no_login(
    config: Path, provider: TokenServer, name: str
) -> None:
    result = takmail("login", name, "--config", config)
    assert result.exit_code == os.EX_CONFIG
    assert result.stderr == f'{config}: [oauth] provider: is "{provider.issuer}", and not "{name}"\n'


@pytest.mark.parametrize("more", ["", '[oauth]\nprovider = "google"\nclient_id = "x"\n'])
def test_without_oauth_it_is_told_what_to_write(tmp_path: Path, more: str) -> None:
    result = takmail("login", "outlook.com", "--config", config_file(tmp_path, more=more))
    assert result.exit_code == os.EX_CONFIG
    assert '[imap] and [smtp] with auth = "oauth2", and for [oauth]' in result.stderr
    assert "outlook.com" not in result.stderr


def test_a_provider_cant_control_the_terminal(config: Path, provider: TokenServer) -> None:
    provider.has_device, provider.user_code = True, "A\x1b]0;evil\x07"
    result = takmail("login", "--config", config)
    assert "type the code A\ufffd]0;evil\ufffd, and" in result.stdout
    provider.name = "/\x1b[31m"
    assert "\x1b" not in takmail("login", "--config", config).stderr


def test_a_network_that_is_away_is_told_as_such(config: Path) -> None:
    config.write_text(config.read_text().replace("http://127.0.0.1", "https://nowhere.invalid"))
    result = takmail("login", "--config", config)
    assert "check this machine's network" in result.stderr


def test_an_address_that_is_no_provider_is_told(config: Path, provider: TokenServer) -> None:
    config.write_text(config.read_text().replace("/tenant", "/nobody"))
    result = takmail("login", "--config", config)
    assert result.exit_code == 1
    words = f"127.0.0.1:{provider.port} gave an answer that is not OAuth 2; check `provider` in [oauth]"
    assert result.stderr == f"Error: {words}\n"
    asked = [path for path, _ in provider.asked]
    assert asked == [
        "/nobody/.well-known/openid-configuration",
        "/.well-known/oauth-authorization-server/nobody",
    ]


def test_the_second_address_of_a_providers_settings_is_looked_at(config: Path, provider: TokenServer) -> None:
    config.write_text(config.read_text().replace("/tenant", "/other"))
    provider.has_device, provider.name, answer = True, "/other", provider.answer

    def moved(path: str, query: dict[str, str], form: dict[str, str]) -> object:
        wanted = "/tenant/.well-known/openid-configuration"
        return answer(
            wanted if path == "/.well-known/oauth-authorization-server/other" else path, query, form
        )

    provider.answer = moved  # type: ignore[assignment, method-assign]
    assert takmail("login", "--config", config).exit_code == 0


def test_a_provider_that_speaks_for_another_is_not_taken(config: Path, provider: TokenServer) -> None:
    provider.name = "/elsewhere"
    result = takmail("login", "--config", config)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "/elsewhere; check `provider` in [oauth]" in result.stderr


@pytest.mark.parametrize("name", OAUTH_PROVIDERS)
def test_the_known_providers_are_asked_for_mail_and_for_a_token_that_lasts(name: str) -> None:
    provider = OAUTH_PROVIDERS[name]
    assert all(
        url.startswith("https://") for url in (provider.token, provider.page, provider.device or "https://")
    )
    assert "mail" in provider.scope or "IMAP" in provider.scope
    assert "offline_access" in provider.scope.split() or provider.extra["access_type"] == "offline"


# What check-config and status say of it.


def test_missing_and_refused_tokens_are_told_without_the_network(config: Path, provider: TokenServer) -> None:
    file = config.with_name("takmail.token")
    result = takmail("check-config", "--config", config)
    assert result.stderr.splitlines() == [
        f"{config}: [oauth] token_file: {file} can't be read (No such file or directory); run `takmail login`"
    ]
    provider.has_device = True
    takmail("login", "--config", config)
    assert takmail("check-config", "--config", config).exit_code == 0
    takmail("player", "list", "--config", config)
    assert "takmail login" not in takmail("status", "--config", config).stdout
    oauth = load(config).oauth
    assert oauth is not None
    OwnTokens(oauth).note(OwnTokens(oauth).current(), is_accepted=False)
    assert "the last login with" in takmail("check-config", "--config", config).stderr
    status = takmail("status", "--config", config).stdout.splitlines()[0]
    assert "the login with OAuth 2 is refused; run `takmail login`" in status


def test_a_folder_in_which_tokens_cant_be_renewed_is_told(
    config: Path, provider: TokenServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider.has_device = True
    takmail("login", "--config", config)
    monkeypatch.setattr("os.access", lambda path, _: path != config.parent)
    result = takmail("check-config", "--config", config)
    assert (
        f"[oauth] token_file: takmail can't write to {config.parent}, and renewed tokens belong there"
        in result.stderr
    )


@pytest.mark.parametrize(("key", "name"), [("token_file", "takmail.token"), ("client_secret", "config.toml")])
def test_a_secret_of_oauth_that_others_can_read_is_told(
    config: Path, provider: TokenServer, key: str, name: str
) -> None:
    provider.has_device = True
    takmail("login", "--config", config)
    file = config.with_name(name)
    file.chmod(0o644)
    result = takmail("check-config", "--config", config)
    assert f"[oauth] {key}: others can read it in {file}; run `chmod 600 {file}`" in result.stderr
    assert SECRET not in result.stderr
