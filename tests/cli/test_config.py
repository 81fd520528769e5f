"""config.toml: every key is checked, every fault is a sentence, and the example is true."""

import re
import tomllib
from pathlib import Path

import pytest
from sqlalchemy import make_url

from takmail.config import ConfigError, Section, Settings
from takmail.config.bots import LEVELS
from takmail.config.loading import load, parse
from takmail.games.registry import GAMES
from takmail.games.thinking import Player
from takmail.world import LANGUAGES
from tests.support.tables import each_row

EXAMPLE = Path(__file__).parents[2] / "config.example.toml"
_KEY = re.compile(r"(?:# )?(?P<key>[a-z_]+) = (?P<value>.+)")


def toml(service="", imap="", smtp="", more=""):
    """A config.toml with these lines in place of the ones that it would have by default."""
    sections = {
        "service": {"address": '"tak@example.org"'},
        "imap": {"host": '"imap.example.org"', "user": '"tak"', "password": '"secret"'},
        "smtp": {"host": '"smtp.example.org"'},
    }
    text = ""
    for (name, keys), lines in zip(sections.items(), (service, imap, smtp), strict=True):
        given = {line.partition("=")[0].strip() for line in lines.splitlines()}
        rest = [f"{key} = {value}" for key, value in keys.items() if key not in given]
        text += "\n".join([f"[{name}]", *rest, lines, ""])
    return text + more


def problems(text, where=Path("config.toml")):
    with pytest.raises(ConfigError) as caught:
        parse(text, where)
    return caught.value.problems


def test_little_is_enough(tmp_path):
    settings = parse(toml(), tmp_path / "config.toml")
    assert settings.service.name == "Tak by Mail"
    assert (settings.imap.port, settings.imap.tls, settings.imap.secret()) == (993, "implicit", "secret")
    assert (settings.smtp.port, settings.smtp.tls, settings.smtp.secret()) == (587, "starttls", None)


def test_without_a_mailbox_mails_come_in_by_deliver_alone():
    text = '[service]\naddress = "tak@example.org"\n[smtp]\nhost = "smtp.example.org"\n'
    assert parse(text, Path("config.toml")).imap is None


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_mails_may_be_handed_over_at_a_port_of_this_machine(host):
    lmtp = parse(toml(more=f'[lmtp]\nport = 24\nhost = "{host}"'), Path("config.toml")).lmtp
    assert (lmtp.socket, lmtp.host, lmtp.port) == (None, host, 24)


def test_a_socket_starts_at_the_folder_of_the_config_file(tmp_path):
    lmtp = parse(toml(more='[lmtp]\nsocket = "run/lmtp.sock"'), tmp_path / "config.toml").lmtp
    assert (lmtp.socket, lmtp.mode) == (tmp_path / "run" / "lmtp.sock", "0660")


def test_everything_that_is_wrong_is_told_at_once(tmp_path):
    text = """
address = "tak@example.org"
[service]
colour = "red"
name = "two\\nlines"
recipient_delimiter = "#"
[imap]
host = "imap.example.org"
port = 0
tls = "none"
mailbox = "A"
processed = "A"
poll_seconds = "5"
first_start = "old"
password_file = "none"
password_env = "TAKMAIL_TEST_NOTHING"
ca_file = "none.pem"
[smtp]
host = ""
port = 1.5
user = "tak"
tls = "ssl"
[store]
url = "somewhere"
[colours]
"""
    assert problems(text, tmp_path / "config.toml") == [
        "[service] address: is missing",
        "[service] name: must be a name on one line",
        '[service] recipient_delimiter: must be "+" or what your provider uses ("-", "=", "_"), '
        'or "" if it has none',
        "[service] colour: is not a key that takmail knows",
        f"[imap] password_file: {tmp_path}/none can't be read: No such file or directory",
        "[imap] password_env: give only one of password, password_file and password_env",
        f"[imap] ca_file: can't load certificates from {tmp_path}/none.pem: No such file or directory",
        "[imap] port: must be at least 1",
        "[imap] user: is missing",
        "[imap] tls: IMAP without TLS is only allowed on this machine, and imap.example.org is another machine; "
        "choose another tls",
        "[imap] processed: must be another folder than mailbox",
        "[imap] poll_seconds: must be a number, without quotes",
        '[imap] first_start: must be "new" or "all"',
        "[smtp] host: is empty; fill it in",
        "[smtp] port: must be a whole number, without quotes",
        "[smtp] user: needs one of password, password_file and password_env",
        '[smtp] tls: must be "starttls", "implicit" or "none"',
        "[store] url: must be a database URL, such as sqlite:///takmail.sqlite",
        "address: is outside of any section",
        "[colours]: is not a section that takmail knows; there are [service], [imap], [lmtp], [smtp], [oauth], "
        "[store], [limits], [bots], [[engine]]",
    ]


