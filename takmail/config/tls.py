"""Which ways to a mail server are safe: TLS with a certificate that is checked, or no network between."""

import ssl
from ipaddress import ip_address


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
