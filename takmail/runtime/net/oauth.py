"""Ask an OAuth 2 provider for tokens (RFC 6749). oauthlib makes the requests and reads the answers.

The functions block, so that a service calls them in a thread. oauthlib is imported where it is used, as it takes 90 ms.
"""

import json
import re
import ssl
import time
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.parse import parse_qsl, urlsplit
from urllib.request import Request, urlopen

from takmail.config import OAuthSettings
from takmail.config.servers import require_https
from takmail.runtime.net.login_errors import without_secrets

LOG_IN = "run `takmail login`"
"""The advice if the provider no longer accepts the refresh token."""

LONGEST_WAIT = 15  # seconds; a service that stops waits as long
"""How long a provider or a program may take for an answer, in seconds."""

_MAX_BYTES = 256 * 1024
_MAX_SHOWN = 300  # characters of an error message
# RFC 6749 names them only for the first page (§4.1.2.1), and some providers answer so here, too.
_TEMPORARY = frozenset({"temporarily_unavailable", "server_error"})
_CLIENT = frozenset({"invalid_client", "unauthorized_client"})  # RFC 6749 §5.2
_SECRETS = frozenset({"client_secret", "code", "code_verifier", "device_code", "refresh_token"})
_OPAQUE = re.compile(r"[\w.~+/=-]{40,}", re.ASCII)
"""What may be a token: a long word of the characters that tokens have (RFC 6750 §2.1)."""

_USUAL_LIFE = 3_600  # seconds, if the provider doesn't tell how long an access token is valid
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
    If `is_refused` is true, the last login with them was refused, or the provider has refused to renew them.
    """

    endpoint: str
    refresh_token: str = field(repr=False)
    access_token: str = field(repr=False)
    renew_at: float
    is_refused: bool = False


def renewed(oauth: OAuthSettings, tokens: Tokens) -> Tokens:
    """Return new tokens for the refresh token. Raises TokenError."""
    from oauthlib.oauth2 import WebApplicationClient

    body = WebApplicationClient(oauth.client_id).prepare_refresh_body(
        refresh_token=tokens.refresh_token, client_id=oauth.client_id, client_secret=oauth.client_secret
    )
    return tokens_for(tokens.endpoint, body, tokens.refresh_token)


def tokens_for(endpoint: str, body: str, refresh_token: str = "") -> Tokens:
    """Return the tokens for the body of a token request. Raises TokenError.

    If the provider sends no refresh token, the given one stays valid. Without any, the tokens are of no use.
    """
    from oauthlib.oauth2 import WebApplicationClient

    answer = asked(endpoint, {"access_token"}, body)
    try:
        token = WebApplicationClient("").parse_request_body_response(json.dumps(answer))
    except ValueError:  # of "expires_in"
        raise _not_understood(endpoint) from None
    life = token.get("expires_in") or _USUAL_LIFE
    kept = token.get("refresh_token") or refresh_token
    if not kept:
        server = urlsplit(endpoint).netloc
        raise TokenError(f"{server} has sent no refresh token; check `scope` in [oauth]", "no_refresh_token")
    renew_at = time.time() + life - min(life / 4, _LONGEST_MARGIN)
    return Tokens(endpoint, str(kept), str(token["access_token"]), renew_at)


def asked(url: str, needed: Set[str], body: str | None = None) -> Mapping[str, Any]:
    """Return the provider's answer, which is JSON and has the needed keys. A body is posted. Raises TokenError."""
    server = urlsplit(url).netloc
    request = Request(url, None if body is None else body.encode(), {"Accept": "application/json"})
    try:
        require_https(url, "an address of the provider is not https://")
        with urlopen(request, timeout=LONGEST_WAIT, context=ssl.create_default_context()) as response:
            text = response.read(_MAX_BYTES)
    except HTTPError as error:
        with error:
            text = error.read(_MAX_BYTES)
        if error.code >= 500 or error.code == 429:
            raise TokenError(f"{server} answered {error.code} {error.reason}") from None
    except (OSError, HTTPException, ValueError) as error:
        raise TokenError(f"{server}: {getattr(error, 'reason', error)}") from None
    try:
        answer = json.loads(text)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise _not_understood(url)
    if code := str(answer.get("error") or ""):
        secrets = [value for name, value in parse_qsl(body or "") if name in _SECRETS]
        said = shown(f"{code}: {answer.get('error_description') or 'no reason given'}", *secrets)
        if code in _TEMPORARY:
            raise TokenError(f"{server} answered {said}")
        advice = "check `client_id` and `client_secret` in [oauth]" if code in _CLIENT else LOG_IN
        raise TokenError(f"{server} refuses: {said}; {advice}", code)
    if not needed <= answer.keys():
        raise _not_understood(url)
    return answer


def shown(text: str, *secrets: str) -> str:
    """Return the first line of another program's message for the operator, without what is or may be a secret."""
    line = next(iter(without_secrets(text, *secrets).strip().splitlines()), "")
    return _OPAQUE.sub("…", "".join(filter(str.isprintable, line)))[:_MAX_SHOWN]


def _not_understood(url: str) -> TokenError:
    return TokenError(
        f"{urlsplit(url).netloc} gave an answer that is not OAuth 2; check `provider` in [oauth]"
    )