@each_row(
    ("text", "sentence"),
    [
        ("", ["[service]: is missing", "[smtp]: is missing"]),
        ("imap = 3\n" + toml().replace("[imap]", "[other]"), None),
        (toml(service='address = ""'), "[service] address: is empty; fill it in"),
        (toml(service='address = "tak"'), "[service] address: must be one bare mail address"),
        (
            toml(service='address = "Tak <tak@example.org>"'),
            "[service] address: must be one bare mail address",
        ),
        (toml(service='address = "tak@example.org\\n"'), "[service] address: must be one bare mail address"),
        (toml(service="address = 3"), "[service] address: must be a text in quotes"),
        (toml(service='operator = "me"'), "[service] operator: must be one bare mail address"),
        (
            toml(service='operator = "Tak@example.org"'),
            "[service] operator: must be another address than takmail's own",
        ),
        (toml(service='letters = "pdf"'), '[service] letters: must be "both", "text" or "html"'),
        (toml(service='language = "tlh"'), '[service] language: must be "en", "ru", "zh" or "zh-hant"'),
        (toml(more='[bots]\nenabled = "no"'), "[bots] enabled: must be true or false, without quotes"),
        (
            toml(more='[bots]\nlevels = ["easy", "hard"]'),
            '[bots] levels.1: must be "patient", "playful", "easy", "dreamy", "gentle", "careful", "alert", "steady", '
            '"keen", "fair", "able", "skilled", "shrewd", "strong", "masterly" or "best"',
        ),
        (toml(more="[bots]\nat_once = 0"), "[bots] at_once: must be at least 1"),
        (toml(service="key_file = 3"), "[service] key_file: must be a text in quotes"),
        (toml(imap="port = true"), "[imap] port: must be a whole number, without quotes"),
        (toml(imap="port = 70000"), "[imap] port: must be at most 65535"),
        (toml(imap="poll_seconds = 0"), "[imap] poll_seconds: must be more than 0"),
        (toml(imap="poll_seconds = nan"), "[imap] poll_seconds: must be at most 3600"),
        (toml(imap="poll_seconds = 3601"), "[imap] poll_seconds: must be at most 3600"),
        (toml(imap='password = ""'), "[imap] password: is empty; fill it in"),
        (toml(imap='password = "a\\nb"'), "[imap] password: must be on one line"),
        (toml(imap='user = "a\\nb"'), "[imap] user: must be on one line"),
        (toml(smtp='password = "secret"'), "[smtp] user: is missing, but a password is given"),
        (toml(smtp='tls = "none"'), "[smtp] tls: SMTP without TLS is only allowed on this machine"),
        (toml(more="[lmtp]"), "[lmtp] port: give either socket or port"),
        (toml(more='[lmtp]\nsocket = "s"\nport = 24'), "[lmtp] port: give only one of socket and port"),
        (toml(more=f'[lmtp]\nsocket = "/{"s" * 107}"'), "[lmtp] socket: must be a shorter path: /sss"),
        (toml(more='[lmtp]\nsocket = "s"\nmode = "rw-"'), "[lmtp] mode: must be permissions as chmod takes"),
        (toml(more="[lmtp]\nport = 24\nmode = 660"), "[lmtp] mode: must be a text in quotes"),
        (
            toml(more='[lmtp]\nport = 24\nhost = "192.0.2.1"'),
            "[lmtp] host: must be this machine, such as 127.0.0.1, because LMTP has no login",
        ),
        (toml(more='[lmtp]\nport = 24\nhost = "0.0.0.0"'), "[lmtp] host: must be this machine"),
        (toml(more="[lmtp]\nport = 0"), "[lmtp] port: must be at least 1"),
        (toml(more="[store]\nurl = 3"), "[store] url: must be a text in quotes"),
        (toml(more='[store]\nurl = "nodb://x"'), "[store] url: must be a database URL"),
        (toml(more='[store]\nurl = "sqlite+aiosqlite:///x"'), "[store] url: "),
        ("[service", "is not TOML: "),
    ],
)
def test_each_fault_has_its_sentence(text, sentence):
    found = problems(text)
    if isinstance(sentence, list):
        assert found == sentence
    elif sentence is not None:
        assert len(found) == 1
        assert found[0].startswith(sentence)
    else:
        assert "[imap]: must be a section, with its keys on the lines below" in found


