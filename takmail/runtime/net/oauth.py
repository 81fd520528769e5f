"""Ask an OAuth 2 provider for tokens (RFC 6749), and keep them in a file.

The first ones need a person in front of a browser. Where the provider has it, the person types a code on its page
(device authorization, RFC 8628). Otherwise the provider sends the browser to a port of this machine (RFC 8252), with a
code that PKCE protects (RFC 7636). A browser on another machine finds no page there, and the person pastes its address.

oauthlib makes the requests and reads the answers.
The functions block, so that a service calls them in a thread. oauthlib is imported where it is used, as it takes 90 ms.
"""

import json
import os
import re
import secrets
import select
import socket
import ssl
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from threading import Timer
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from pydantic import TypeAdapter

from takmail.config import OAuthSettings
from takmail.config.private_files import locked_folder, replace_privately
from takmail.config.providers import OAUTH_PROVIDERS, OAuthProvider
from takmail.config.servers import require_https
from takmail.runtime.net.login_errors import without_secrets
from takmail.store.machine_time import TimeSource

LOG_IN = "run `takmail login`"
"""The advice if the provider no longer accepts the refresh token."""

LONGEST_WAIT = 15  # seconds; a service that stops waits as long
"""How long a provider or a program may take for an answer, in seconds."""

TOKEN = re.compile(r"[\x21-\x7e]+")
"""The characters of an access token (RFC 6749 §A.12), without the blank, which no mail server accepts in one."""

_MAX_BYTES = 256 * 1024
_MAX_SHOWN = 300  # characters of an error message
# RFC 6749 names them only for the first page (§4.1.2.1), and some providers answer so here, too.
_TEMPORARY = frozenset({"temporarily_unavailable", "server_error"})
_CHECK_CLIENT = "check `client_id` and `client_secret` in [oauth]"
_ADVICE = {
    # Microsoft: a client of one tenant was used with the address for all of them.
    "AADSTS50194": 'set `provider` in [oauth] to "https://login.microsoftonline.com/TENANT/v2.0", with a'
    " `scope` (docs/oauth.md)",
    "invalid_client": _CHECK_CLIENT,  # RFC 6749 §5.2
    "unauthorized_client": _CHECK_CLIENT,
}
"""The advice by a part of a provider's refusal, if a new login is of no use. The first matching part counts."""

_SECRETS = frozenset({"client_secret", "code", "code_verifier", "device_code", "refresh_token"})
_OPAQUE = re.compile(r"[\w.~+/=-]{40,}", re.ASCII)
"""What may be a token: a long word of the characters that tokens have (RFC 6750 §2.1)."""

_USUAL_LIFE = 3_600  # seconds, if the provider doesn't tell how long an access token is valid
_LONGEST_LIFE = 365 * 24 * 3_600  # seconds
_LONGEST_MARGIN = 300  # seconds

_ANSWER_BYTES = 64 * 1024
_LONGEST_PAUSE = 60  # seconds between two questions whether the person has logged in
_BROWSER_SECONDS = 5  # for one that connects and asks nothing
_PAGE = (
    b"HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\n"
    b"takmail has the answer, and says in its terminal how to go on. You can close this page.\n"
)
_LONGER = {"authorization_pending": 0, "slow_down": 5}
"""The answers of RFC 8628 §3.5 that mean to ask again, and the seconds by which the pauses grow."""


