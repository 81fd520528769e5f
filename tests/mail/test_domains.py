"""Which domains belong to one organisation."""

from takmail.mail.domains import organisation_of
from tests.support.tables import each_row


@each_row(
    ("domain", "organisation"),
    [
        ("example.org", "example.org"),
        ("mail.example.org", "example.org"),
        ("club.example.co.uk", "example.co.uk"),
        ("a.b.uni.ac.at", "uni.ac.at"),
        # At a common provider people have nothing in common.
        ("gmail.com", ""),
        ("outlook.es", ""),
        ("yahoo.com", ""),
        ("yahoo.com.br", ""),
        ("docomo.ne.jp", ""),
        ("yahoo.example.org", "example.org"),
    ],
)
def test_an_address_belongs_to_an_organisation(domain: str, organisation: str) -> None:
    assert organisation_of(f"ada@{domain}") == organisation