@pytest.mark.parametrize("value", ["127.0.0.1", "imap.example.org", "imap", "tak@example.org # mine"])
def test_text_without_quotes_is_told_to_need_them_and_is_not_shown(value):
    (problem,) = problems(toml(imap=f"password = {value}"))
    assert problem.startswith("is not TOML: ")
    assert problem.endswith('; a text stands in quotes: password = "…"')
    assert value not in problem


@pytest.mark.parametrize("line", ['host = "imap', "host =", "host = 'a' b", "[imap", "port = [1"])
def test_other_faults_of_the_form_get_no_hint_about_quotes(line):
    (problem,) = problems(line)
    assert problem.startswith("is not TOML: ")
    assert "quotes" not in problem


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("old_key_days = -1", "old_key_days: must be at least 0"),
        ("old_key_days = 1.5", "old_key_days: must be a whole number, without quotes"),
        (
            'key_env = "TAKMAIL_TEST_NOTHING"',
            "key_env: the environment variable TAKMAIL_TEST_NOTHING is not set",
        ),
        ('key_env = ""', "key_env: is empty; fill it in"),
        (
            'authserv_id = ""',
            "authserv_id: must be the name at the start of your server's Authentication-Results",
        ),
        (
            'authserv_id = "mx.example.org; dmarc=pass"',
            "authserv_id: must be the name at the start of your server's Authentication-Results",
        ),
    ],
)
def test_each_fault_of_what_proves_a_seat_has_its_sentence(line, why):
    assert problems(toml(service=line)) == [f"[service] {why}"]


@pytest.mark.parametrize(
    ("right", "wrong", "sentence"),
    [
        ("user =", "usr =", "[imap] usr: is not a key that takmail knows; did you mean `user`?"),
        ("user =", "Username =", "[imap] Username: is not a key that takmail knows; did you mean `user`?"),
        ("password =", "pass =", "[imap] pass: is not a key that takmail knows; did you mean `password`?"),
        ("[smtp]", "[smpt]", "[smpt]: is not a section that takmail knows; did you mean [smtp]?"),
        ("[service]", "[Service]", "[Service]: is not a section that takmail knows; did you mean [service]?"),
    ],
)
def test_a_misspelt_name_is_told_once_with_what_was_meant(right, wrong, sentence):
    assert problems(toml().replace(right, wrong, 1)) == [sentence]


def test_what_stands_below_a_misspelt_name_is_checked_too():
    text = toml(imap="port = 0").replace("[imap]", "[imapp]").replace("port", "prot")
    assert problems(text) == [
        "[imapp]: is not a section that takmail knows; did you mean [imap]?",
        "[imap] prot: is not a key that takmail knows; did you mean `port`?",
        "[imap] port: must be at least 1",
    ]


@pytest.mark.parametrize("line", ['usr = "tak"', 'server = "imap.example.org"'])
def test_nothing_is_guessed_if_the_name_is_given_or_no_name_is_like_it(line):
    key = line.partition(" ")[0]
    assert problems(toml(imap=line)) == [f"[imap] {key}: is not a key that takmail knows"]


def test_of_two_names_that_mean_the_same_key_one_is_guessed():
    found = problems(toml(imap='usr = "tak"\nusser = "tak"').replace('user = "tak"\n', "", 1))
    assert found == [
        "[imap] usr: is not a key that takmail knows; did you mean `user`?",
        "[imap] usser: is not a key that takmail knows",
    ]


def test_a_key_comes_from_one_place(monkeypatch):
    monkeypatch.setenv("TAKMAIL_TEST", "ab" * 32)
    assert (
        parse(toml(service='key_env = "TAKMAIL_TEST"'), Path("config.toml")).service.key_env == "TAKMAIL_TEST"
    )
    both = toml(service='key_file = "takmail.key"\nkey_env = "TAKMAIL_TEST"')
    assert problems(both) == ["[service]: give only one of key_file and key_env"]


