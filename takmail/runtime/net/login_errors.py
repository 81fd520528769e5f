"""Explain failed connections to a mail server: the cause, and the keys of config.toml that the operator can check."""

import errno
import re
import socket
import ssl
from base64 import b64encode
from collections.abc import Collection

# The reasons that OpenSSL gives if the server's answer is not TLS.
_NO_TLS = frozenset(
    {"WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG", "UNKNOWN_PROTOCOL"}
)

NO_PASSWORDS = 'the server accepts no passwords: set auth = "oauth2" in [{section}] (docs/providers.md)'
"""The advice if a server accepts access tokens alone."""

_OTHER_HOST = frozenset({62, 64})  # OpenSSL: the host name or the IP address does not match

_OWN_SERVER = (
    "on a server of your own, renew it (such as by `certbot renew`) and reload Dovecot or Postfix, which go on showing"
    " the old one; at a provider, wait. All goes on by itself then"
)
_OUT_OF_DATE = {  # OpenSSL's X509_V_ERR_CERT_NOT_YET_VALID and X509_V_ERR_CERT_HAS_EXPIRED
    9: f"is not valid yet: this machine's clock may be slow; else {_OWN_SERVER}",
    10: f"has expired: {_OWN_SERVER}. If `date` is wrong on this machine, set the clock",
}

# What the servers of some providers answer to a login, and the advice. Sources: learn.microsoft.com, "Deprecation of
# Basic authentication in Exchange Online" and "Enable or disable authenticated client SMTP submission";
# support.google.com/mail/answer/7126229.
_ADVICE = {
    r"SmtpClientAuthentication is disabled|security defaults": "your administrator has to allow this mailbox to send by"
    ' SMTP, with auth = "oauth2" in [{section}] (docs/providers.md)',
}
_MICROSOFTS = "LOGIN failed."
_PASSWORD_ADVICE = {
    rf"basic ?auth|5\.7\.57\b|5\.7\.(3|139) authentication unsuccessful|(?-i:\b{re.escape(_MICROSOFTS)}$)": (
        'Outlook.com and Microsoft 365 accept no passwords: set auth = "oauth2" in [{section}] (docs/providers.md)'
    ),
    r"oauth|\b(modern|legacy) auth": NO_PASSWORDS,
    r"application-specific|app(lication)? password|web ?(browser|login)|Username and Password not accepted"
    r"|Invalid credentials \(Failure\)": "this provider accepts a password that is made for programs (an app password),"
    ' or auth = "oauth2" in [{section}] (docs/providers.md)',
}
_SHORT = 6
"""The length below which a secret is replaced only as a whole word. The gaps in other words would tell it."""

_WORD = re.compile(r"[\w+/=-]{8,}", re.ASCII)


class NoGreeting(TimeoutError):  # noqa: N818  (the name says what happened)
    """The server accepted the connection but sent no greeting."""


def explained(error: BaseException, section: str) -> str:
    """Return why a connection failed, and which keys in the section of config.toml to check.

    An unknown error is returned as its own message.
    """
    while isinstance(error.__cause__, OSError):
        error = error.__cause__
    match error:
        case _ if _is_refusal(error):
            return f"connection refused; {to_check(section, 'host', 'port')}, and that the server is running"
        case socket.gaierror():
            return f"the name of the host can't be looked up ({error.strerror}); {to_check(section, 'host')}"
        case NoGreeting():
            return f"no greeting from the server; {to_check(section, 'port', 'tls')}"
        case TimeoutError():
            return f"no answer in time; {to_check(section, 'host', 'port')}"
        case ssl.SSLCertVerificationError() if error.verify_code in _OUT_OF_DATE:
            return f"the server's certificate {_OUT_OF_DATE[error.verify_code]}"
        case ssl.SSLCertVerificationError():
            reason = f"the server's certificate is not trusted: {error.verify_message.rstrip('.')}"
            return f"{reason}; {to_check(section, 'host' if error.verify_code in _OTHER_HOST else 'ca_file')}"
        case ssl.SSLError() if error.reason in _NO_TLS:
            return f"the server doesn't speak TLS at this port; {to_check(section, 'port', 'tls')}"
    return str(error) or type(error).__name__


def to_check(section: str, *keys: str) -> str:
    """Return the advice to check these keys of a section of config.toml."""
    return f"check {' and '.join(f'`{key}`' for key in keys)} in [{section}]"


def takes_only_tokens(offered: Collection[str]) -> bool:
    """Return whether a server offers to log in with an access token, and not with a password."""
    mechanisms = set(offered)
    return bool({"XOAUTH2", "OAUTHBEARER"} & mechanisms) and not {"PLAIN", "LOGIN", "CRAM-MD5"} & mechanisms


def login_advice(answer: str, section: str, fallback: str, offered: Collection[str] | None) -> str:
    """Return the advice for the operator if a server refuses the login with this answer.

    `offered` are the mechanisms that the server offers for a login, or None if it has refused an access token.
    """
    if "XOAUTH2" not in (offered or ()):
        answer = answer.removesuffix(_MICROSOFTS)  # many servers say so
    for words, advice in (_ADVICE if offered is None else _ADVICE | _PASSWORD_ADVICE).items():
        if re.search(words, answer, re.IGNORECASE):
            return advice.format(section=section)
    return fallback


def without_secrets(answer: str, *secrets: str | None, user: str = "") -> str:
    """Return a server's answer without a password or token that it repeats, maybe as SASL encodes it, or cut off."""
    for secret in filter(None, secrets):
        for form in (secret, *map(in_base64, (secret, f"\0{user}\0{secret}", f"{user}\0{user}\0{secret}"))):
            pattern = rf"(?<!\w){re.escape(form)}(?!\w)" if len(form) < _SHORT else re.escape(form)
            answer = re.sub(pattern, "…", answer)
            for word in _WORD.findall(answer):
                answer = answer.replace(word, "…") if form.startswith(word) else answer
    return answer


def in_base64(words: str) -> str:
    """Return words as SASL sends them."""
    return b64encode(words.encode()).decode("ascii")


def _is_refusal(error: BaseException) -> bool:
    # If a host has several addresses, one error without errno covers them all.
    several = isinstance(error, OSError) and str(error).startswith("Multiple exceptions")
    return isinstance(error, ConnectionRefusedError) or (
        several and f"[Errno {errno.ECONNREFUSED}]" in str(error)
    )
