"""Ask an OAuth 2 provider for tokens (RFC 6749). oauthlib makes the requests and reads the answers.

The functions block, so that a service calls them in a thread. oauthlib is imported where it is used, as it takes 90 ms.
"""

import json
import re
import socket
import ssl
import time
from collections.abc import Iterator, Mapping, Set
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from threading import Timer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from takmail.config import OAuthSettings
from takmail.config.servers import require_https
from takmail.runtime.net.login_errors import without_secrets

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
    "AADSTS50194": 'set `provider` in [oauth] to "https://login.microsoftonline.com/TENANT/v2.0", with the `scope` of'
    " docs/operating.md",
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


def renew(oauth: OAuthSettings, tokens: Tokens) -> Tokens:
    """Return new tokens for the refresh token. Raises TokenError."""
    from oauthlib.oauth2 import WebApplicationClient

    body = WebApplicationClient(oauth.client_id).prepare_refresh_body(
        refresh_token=tokens.refresh_token, client_id=oauth.client_id, client_secret=oauth.client_secret
    )
    return ask_for_tokens(tokens.endpoint, body, tokens.refresh_token)


def ask_for_tokens(endpoint: str, body: str, refresh_token: str = "") -> Tokens:
    """Return the tokens for the body of a token request. Raises TokenError.

    If the provider sends no refresh token, the given one stays valid. Without any, the tokens are of no use.
    """
    from oauthlib.oauth2 import WebApplicationClient

    answer = ask(endpoint, {"access_token"}, body)
    with understanding(endpoint):
        token = WebApplicationClient("").parse_request_body_response(json.dumps(answer))
        life = min(max(int(token.get("expires_in") or _USUAL_LIFE), 0), _LONGEST_LIFE)
        kept = token.get("refresh_token") or refresh_token
        if not TOKEN.fullmatch(token["access_token"]) or not isinstance(kept, str):
            raise ValueError
    if not kept:
        server = urlsplit(endpoint).netloc
        raise TokenError(f"{server} has sent no refresh token; check `scope` in [oauth]", "no_refresh_token")
    renew_at = time.time() + life - min(life / 4, _LONGEST_MARGIN)
    return Tokens(endpoint, kept, token["access_token"], renew_at)


def ask(url: str, needed: Set[str], body: str | None = None) -> Mapping[str, Any]:
    """Return the provider's answer: JSON with a text for each needed key. A body is posted. Raises TokenError."""
    server = urlsplit(url).netloc
    try:
        require_https(url, "an address of the provider is not https://")
        status, reason, text = _exchange(url, body)
    except (OSError, HTTPException, ValueError) as error:
        raise TokenError(f"{server}: {shown(str(error))}") from None
    if status >= 500 or status == 429:
        raise TokenError(f"{server} answered {status} {shown(reason)}")
    with understanding(url):
        answer: Mapping[str, Any] = json.loads(text)
        code = str(answer.get("error") or "")
        if not code and not all(isinstance(answer[key], str) for key in needed):
            raise ValueError
    if code:
        secrets = [value for name, value in parse_qsl(body or "") if name in _SECRETS]
        said = shown(f"{code}: {answer.get('error_description') or 'no reason given'}", *secrets)
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
        alarm, end = Timer(LONGEST_WAIT, _shut_down, [connection.sock]), time.monotonic() + LONGEST_WAIT
        alarm.start()
        try:
            page = parts._replace(scheme="", netloc="").geturl()
            connection.request("GET" if body is None else "POST", page or "/", body, headers)
            response = connection.getresponse()
            return response.status, response.reason, response.read(_MAX_BYTES)
        finally:
            alarm.cancel()
            if time.monotonic() >= end:
                raise TimeoutError(f"the answer has taken more than {LONGEST_WAIT} s")


def _shut_down(connected: socket.socket) -> None:
    with suppress(OSError):
        socket.socket.shutdown(connected, socket.SHUT_RDWR)


@contextmanager
def understanding(url: str) -> Iterator[None]:
    """Raise TokenError if the block finds something in an answer from this address that is not OAuth 2."""
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        server = urlsplit(url).netloc
        raise TokenError(
            f"{server} gave an answer that is not OAuth 2; check `provider` in [oauth]"
        ) from None


def shown(text: str, *secrets: str) -> str:
    """Return the first line of another program's message for the operator, without what is or may be a secret."""
    line = next(iter(without_secrets(text, *secrets).strip().splitlines()), "")
    return _OPAQUE.sub("…", "".join(filter(str.isprintable, line)))[:_MAX_SHOWN]