def test_no_server_is_believed_unless_it_is_named():
    assert parse(toml(), Path("config.toml")).service.authserv_id is None


def test_a_mailbox_needs_a_password():
    text = toml().replace('password = "secret"\n', "")
    assert problems(text) == ["[imap] password_env: give one of password, password_file and password_env"]


def test_no_sentence_shows_a_password():
    text = toml(
        imap='password = "hush\\n"', smtp='password = "hush\\n"', more='[store]\nurl = "no://a:hush@b"'
    )
    assert len(problems(text)) == 4
    assert not any("hush" in one for one in problems(text))


@pytest.mark.parametrize("section", ["imap", "smtp"])
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_this_machine_may_be_reached_without_tls(section, host):
    settings = parse(toml(**{section: f'host = "{host}"\ntls = "none"'}), Path("config.toml"))
    assert getattr(settings, section).tls == "none"


def test_paths_start_at_the_folder_of_the_config_file(tmp_path, monkeypatch):
    folder = tmp_path / "etc"
    folder.mkdir()
    (folder / "imap.password").write_text("from a file\n")
    text = toml(imap='password_file = "imap.password"').replace('password = "secret"\n', "")
    (folder / "config.toml").write_text(text)
    monkeypatch.chdir(tmp_path)
    settings = load(Path("etc/config.toml"))
    monkeypatch.chdir("/")
    assert settings.imap.secret() == "from a file"
    assert settings.service.key_file == folder / "takmail.key"
    assert settings.store.url == f"sqlite:///{folder}/takmail.sqlite"


def test_an_absolute_path_stays(tmp_path):
    (tmp_path / "secret").write_text("x")
    text = toml(
        service=f'key_file = "{tmp_path}/key"', smtp=f'user = "tak"\npassword_file = "{tmp_path}/secret"'
    )
    settings = parse(text, Path("/etc/config.toml"))
    assert (settings.smtp.password_file, settings.service.key_file) == (tmp_path / "secret", tmp_path / "key")


def test_a_database_that_is_no_file_is_left_as_it_is():
    settings = parse(toml(more='[store]\nurl = "sqlite://"'), Path("/etc/config.toml"))
    assert settings.store.url == "sqlite://"


def test_a_password_may_come_from_the_environment(monkeypatch):
    text = toml(imap='password_env = "TAKMAIL_TEST"').replace('password = "secret"\n', "")
    monkeypatch.setenv("TAKMAIL_TEST", "hush")
    settings = parse(text, Path("config.toml"))
    assert settings.imap.secret() == "hush"
    monkeypatch.delenv("TAKMAIL_TEST")
    assert problems(text) == ["[imap] password_env: the environment variable TAKMAIL_TEST is not set"]
    with pytest.raises(ConfigError, match=r"\[imap\]: the environment variable TAKMAIL_TEST is not set"):
        settings.imap.secret()


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"\n", "the password is empty"),
        (b"a\nb\n", "must be on one line"),
        (b"\xff", "can't be read: it is not UTF-8"),
    ],
)
def test_a_password_file_holds_one_line(tmp_path, raw, why):
    (tmp_path / "password").write_bytes(raw)
    (problem,) = problems(toml(smtp='user = "tak"\npassword_file = "password"'), tmp_path / "config.toml")
    assert problem.startswith("[smtp] password_file: ")
    assert problem.endswith(why)


def test_a_file_of_certificates_has_to_hold_some(tmp_path):
    (tmp_path / "ca.pem").write_text("none")
    (problem,) = problems(toml(imap='ca_file = "ca.pem"'), tmp_path / "config.toml")
    assert problem.startswith(f"[imap] ca_file: can't load certificates from {tmp_path}/ca.pem: ")


def test_a_file_that_is_not_utf_8_says_so(tmp_path):
    file = tmp_path / "config.toml"
    file.write_bytes(b'name = "\xff"')
    with pytest.raises(ConfigError) as caught:
        load(file)
    assert caught.value.problems == ["can't be read: it is not UTF-8"]


def test_a_file_that_is_not_there_says_how_to_make_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for file, option in (("config.toml", ""), ("my config.toml", " --config 'my config.toml'")):
        with pytest.raises(ConfigError) as caught:
            load(Path(file))
        command = f"takmail init you@provider.example{option}"
        assert caught.value.problems == [f"does not exist; make it with: {command}"]


