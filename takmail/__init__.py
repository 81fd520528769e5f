"""takmail: a mail address that two people can play Tak through."""

__version__ = "0.2.0"
