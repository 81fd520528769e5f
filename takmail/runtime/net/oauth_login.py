"""Log in to an OAuth 2 provider once, with a person in front of a browser, for tokens that takmail then renews itself.

Where the provider has it, the person types a code on its page (device authorization, RFC 8628). Otherwise the provider
sends the browser to a port of this machine (RFC 8252), with a code that PKCE protects (RFC 7636). A browser on another
machine finds no page there, and the person pastes its address.
"""

import os
import secrets
import select
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode, urlsplit

from takmail.config import OAuthSettings
from takmail.config.private_files import locked_folder
from takmail.config.providers import OAUTH_PROVIDERS, OAuthProvider
from takmail.runtime.net.access_tokens import write_tokens
from takmail.runtime.net.oauth import (
    LOG_IN,
    TokenError,
    Tokens,
    ask,
    ask_for_tokens,
    shown,
    understanding,
)

_ANSWER_BYTES = 64 * 1024
_LONGEST_PAUSE = 60  # seconds between two questions whether the person has logged in
_BROWSER_SECONDS = 5  # for one that connects and asks nothing
_PAGE = (
    b"HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\n"
    b"takmail has the answer, and says in its terminal how to go on. You can close this page.\n"
)
_LONGER = {"authorization_pending": 0, "slow_down": 5}
"""The answers of RFC 8628 §3.5 that mean to ask again, and the seconds by which the pauses grow."""


def log_in(oauth: OAuthSettings, user: str, say: Callable[[str], object]) -> None:
    """Log in as the mailbox's `user`, and write the tokens to the token file. `say` gets what the person is to do.

    Waits until the person has answered. Raises TokenError, whose message is for the operator, and OSError if the file
    can't be written. `takmail init` and `takmail login` call this.
    """
    provider = OAUTH_PROVIDERS.get(oauth.provider) or _looked_up(oauth.provider)
    flow = _by_code if provider.device else _by_browser
    tokens = flow(oauth, provider, user, say)
    with locked_folder(
        oauth.token_file.parent
    ):  # a service may be about to write what it makes of the old ones
        write_tokens(oauth.token_file, tokens)


def _looked_up(issuer: str) -> OAuthProvider:
    """Return what a provider tells of itself: OpenID Connect Discovery 1.0 §4, RFC 8414 §3. Raises TokenError."""
    path = urlsplit(issuer).path
    needed = {"token_endpoint", "authorization_endpoint"}
    try:
        facts = ask(f"{issuer}/.well-known/openid-configuration", needed)
    except TokenError:
        facts = ask(f"{issuer.removesuffix(path)}/.well-known/oauth-authorization-server{path}", needed)
    name = str(facts.get("issuer", issuer))
    if name.rstrip("/") != issuer:
        raise TokenError(f"the provider's own address is {name}; check `provider` in [oauth]")
    return OAuthProvider(
        facts["token_endpoint"], facts["authorization_endpoint"], facts.get("device_authorization_endpoint")
    )


def _by_code(
    oauth: OAuthSettings, provider: OAuthProvider, user: str, say: Callable[[str], object]
) -> Tokens:
    """Show a code that the person types on the provider's page, and ask until that is done (RFC 8628)."""
    from oauthlib.oauth2 import DeviceClient

    scope = oauth.scope or provider.scope
    needed = {"device_code", "user_code", "verification_uri"}
    facts = ask(str(provider.device), needed, urlencode({"client_id": oauth.client_id, "scope": scope}))
    with understanding(str(provider.device)):
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
            return ask_for_tokens(provider.token, body)
        except TokenError as error:
            if error.code and error.code not in _LONGER:
                raise
            pause = min(pause + _LONGER.get(error.code, pause), _LONGEST_PAUSE)
    raise TokenError(f"the code has expired; {LOG_IN}", "expired_token")


def _by_browser(
    oauth: OAuthSettings, provider: OAuthProvider, user: str, say: Callable[[str], object]
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
                    raise TokenError(f"{shown(str(error))}; {LOG_IN}", str(error.error)) from None
                say("This is not the address that the provider has sent you to. Try again:")
            else:
                break
    body = client.prepare_request_body(
        found["code"], back, code_verifier=verifier, client_secret=oauth.client_secret
    )
    return ask_for_tokens(provider.token, body)


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
