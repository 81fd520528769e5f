"""Explain failed connections to a mail server, as hints for the operator."""

import errno
import socket
import ssl

# The reasons that OpenSSL gives if the server's answer is not TLS.
_NO_TLS = frozenset(
    {"WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG", "UNKNOWN_PROTOCOL"}
)


class NoGreeting(TimeoutError):  # noqa: N818  (the name says what happened)
    """The server accepted the connection but sent no greeting."""


def explained(error: BaseException) -> str:
    """Return a hint for the operator why a connection failed, or the error's own message if it is unknown."""
    while isinstance(error.__cause__, OSError):
        error = error.__cause__
    match error:
        case _ if _is_refusal(error):
            return "connection refused; is the port right, and is the server running?"
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
    # If a host has several addresses, one error without errno covers them all.
    several = isinstance(error, OSError) and str(error).startswith("Multiple exceptions")
    return isinstance(error, ConnectionRefusedError) or (
        several and f"[Errno {errno.ECONNREFUSED}]" in str(error)
    )
