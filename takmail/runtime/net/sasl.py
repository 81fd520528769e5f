"""Log in with an access token: XOAUTH2 (Google's and Microsoft's) and OAUTHBEARER (RFC 7628)."""

import json
from base64 import b64decode, b64encode
from collections.abc import Collection

from takmail.runtime.net.oauth import TokenError


def bearer_login(
    user: str, token: str, server: tuple[str, int], offered: Collection[str]
) -> tuple[str, str, str]:
    """Return the mechanism, the client's response, and its acknowledgement of a refusal, the last two in base64.

    `server` is its host and port. The mechanism is XOAUTH2, unless the server offers only OAUTHBEARER. A server that
    refuses sends its reason first (`reason_in`), and ends the login after the acknowledgement. Raises TokenError.
    """
    if not {"OAUTHBEARER", "XOAUTH2"} & set(offered):
        raise TokenError(
            "the server offers no login with an access token; check `host` and `auth`", "not_offered"
        )
    if "OAUTHBEARER" in offered and "XOAUTH2" not in offered:
        name = user.replace("=", "=3D").replace(",", "=2C")  # RFC 5801 §4
        words = f"n,a={name},\1host={server[0]}\1port={server[1]}\1auth=Bearer {token}\1\1"
        return "OAUTHBEARER", _base64(words), _base64("\1")
    return "XOAUTH2", _base64(f"user={user}\1auth=Bearer {token}\1\1"), ""


def reason_in(challenge: str | bytes) -> str:
    """Return the status in the reason that a server sends for a refusal, such as 'status 400', or ''.

    The challenge may have the sign of IMAP before it.
    """
    try:
        return f"status {json.loads(b64decode(challenge.split()[-1]))['status']}"
    except (ValueError, TypeError, LookupError):
        return ""


def _base64(words: str) -> str:
    return b64encode(words.encode()).decode("ascii")
