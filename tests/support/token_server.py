"""An OAuth 2 provider on loopback, for tests: it gives, renews and revokes tokens, and refuses on demand."""

import hashlib
import json
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from threading import Lock, Thread
from typing import Any, Self
from urllib.parse import parse_qsl, urlencode, urlsplit

CLIENT = "takmail-client"
SECRET = "hush-client-secret"


@dataclass
class TokenServer:
    """What the provider does, for a test to change, and what it was asked.

    `name` is the path of the address that it calls its own. `life` is that of an access token in seconds. With
    `rotates`, a refresh token is good for one renewal. `refusals` are the next answers to a request for tokens: a
    status, an error, and maybe what it means. With `has_device`, it offers device authorization; the next polls get the
    errors of `pending` first. `users` has the mailbox of each valid access token.
    """

    port: int = 0
    user: str = "tak@example.org"
    name: str = "/tenant"
    user_code: str = "ABCD-EFGH"
    life: float | str | None = 60
    rotates: bool = False
    gives_refresh_tokens: bool = True
    has_device: bool = False
    interval: float = 0
    device_life: float = 60
    refusals: list[tuple[int, *tuple[str, ...]]] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)
    users: dict[str, str] = field(default_factory=dict)
    refresh_tokens: dict[str, str] = field(default_factory=dict)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    given: list[str] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=count)
    _lock: Lock = field(default_factory=Lock)

    @property
    def issuer(self) -> str:
        return f"http://127.0.0.1:{self.port}/tenant"

    @property
    def renewals(self) -> int:
        """How often an access token was asked for with a refresh token, refusals included."""
        return sum(form.get("grant_type") == "refresh_token" for _, form in self.asked)

    def secrets(self) -> set[str]:
        """All that nobody may read in a log: each token and code that was ever given."""
        return {*self.given, SECRET}

    def revoke_access(self) -> None:
        """Let no access token be accepted any more, whatever its life."""
        self.users.clear()

    def revoke_all(self) -> None:
        """Let a new login be necessary."""
        self.users.clear()
        self.refresh_tokens.clear()

    def new_refresh_token(self, user: str = "") -> str:
        """A refresh token, as an earlier login has brought it."""
        token = self._new("refresh")
        self.refresh_tokens[token] = user or self.user
        return token

    def new_access_token(self, user: str = "") -> str:
        token = self._new("access")
        self.users[token] = user or self.user
        return token

    def _new(self, kind: str) -> str:
        token = f"{kind}-token-{next(self._numbers)}"
        self.given.append(token)
        return token

    def answer(
        self, path: str, query: dict[str, str], form: dict[str, str]
    ) -> tuple[int, dict[str, Any] | str | bytes]:
        """The status, and the JSON, as bytes if it is odd, or the address to go to."""
        with self._lock:
            self.asked.append((path, form or query))
            match path:
                case "/tenant/.well-known/openid-configuration":
                    return 200, self._document()
                case "/tenant/authorize":
                    return 302, self._authorized(query)
                case "/tenant/device":
                    return self._device()
                case "/tenant/token":
                    return self._tokens(form)
                case "/introspect":
                    user = self.users.get(form.get("token", query.get("token", "")))
                    return 200, {"active": user is not None, "email": user or "", "scope": "mail"}
            return 404, {"message": "there is nothing here"}

    def _document(self) -> dict[str, Any]:
        facts = {name: f"{self.issuer}/{name.partition('_')[0]}" for name in ("token_endpoint",)}
        facts |= {
            "issuer": self.issuer.replace("/tenant", self.name),
            "authorization_endpoint": f"{self.issuer}/authorize",
        }
        if self.has_device:
            facts["device_authorization_endpoint"] = f"{self.issuer}/device"
        return facts

    def _authorized(self, query: dict[str, str]) -> str:
        code = self._new("code")
        self.codes[code] = query
        return f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}"

    def _device(self) -> tuple[int, dict[str, Any]]:
        code = self._new("device")
        self.codes[code] = {}
        facts = {"device_code": code, "user_code": self.user_code, "verification_uri": f"{self.issuer}/type"}
        return 200, {**facts, "expires_in": self.device_life, "interval": self.interval}

    def _tokens(self, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
        if self.refusals:
            status, error, *description = self.refusals.pop(0)
            return status, _error(error, form, *description)
        if form.get("client_id") != CLIENT:
            return 401, _error("invalid_client", form)
        match form.get("grant_type"):
            case "refresh_token":
                user = self.refresh_tokens.get(form["refresh_token"])
                if user is not None and self.rotates:
                    del self.refresh_tokens[form["refresh_token"]]
                return self._given(user, form, with_refresh_token=self.rotates)
            case "authorization_code":
                wanted = self.codes.pop(form["code"], {}).get("code_challenge")
                digest = hashlib.sha256(form["code_verifier"].encode()).digest()
                is_right = wanted == urlsafe_b64encode(digest).decode().rstrip("=")
                return self._given(self.user if is_right else None, form)
            case "urn:ietf:params:oauth:grant-type:device_code":
                if self.pending:
                    return 400, _error(self.pending.pop(0), form)
                is_right = self.codes.pop(form["device_code"], None) is not None
                return self._given(self.user if is_right else None, form)
        return 400, _error("unsupported_grant_type", form)

    def _given(
        self, user: str | None, form: dict[str, str], *, with_refresh_token: bool = True
    ) -> tuple[int, dict[str, Any]]:
        if user is None:
            return 400, _error("invalid_grant", form)
        tokens: dict[str, Any] = {"access_token": self.new_access_token(user), "token_type": "Bearer"}
        if self.life is not None:
            tokens["expires_in"] = self.life
        if with_refresh_token and self.gives_refresh_tokens:
            tokens["refresh_token"] = self.new_refresh_token(user)
        return 200, tokens

    @contextmanager
    def running(self) -> Iterator[Self]:
        """Serve until the end of the block, at a port of its own."""
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                parts = urlsplit(self.path)
                self._reply(parts.path, dict(parse_qsl(parts.query)), {})

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
                self._reply(urlsplit(self.path).path, {}, dict(parse_qsl(body)))

            def _reply(self, path: str, query: dict[str, str], form: dict[str, str]) -> None:
                status, answer = provider.answer(path, query, form)
                body = json.dumps(answer).encode() if isinstance(answer, dict) else b""
                body = answer if isinstance(answer, bytes) else body
                self.send_response(status)
                if isinstance(answer, str):
                    self.send_header("Location", answer)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = server.server_port
        thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            server.shutdown()
            thread.join()
            server.server_close()


def _error(code: str, form: dict[str, str], description: str = "Refused") -> dict[str, str]:
    """An error that repeats what was sent, as some providers do."""
    sent = form.get("refresh_token") or form.get("code") or "nothing"
    return {"error": code, "error_description": f"{description}: {sent}\r\nTrace ID: 0"}
