"""Allow only safe connections to a mail server: over TLS with a checked certificate, or within this machine."""

import ssl
from ipaddress import ip_address


def is_loopback(host: str) -> bool:
    """Return whether `host` is this machine."""
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def require_safe(protocol: str, host: str, tls: str) -> None:
    """Refuse a password without TLS over a network.

    Raises ValueError, with a sentence for the operator, if `tls` is "none" and `host` is another machine.
    """
    if tls == "none" and not is_loopback(host):
        raise ValueError(
            f"{protocol} without TLS is only allowed on this machine, and {host} is another machine; choose another tls"
        )


def tls_context(ca_file: str | None) -> ssl.SSLContext:
    """Return a TLS context that checks the server's certificate and name.

    If `ca_file` is given, only the authorities in it are trusted, otherwise those that this machine trusts.
    Raises OSError if `ca_file` can't be read or contains no certificate.
    """
    return ssl.create_default_context(cafile=ca_file)
