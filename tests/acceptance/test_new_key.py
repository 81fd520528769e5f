"""A service that runs takes a new key by itself, and answers to letters with the old one still play."""

from pathlib import Path

from takmail.config.seat_keys import load_keys, rotate
from takmail.runtime import parts
from takmail.store import leases
from takmail.store.machine_time import utc_now
from tests.support.by_lmtp import app_on, begun, play, reply_address, serving, turns
from tests.support.network import ADA, BEN, bury


async def test_the_next_mail_after_a_rotation_is_answered_with_the_new_key(tmp_path: Path) -> None:
    async with begun(tmp_path) as game, serving(game) as app, play(game) as post:
        file, old_address = game.settings().service.key_file, reply_address(post.last[BEN])
        before = app.services.key.id
        rotate(file, utc_now(), 90)
        assert (await post.write(ADA, "ps a1")).startswith("250")
        await post.read(ADA)
        await post.read(BEN)
        # Ben answers a letter that was sent before.
        assert reply_address(post.last[BEN]) != old_address
        assert (await post.write(BEN, "ps b1", to=old_address)).startswith("250")
        await post.read(BEN)
        assert turns(app) == ["ps a1", "ps b1"]
        settings = game.settings()
        keys = parts.seat_key(settings, load_keys(file), utc_now)
        assert app.services.key.id == keys.id != before


async def test_without_a_mail_it_is_taken_with_the_next_renewal_of_the_lease(tmp_path: Path) -> None:
    def has_old_key() -> bool:
        with app.store.transaction() as session:
            current = parts.key_id(app.settings, utc_now)
            return leases.have_other_key(session, current or "", lambda _: False)

    async with begun(tmp_path) as game:
        app = app_on(game)
        await app._renew_leases()
        assert not has_old_key()
        rotate(app.settings.service.key_file, utc_now(), 90)
        assert has_old_key()
        await app._renew_leases()
        assert not has_old_key()
        await bury(app)