class TokenError(ConnectionError):
    """There is no access token. The message is for the operator, and contains no secret.

    If `code` is not '', a retry is useless until the operator acts. From a provider it is that of RFC 6749 §5.2.
    """

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens for a mailbox.

    `endpoint` is the address that renews them. From `renew_at` on, in Unix time, the access token is to be renewed.
    If `refused_since` is not 0, a mail server has refused them since then. If there is no access token either, the
    provider has refused to renew them.
    """

    endpoint: str
    refresh_token: str = field(repr=False)
    access_token: str = field(repr=False)
    renew_at: float
    refused_since: float = 0


_FORMAT = TypeAdapter(Tokens)


def read_tokens(file: Path) -> Tokens:
    """Return the tokens in a file. Raises TokenError with what the operator can do."""
    try:
        return _FORMAT.validate_json(file.read_bytes())
    except OSError as error:
        problem = f"can't be read ({error.strerror})"
    except ValueError:
        problem = "is damaged"
    raise TokenError(f"{file} {problem}; {LOG_IN}", "no_tokens")


def write_tokens(file: Path, tokens: Tokens, room: int = 0) -> None:
    """Write the tokens to a file of mode 600, whatever mode it had. Raises OSError.

    With `room`, blanks make the file that long, so that the disk surely has this room for the next tokens.
    """
    replace_privately(file, _FORMAT.dump_json(tokens).decode().ljust(room))


def log_in(oauth: OAuthSettings, user: str, say: Callable[[str], object], time_source: TimeSource) -> None:
    """Log in as the mailbox's `user`, and write the tokens to the token file. `say` gets what the person is to do.

    Waits until the person has answered. Raises TokenError, whose message is for the operator, and OSError if the file
    can't be written. `takmail init` and `takmail login` call this.
    """
    provider = OAUTH_PROVIDERS.get(oauth.provider) or _looked_up(oauth.provider)
    flow = _by_code if provider.device else _by_browser
    tokens = flow(oauth, provider, user, say, time_source)
    # A service may be about to write what it makes of the old tokens.
    with locked_folder(oauth.token_file.parent):
        write_tokens(oauth.token_file, tokens)


def renew(oauth: OAuthSettings, tokens: Tokens, time_source: TimeSource) -> Tokens:
    """Return new tokens for the refresh token. Raises TokenError."""
    from oauthlib.oauth2 import WebApplicationClient

    body = WebApplicationClient(oauth.client_id).prepare_refresh_body(
        refresh_token=tokens.refresh_token, client_id=oauth.client_id, client_secret=oauth.client_secret
    )
    return _ask_for_tokens(tokens.endpoint, body, time_source, tokens.refresh_token)


def _ask_for_tokens(endpoint: str, body: str, time_source: TimeSource, refresh_token: str = "") -> Tokens:
    """Return the tokens for the body of a token request. Raises TokenError.

    If the provider sends no refresh token, the given one stays valid. Without any, the tokens are of no use.
    """
    from oauthlib.oauth2 import WebApplicationClient

    answer = _ask(endpoint, {"access_token"}, body)
    with _understood(endpoint):
        token = WebApplicationClient("").parse_request_body_response(json.dumps(answer))
        life = min(max(int(token.get("expires_in") or _USUAL_LIFE), 0), _LONGEST_LIFE)
        kept = token.get("refresh_token") or refresh_token
        if not TOKEN.fullmatch(token["access_token"]) or not isinstance(kept, str):
            raise ValueError
    if not kept:
        server = urlsplit(endpoint).netloc
        raise TokenError(f"{server} has sent no refresh token; check `scope` in [oauth]", "no_refresh_token")
    renew_at = time_source().timestamp() + life - min(life / 4, _LONGEST_MARGIN)
    return Tokens(endpoint, kept, token["access_token"], renew_at)


def _ask(url: str, needed: Set[str], body: str | None = None) -> Mapping[str, Any]:
    """Return the provider's answer: JSON with a text for each needed key. A body is posted. Raises TokenError."""
    server = urlsplit(url).netloc
    try:
        require_https(url, "an address of the provider is not https://")
        status, reason, text = _exchange(url, body)
    except OSError as error:
        raise TokenError(f"{server}: {error.strerror or error}; check this machine's network") from None
    except (HTTPException, ValueError) as error:
        raise TokenError(f"{server}: {_shown(str(error))}") from None
    if status >= 500 or status == 429:
        raise TokenError(f"{server} answered {status} {_shown(reason)}")
    with _understood(url):
        answer: Mapping[str, Any] = json.loads(text)
        code = str(answer.get("error") or "")
        if not code and not all(isinstance(answer[key], str) for key in needed):
            raise ValueError
    if code:
        sent = [value for name, value in parse_qsl(body or "") if name in _SECRETS]
        said = _shown(f"{code}: {answer.get('error_description') or 'no reason given'}", *sent)
        if code in _TEMPORARY:
            raise TokenError(f"{server} answered {said}")
        advice = next((advice for words, advice in _ADVICE.items() if words in said), LOG_IN)
        raise TokenError(f"{server} refuses: {said}; {advice}", code)
    return answer


def _exchange(url: str, body: str | None) -> tuple[int, str, bytes]:
    """Return the status of a provider's answer, the words for it, and the content. No redirection is followed.

    Raises OSError and HTTPException.
    """
    parts = urlsplit(url)
    connection = (
        HTTPConnection(parts.netloc, timeout=LONGEST_WAIT)
        if parts.scheme == "http"
        else HTTPSConnection(parts.netloc, timeout=LONGEST_WAIT, context=ssl.create_default_context())
    )
    headers = {"Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded"}
    with closing(connection):
        connection.connect()
        # The connection's time limit is for each byte, and a server could send one now and then.
        timer, end = Timer(LONGEST_WAIT, _shut_down, [connection.sock]), time.monotonic() + LONGEST_WAIT
        timer.start()
        try:
            page = parts._replace(scheme="", netloc="").geturl()
            connection.request("GET" if body is None else "POST", page or "/", body, headers)
            with connection.getresponse() as response:
                return response.status, response.reason, response.read(_MAX_BYTES)
        finally:
            timer.cancel()
            if time.monotonic() >= end:
                raise TimeoutError(f"the answer has taken more than {LONGEST_WAIT} s")


def _shut_down(connected: socket.socket) -> None:
    with suppress(OSError):
        socket.socket.shutdown(connected, socket.SHUT_RDWR)


@contextmanager
def _understood(url: str) -> Iterator[None]:
    """Raise TokenError if the block finds something in an answer from this address that is not OAuth 2."""
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        words = "gave an answer that is not OAuth 2; check `provider` in [oauth]"
        raise TokenError(f"{urlsplit(url).netloc} {words}") from None


