"""What every mail account needs before a password may go out: a safe way to the server, or why there is none."""

import errno
import socket
import ssl
from ipaddress import ip_address

# What OpenSSL makes of an answer that isn't TLS at all.
_NO_TLS = frozenset(
    {"WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG", "UNKNOWN_PROTOCOL"}
)


class NoGreeting(TimeoutError):  # noqa: N818  (it says what happened)
    """The server took the connection and then said nothing."""


def is_loopback(host: str) -> bool:
    """Whether `host` names this very machine, so that nobody stands between it and us."""
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def require_safe(protocol: str, host: str, tls: str) -> None:
    """Refuse a password in the clear over a network.

    Raises ValueError, with a sentence for the operator, where `tls` is "none" and `host` is another machine.
    """
    if tls == "none" and not is_loopback(host):
        raise ValueError(
            f"{protocol} without TLS is only for a server on this machine; {host} is not. Choose another tls."
        )


def tls_context(ca_file: str | None) -> ssl.SSLContext:
    """A context that checks the server's certificate and name, against `ca_file` alone where one is given.

    Raises OSError if `ca_file` can't be read or is no certificate.
    """
    return ssl.create_default_context(cafile=ca_file)


def explained(error: BaseException) -> str:
    """Why there is no connection, as a hint for the operator; in the error's own words where none are known."""
    while isinstance(error.__cause__, OSError):
        error = error.__cause__
    match error:
        case _ if _is_refusal(error):
            return "nobody answers at that port; is it the right one, and is the server running?"
        case socket.gaierror():
            return f"the name of the host can't be looked up ({error.strerror}); is it spelled right?"
        case NoGreeting():
            return "no greeting from the server; is this the right port, and one for the chosen tls?"
        case TimeoutError():
            return "no answer in time; are the host and the port right?"
        case ssl.SSLCertVerificationError():
            reason = error.verify_message
            return f"the server's certificate is not trusted: {reason}; ca_file names the authority to trust"
        case ssl.SSLError() if error.reason in _NO_TLS:
            return "the server doesn't speak TLS at this port; try another port or another tls"
    return str(error) or type(error).__name__


def _is_refusal(error: BaseException) -> bool:
    # A name with several addresses may give one error for all of them, without a number of its own.
    several = isinstance(error, OSError) and str(error).startswith("Multiple exceptions")
    return isinstance(error, ConnectionRefusedError) or (
        several and f"[Errno {errno.ECONNREFUSED}]" in str(error)
    )