def test_a_byte_order_mark_does_no_harm(tmp_path):
    file = tmp_path / "config.toml"
    file.write_bytes(b"\xef\xbb\xbf" + toml().encode())
    assert load(file).service.address == "tak@example.org"


# OAuth 2.

OAUTH = '[oauth]\nprovider = "microsoft"\nclient_id = "takmail"\n'


def oauth(login="", more=OAUTH):
    """Both servers with OAuth in place of a password, and `login` in [imap]."""
    imap = f'auth = "oauth2"\n{login}'
    return toml(imap=imap, smtp='user = "tak"\nauth = "oauth2"', more=more).replace(
        'password = "secret"\n', "", 1
    )


def test_oauth_needs_no_password_and_its_file_stands_beside_the_config(tmp_path):
    settings = parse(oauth(), tmp_path / "config.toml")
    assert (settings.imap.uses_oauth, settings.smtp.uses_oauth) == (True, True)
    assert (settings.imap.secret(), settings.oauth.client_secret) == (None, None)
    assert settings.oauth.token_file == tmp_path / "takmail.token"


def test_a_token_command_may_stand_beside_the_config(tmp_path):
    (tmp_path / "token").touch(0o755)
    settings = parse(oauth('token_command = ["./token", "ada"]'), tmp_path / "config.toml")
    assert settings.imap.token_command == (str(tmp_path / "token"), "ada")


def test_a_token_command_without_a_folder_is_looked_for_as_by_a_shell():
    settings = parse(oauth('token_command = ["cat"]'), Path("config.toml"))
    assert Path(settings.imap.token_command[0]).is_absolute()


@each_row(
    ("text", "sentence"),
    [
        (
            oauth(more=""),
            '[oauth]: is missing, and [imap] auth = "oauth2" needs it, or a token_command',
        ),
        (
            oauth('token_command = ["cat"]', more=""),
            '[oauth]: is missing, and [smtp] auth = "oauth2" needs it, or a token_command',
        ),
        (oauth('password = "hush"'), '[imap] password: leave it out, as auth = "oauth2" uses no password'),
        (oauth('password_env = "HOME"'), "[imap] password_env: leave it out, as auth"),
        (
            oauth().replace('org"\nuser = "tak"\nauth = "oauth2"\n[', 'org"\nauth = "oauth2"\n['),
            '[smtp] user: is missing, and auth = "oauth2" needs it',
        ),
        (toml(imap='auth = "oauth"'), '[imap] auth: must be "password" or "oauth2"'),
        (toml(imap='token_command = ["cat"]'), '[imap] token_command: needs auth = "oauth2"'),
        (oauth("token_command = []"), "[imap] token_command: there is no program ''"),
        (oauth('token_command = "cat"'), "[imap] token_command: must be a list of texts in quotes"),
        (oauth("token_command = [3]"), "[imap] token_command.0: must be a text in quotes"),
        (
            oauth('token_command = ["no-such-program"]'),
            "[imap] token_command: there is no program 'no-such-program' that takmail can run",
        ),
        (oauth('token_command = ["./none"]'), "[imap] token_command: there is no program './none'"),
        (oauth(more="[oauth]\nprovider = 'google'"), "[oauth] client_id: is missing"),
        (oauth(more=OAUTH + 'client_secret = "a\\nb"'), "[oauth] client_secret: must be on one line"),
        (
            oauth(more=OAUTH.replace("microsoft", "yahoo")),
            '[oauth] provider: must be "google", "microsoft" or the https:// address of another provider',
        ),
        (oauth(more=OAUTH.replace("microsoft", "http://login.example.org")), "[oauth] provider: must be"),
        (oauth(more=OAUTH.replace("microsoft", "https://[")), "[oauth] provider: must be"),
        (oauth(more=OAUTH.replace("microsoft", "https://login.example.org")), "[oauth] scope: is missing"),
    ],
)
def test_each_fault_of_oauth_has_its_sentence(text, sentence):
    (problem,) = problems(text)
    assert problem.startswith(sentence)
    assert "hush" not in problem


# Engines.

ENGINE = '[[engine]]\nname = "tiltak"\ncommand = ["cat"]\nsizes = [5, 6]\n'


def test_an_engine_plays_without_komi_for_five_seconds_unless_told_otherwise():
    (engine,) = parse(toml(more=ENGINE), Path("config.toml")).engine
    assert (engine.sizes, engine.half_komi, engine.movetime, engine.options) == ({5, 6}, {0}, 5_000, {})
    assert Path(engine.command[0]).is_absolute()