def _shown(text: str, *hidden: str) -> str:
    """Return the first line of another program's message for the operator, without what is or may be a secret."""
    line = next(iter(without_secrets(text, *hidden).strip().splitlines()), "")
    return _OPAQUE.sub("…", "".join(filter(str.isprintable, line)))[:_MAX_SHOWN]


def _looked_up(issuer: str) -> OAuthProvider:
    """Return what a provider tells of itself: OpenID Connect Discovery 1.0 §4, RFC 8414 §3. Raises TokenError."""
    path = urlsplit(issuer).path
    needed = {"token_endpoint", "authorization_endpoint"}
    try:
        facts = _ask(f"{issuer}/.well-known/openid-configuration", needed)
    except TokenError:
        facts = _ask(f"{issuer.removesuffix(path)}/.well-known/oauth-authorization-server{path}", needed)
    name = str(facts.get("issuer", issuer))
    if name.rstrip("/") != issuer:
        raise TokenError(f"the provider's own address is {name}; check `provider` in [oauth]")
    return OAuthProvider(
        facts["token_endpoint"], facts["authorization_endpoint"], facts.get("device_authorization_endpoint")
    )


def _by_code(
    oauth: OAuthSettings,
    provider: OAuthProvider,
    user: str,
    say: Callable[[str], object],
    time_source: TimeSource,
) -> Tokens:
    """Show a code that the person types on the provider's page, and ask until that is done (RFC 8628)."""
    from oauthlib.oauth2 import DeviceClient

    scope = oauth.scope or provider.scope
    needed = {"device_code", "user_code", "verification_uri"}
    facts = _ask(str(provider.device), needed, urlencode({"client_id": oauth.client_id, "scope": scope}))
    with _understood(str(provider.device)):
        pause = min(max(int(facts.get("interval", 5)), 1), _LONGEST_PAUSE)
        end = time.monotonic() + int(facts["expires_in"])
    page, code = facts["verification_uri"], facts["user_code"]
    say(f"Open {page} in a browser on any machine, type the code {code}, and log in as {user}.")
    body = DeviceClient(oauth.client_id).prepare_request_body(
        facts["device_code"], include_client_id=True, client_secret=oauth.client_secret
    )
    while time.monotonic() < end:
        time.sleep(pause)
        try:
            return _ask_for_tokens(provider.token, body, time_source)
        except TokenError as error:
            if error.code and error.code not in _LONGER:
                raise
            pause = min(pause + _LONGER.get(error.code, pause), _LONGEST_PAUSE)
    raise TokenError(f"the code has expired; {LOG_IN}", "expired_token")


def _by_browser(
    oauth: OAuthSettings,
    provider: OAuthProvider,
    user: str,
    say: Callable[[str], object],
    time_source: TimeSource,
) -> Tokens:
    """Send the person to the provider's page, and take the code that comes back (RFC 8252 §7.3)."""
    from oauthlib.oauth2 import OAuth2Error, WebApplicationClient

    client, state = WebApplicationClient(oauth.client_id), secrets.token_urlsafe(32)
    verifier = client.create_code_verifier(64)
    scheme, _, page = provider.page.partition(":")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        back = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        address = client.prepare_request_uri(
            f"https:{page}",  # the library accepts nothing else
            redirect_uri=back,
            scope=oauth.scope or provider.scope,
            state=state,
            code_challenge=client.create_code_challenge(verifier, "S256"),
            code_challenge_method="S256",
            login_hint=user,
            **provider.extra,
        )
        say(
            f"Open this address in a browser, and log in as {user}:\n\n{scheme}:{address.partition(':')[2]}\n"
        )
        say(
            "If the browser can't show the page at 127.0.0.1 that follows, paste the address of that page here:"
        )
        for answer in _answers(listener):
            try:
                found = client.parse_request_uri_response(f"https://{answer.partition('//')[2]}", state)
            except OAuth2Error as error:
                if error.error != "mismatching_state":
                    raise TokenError(f"{_shown(str(error))}; {LOG_IN}", str(error.error)) from None
                say("This is not the address that the provider has sent you to. Try again:")
            else:
                break
    body = client.prepare_request_body(
        found["code"], back, code_verifier=verifier, client_secret=oauth.client_secret
    )
    return _ask_for_tokens(provider.token, body, time_source)


def _answers(listener: socket.socket) -> Iterator[str]:
    """Yield the addresses that a browser opens here or that a person pastes, in the order in which they come."""
    sources: list[Any] = [listener, *filter(None, [sys.stdin])]
    while True:
        ready, _, _ = select.select(sources, [], [])
        if listener in ready:
            with suppress(OSError), listener.accept()[0] as browser:
                browser.settimeout(_BROWSER_SECONDS)
                request = browser.recv(_ANSWER_BYTES)
                browser.sendall(_PAGE)
                words = request.decode(errors="replace").split()
                yield f"//127.0.0.1{''.join(words[1:2])}"
        elif pasted := os.read(sys.stdin.fileno(), _ANSWER_BYTES):
            yield from pasted.decode(errors="replace").split()
        else:
            sources.remove(sys.stdin)  # it has ended, or never was