def test_options_of_an_engine_may_be_texts_numbers_and_switches():
    text = ENGINE + 'options = { Hash = 64, Ponder = false, Style = "Very Risky" }'
    (engine,) = parse(toml(more=text), Path("config.toml")).engine
    assert engine.options == {"Hash": "64", "Ponder": "false", "Style": "Very Risky"}


def test_the_program_of_an_engine_may_stand_beside_the_config(tmp_path):
    (tmp_path / "tiltak").touch(0o755)
    text = toml(more=ENGINE.replace('["cat"]', '["./tiltak", "tei"]'))
    assert parse(text, tmp_path / "config.toml").engine[0].command == (str(tmp_path / "tiltak"), "tei")


@each_row(
    ("right", "wrong", "sentence"),
    [
        ('name = "tiltak"\n', "", "[[engine]] 2 name: is missing"),
        (
            '"tiltak"',
            '"Tiltak"',
            "[[engine]] 2 name: must be a word of at most 20 lower-case letters, digits",
        ),
        (
            '"tiltak"',
            '"tiltak 2"',
            "[[engine]] 2 name: must be a word of at most 20 lower-case letters, digits",
        ),
        (
            '"tiltak"',
            '"best"',
            "[[engine]] 2 name: players who write `vs bot best` mean another bot; choose another name",
        ),
        *(
            (
                '"tiltak"',
                f'"{name}"',
                f"[[engine]] 2 name: players who write `vs bot {name}` mean another bot; choose another name",
            )
            for name in ("hard", "computer", "the", "bot-easy")
        ),
        (
            '"tiltak"',
            '"topaz"',
            "[[engine]]: two have the same name; players tell them apart by it",
        ),
        ('["cat"]', '["takmail-none"]', "[[engine]] 2 command: there is no program 'takmail-none'"),
        ('["cat"]', "[]", "[[engine]] 2 command: there is no program ''"),
        ('["cat"]', '"cat"', "[[engine]] 2 command: must be a list of texts in quotes"),
        ("[5, 6]", "[5, 9]", "[[engine]] 2 sizes.1: must be at most 8"),
        ("[5, 6]", "[]", "[[engine]] 2 sizes: is empty; fill it in"),
        ("[5, 6]", "5", "[[engine]] 2 sizes: must be a list of whole numbers: [5, 6]"),
        ("[5, 6]", "[5]\nhalf_komi = [-1]", "[[engine]] 2 half_komi.0: must be at least 0"),
        ("[5, 6]", "[5]\nmovetime = 0", "[[engine]] 2 movetime: must be at least 1"),
        ("[5, 6]", "[5]\nmemory_mib = 15", "[[engine]] 2 memory_mib: must be at least 16"),
        (
            "[5, 6]",
            '[5]\noptions = "fast"',
            "[[engine]] 2 options: must have names and values: { Threads = 2, Style =",
        ),
        ("[5, 6]", "[5]\noptions = { Hash = [64] }", "[[engine]] 2 options.Hash: must be a text in quotes"),
        ("[5, 6]", "[5]\nsize = 5", "[[engine]] 2 size: is not a key that takmail knows"),
    ],
)
def test_each_fault_of_an_engine_has_its_sentence(right, wrong, sentence):
    text = toml(more=ENGINE.replace("tiltak", "topaz") + ENGINE.replace(right, wrong))
    (problem,) = problems(text)
    assert problem.startswith(sentence)


def test_an_engine_needs_two_brackets():
    text = toml(more=ENGINE.replace("[[engine]]", "[engine]"))
    assert problems(text) == ["[[engine]]: is a list of sections, each with two brackets"]


# The example.


def sections(model=Settings):
    """The settings' classes by the names of their sections."""
    return {
        name: next(
            kind
            for kind in (field.annotation, *getattr(field.annotation, "__args__", ()))
            if isinstance(kind, type) and issubclass(kind, Section)
        )
        for name, field in model.model_fields.items()
    }


def example_keys():
    """Each key of the example, commented out or not: (section, key) -> the comment above it."""
    keys, section, comment = {}, "", []
    for line in EXAMPLE.read_text().splitlines():
        found = _KEY.fullmatch(line)
        if header := re.fullmatch(r"(?:# )?\[\[?([a-z]+)\]\]?", line):
            section, comment = header[1], []
        elif found:
            keys[section, found["key"]] = " ".join(comment)
            comment = []
        elif line.startswith("# "):
            comment.append(line[2:])
    return keys


def test_the_example_and_the_settings_hold_the_same_keys():
    known = {(name, key) for name, model in sections().items() for key in model.model_fields}
    assert set(example_keys()) == known


EMPTY = [
    ("service", "address"),
    ("imap", "host"),
    ("imap", "password"),
    ("imap", "user"),
    ("smtp", "host"),
    ("smtp", "password"),
    ("smtp", "user"),
]


def test_the_example_names_each_key_that_has_to_be_filled_in():
    assert problems(EXAMPLE.read_text()) == [f"[{name}] {key}: is empty; fill it in" for name, key in EMPTY]


def filled_in(text):
    """The example as an operator fills it in, with the same address for everything."""
    return re.sub(r'(?m)^(address|host|user|password) = ""$', r'\1 = "tak@mail.example.org"', text)


def test_nothing_more_than_the_empty_keys_has_to_be_changed(tmp_path):
    settings = parse(filled_in(EXAMPLE.read_text()), tmp_path / "config.toml")
    assert {settings.service.address, settings.imap.secret(), settings.smtp.user} == {"tak@mail.example.org"}


def written(default):
    """A default as TOML has it."""
    if isinstance(default, tuple | frozenset):
        return list(default)
    return str(default) if isinstance(default, Path) else default


def test_each_key_that_is_not_empty_stands_at_its_default():
    for name, keys in tomllib.loads(EXAMPLE.read_text()).items():
        for key, value in keys.items():
            default = sections()[name].model_fields[key].default
            assert value in ("", written(default)), key


def test_the_example_with_every_comment_taken_away_is_still_known_key_by_key(tmp_path):
    text = re.sub(r"(?m)^# (?=[a-z_]+ = |\[\[?[a-z]+\]?\]$)", "", filled_in(EXAMPLE.read_text()))
    one_of_two = (
        r"\[(imap|smtp|service|lmtp|oauth)\] "
        r"(token_command|password_(file|env)|ca_file|key_env|port): "
        r"|\[\[engine\]\] 1 command: there is no program "
    )
    for problem in problems(text, tmp_path / "config.toml"):
        assert re.match(one_of_two, problem), problem


@each_row("place", sorted(example_keys()))
def test_the_default_that_the_example_states_is_the_real_one(place):
    section, key = place
    comment, field = example_keys()[place], sections()[section].model_fields[key]
    if comment.endswith("No default."):
        assert field.is_required() or field.default is None
    else:
        stated = re.search(r"Default: (.+)\.$", comment)
        assert stated, f"{place} states no default"
        assert tomllib.loads(f"it = {stated[1]}")["it"] == written(field.default)


@pytest.mark.parametrize("secret", ["p@ss%w/rd", "p@ss/w", "p@ss", "p@ss?w", "p@ss:5/w", "a@b@c", "p@s:s"])
@pytest.mark.parametrize("scheme", ["postgresql", "postgresql+psycopg"])
def test_no_part_of_a_password_that_is_written_wrongly_is_shown(scheme, secret):
    found = problems(toml(more=f'[store]\nurl = "{scheme}://takmail:{secret}@db.example.org/takmail"'))
    assert len(found) == 1
    assert found[0].startswith("[store] url")
    shown = found[0].partition(": ")[2]
    assert shown.startswith(('must have "@" as %40', "must be a database URL"))


def test_a_file_of_sqlite_may_have_such_signs_in_its_name(tmp_path):
    settings = parse(
        toml(more=f'[store]\nurl = "sqlite:///{tmp_path}/a@b@c.sqlite"'), tmp_path / "config.toml"
    )
    assert make_url(settings.store.url).database == f"{tmp_path}/a@b@c.sqlite"


def test_the_languages_are_those_of_letters():
    for code in LANGUAGES:
        assert parse(toml(service=f'language = "{code}"'), Path("config.toml")).service.language == code
    assert parse(toml(), Path("config.toml")).service.language == "en"


def test_the_levels_are_those_of_the_games() -> None:
    of_games = [game.levels for game in GAMES.by_name.values() if isinstance(game, Player)]
    assert max(of_games, key=len) == LEVELS
    assert {level for levels in of_games for level in levels} == {*LEVELS}
