"""A setting that cannot work stops the start with a sentence, and one that can work is understood.

The kind: what an operator writes is accepted, and does nothing. For each setting the plausible wrong forms.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from paddock.core.errors import PaddockError
from paddock.core.settings import Settings, variable
from paddock.server import serve
from paddock.server.app import create_app
from terminal.test_cli import here

HOSTS = "host names such as club.example or club.example:8443"
NETWORKS = "separated by commas or spaces"
QUOTES = "it without the quotes"
ESCAPED = "%2F for /, %3F for ? and %23 for #"
PORTS = "smtp:// with port 587, or smtps:// with port 465"
MAIL = "an e-mail address such as"
SITE = "sites such as https://club.example"
WHOLE = "a whole number"
DATABASE = "sqlite:///FILE or postgresql://USER@HOST/NAME"
PATH = "a path such as /games"
MACHINE = "a name or an address, without a port"
SMTP = "smtp://NAME:PASSWORD@HOST:PORT"
PUBLIC = "an address such as https://play.club.example"
RATE = "requests per second"
# The setting, what the sentence says to write, and wrong forms
WRONG = [
    ("hosts", HOSTS, "https://club.example | club.example/ | club.example/games | *.club.example"),
    ("hosts", HOSTS, ".club.example | club.example:99999 | club.example:0 | club.example:"),
    ("hosts", HOSTS, "club.example:https | a..b | a;b | me@club.example | 10.0.0.0/8 | fe80::1%eth0 | [::1"),
    ("hosts", HOSTS, "club.example, b/"),
    ("hosts", QUOTES, "\"club.example\" | 'club.example, b.example'"),
    ("base_path", PATH, "https://club.example/games | /api | t | /a b | /games?x | /../x | /jeux-été"),
    ("base_path", PATH, "C:\\games"),
    ("base_path", QUOTES, '"/games"'),
    ("trusted_proxies", NETWORKS, "* | localhost | caddy | 10.0.0.1/8 | 10.0.0.0/33 | 127.0.0.1:80 | [::1]"),
    ("trusted_proxies", NETWORKS, "10.0.*"),
    ("trusted_proxies", QUOTES, "'127.0.0.1'"),
    ("reach_networks", NETWORKS, "* | ntfy.local | 192.168.1.10:80 | http://192.168.1.10 | 10.0.0.1-9"),
    ("address", MACHINE, "10.0.0.1:8000 | paddock:8000 | [2001:db8::1]:80 | http://10.0.0.1 | a/b"),
    ("address", MACHINE, "10.0.0.0/8 | [::1"),
    ("address", "the address by which others reach", "0.0.0.0 | :: | [::]"),
    ("address", QUOTES, '"10.0.0.1"'),
    ("abandon_lobby_hours", WHOLE, "1d | 24h | -1 | 1.5 | never | 1,000 | ٣٣ | 9999999"),
    ("abandon_game_days", WHOLE, "30d | 30 days | -30 | off"),
    ("abandon_game_days", QUOTES, '"30"'),
    ("keep_lobbies_days", WHOLE, "7d | -1 | none"),
    ("keep_games_days", WHOLE, "1y | P30D | -1 | ∞"),
    ("keep_talk_days", WHOLE, "1w | -1 | 1e3"),
    ("pack", "PADDOCK_PACK", "/nowhere/pack | /"),
    ("name_filter", "PADDOCK_NAME_FILTER", "/nowhere/words.txt | . | ~/words.txt"),
    ("embed", SITE, "club.example | //club.example | https://*.club.example | https://club.example/page"),
    ("embed", SITE, "'self'x | ftp://club.example | https://club.example:99999 | https://"),
    ("embed", SITE, "https://a;script-src | none"),
    ("embed", QUOTES, '"https://club.example"'),
    ("admin_token", "at least 16 characters", "secret | a b c d e f g h i j | schlüssel-schlüssel"),
    ("admin_token", QUOTES, '"0123456789abcdef"'),
    ("smtp_url", SMTP, "mail.example | mail.example:587 | http://mail.example | smtp:// | smtp://me:pw@"),
    ("smtp_url", SMTP, "smtp:mail | smtp://mail.example:port | smtp://mail.example:99999"),
    ("smtp_url", SMTP, "smtp://me:p w@mail.example"),
    ("smtp_url", ESCAPED, "smtp://me:p#w@mail.example:587 | smtp://me:p/w@mail.example"),
    ("smtp_url", ESCAPED, "smtp://me:p?w@mail.example"),
    ("smtp_url", PORTS, "smtp://mail.example:465 | smtps://me:pw@mail.example:587"),
    ("smtp_url", QUOTES, '"smtp://mail.example"'),
    ("mail_from", MAIL, "paddock | paddock@ | @club.example | Paddock <p@club.example | p@club.example>"),
    ("mail_from", MAIL, "p@club@example | a@club.example, b@club.example | Club, Paddock <p@club.example>"),
    ("mail_from", MAIL, "Paddock p@club.example | müller@club.example | p@club..example | <> | Paddock"),
    ("mail_from", QUOTES, '"p@club.example"'),
    ("public_url", PUBLIC, "club.example | * | ftp://club.example | https://club.example/games | https://"),
    ("public_url", PUBLIC, "https://a b | https://club.example:99999 | https://me@club.example"),
    ("public_url", PUBLIC, "//club.example"),
    ("public_url", QUOTES, '"https://club.example"'),
    ("log", "text or json", "JSON | debug | /var/log/paddock.log | text,json"),
    ("rate_address", RATE, "100/s | -1 | many | 1e9 | inf | nan | 1,5 | 100 rps"),
    ("rate_holder", RATE, "50/s | -0.1 | off"),
    ("reach_address", WHOLE, "40/h | -1 | 1.5"),
    ("streams_address", WHOLE, "200 streams | -1 | 2.5 | unlimited"),
    ("database_url", DATABASE, "/var/lib/paddock.db | paddock.db | mysql://u@h/paddock"),
    ("database_url", DATABASE, "postgresql+psycopg2://u@h/paddock | sqlite://paddock.db | sqlite:///"),
    ("database_url", DATABASE, "sqlite:///:memory: | file:paddock.db | postgresql://u@h:port/n"),
    ("database_url", QUOTES, '"sqlite:///paddock.db"'),
]


@pytest.fixture(autouse=True)
def none(monkeypatch: pytest.MonkeyPatch) -> None:
    """No settings but those of the test; a server that starts all the same ends at once."""

    class Ending(serve.Server):
        async def startup(self, sockets: object = None) -> None:
            await super().startup(sockets)  # type: ignore[arg-type]
            self.should_exit = True

    for name in Settings.model_fields:
        monkeypatch.delenv(variable(name), raising=False)
    monkeypatch.setattr(serve, "Server", Ending)
    monkeypatch.setattr(serve, "warm", lambda _app: None)


def refused() -> str:
    """Return the sentence with which the server does not start: ``paddock serve`` prints it, and exits 2."""
    with pytest.raises(PaddockError) as refusal:
        serve.serve(port=0)
    assert refusal.value.status == 2
    return str(refusal.value)


@pytest.mark.parametrize(
    ("name", "value", "write"),
    [(name, value, write) for name, write, values in WRONG for value in values.split(" | ")],
)
def test_a_wrong_form_stops_the_start(
    name: str, value: str, write: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(variable("database_url"), f"sqlite:///{tmp_path}/tables.db")
    monkeypatch.setenv(variable(name), value)
    said = refused()
    assert variable(name) in said and write in said
    secret = Settings.model_fields[name].repr is False
    assert secret or name == "base_path" or value[:9] in said


def test_every_setting_has_wrong_forms() -> None:
    assert {name for name, _write, _values in WRONG} == Settings.model_fields.keys()


RIGHT = {
    "hosts": {
        "müller.example": {"xn--mller-kva.example"},
        "Straße.example:8443, *": {"xn--strae-oqa.example:8443", "*"},
        " club.example\t, b.example ,": {"club.example", "b.example"},
        "xn--mller-kva.example.": {"xn--mller-kva.example."},
        "2001:DB8::1 [::1]:8000 10.0.0.1": {"[2001:db8::1]", "[::1]:8000", "10.0.0.1"},
        "my_host localhost": {"my_host", "localhost"},
        "  ": set(),
    },
    "base_path": {"/games/": "/games", " games ": "/games", "/a/b.c": "/a/b.c", "/": ""},
    "trusted_proxies": {"127.0.0.1,::1 10.0.0.0/8": {"127.0.0.1", "::1", "10.0.0.0/8"}},
    "address": {
        "müller.example": "xn--mller-kva.example",
        "2001:db8::1": "[2001:db8::1]",
        "paddock-2": "paddock-2",
    },
    "abandon_game_days": {" 7 ": 7, "0": 0, "\t": 30},
    "embed": {
        "https://Müller.example/, http://a.example:8080": {
            "https://xn--mller-kva.example",
            "http://a.example:8080",
        }
    },
    "smtp_url": {
        "smtp://me%40a.b:p%2Fw@müller.example:587/": "smtp://me%40a.b:p%2Fw@xn--mller-kva.example:587"
    },
    "mail_from": {
        "Müllers Club <p@müller.example>": "Müllers Club <p@xn--mller-kva.example>",
        '"Club, Paddock" <p@club.example>': '"Club, Paddock" <p@club.example>',
        "p@club.example": "p@club.example",
    },
    "public_url": {"https://Müller.example/": "https://xn--mller-kva.example"},
    "log": {" json\r": "json"},
    "rate_address": {"2.5": 2.5},
}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, kinds in RIGHT.items() for value in kinds]
)
def test_a_right_form_is_understood(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for other, needed in {
        "hosts": "müller.example",
        "public_url": "https://müller.example",
        "smtp_url": "smtp://mail.example",
        "mail_from": "p@club.example",
    }.items():
        monkeypatch.setenv(variable(other), needed)
    monkeypatch.setenv(variable(name), value)
    settings = Settings.read()
    assert getattr(settings, name) == RIGHT[name][value]


def test_a_host_beyond_ascii_answers_as_browsers_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PADDOCK_HOSTS", "müller.example")
    monkeypatch.setenv("PADDOCK_PUBLIC_URL", "https://müller.example:8443")
    hosts = create_app("sqlite://", settings=Settings.read()).state.checks.hosts
    assert "xn--mller-kva.example" in hosts and "xn--mller-kva.example:8000" in hosts


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"HOST": "club.example"}, "PADDOCK_HOST is not a setting: did you mean PADDOCK_HOSTS?"),
        ({"TRUSTED_PROXY": "::1"}, "did you mean PADDOCK_TRUSTED_PROXIES?"),
        ({"DATABASE": "sqlite:///x"}, "did you mean PADDOCK_DATABASE_URL?"),
        ({"LANGUAGES": "de"}, "did you mean PADDOCK_LANGUAGE?"),
        ({"PORT": "8205"}, "PADDOCK_PORT=8205 does nothing: write paddock serve --port 8205"),
        ({"PROCESSES": "4"}, "write paddock serve --processes 4"),
        ({"SMTP_URL": "smtp://mail"}, "PADDOCK_SMTP_URL alone sends no e-mail: set PADDOCK_MAIL_FROM too"),
        ({"MAIL_FROM": "p@a.b"}, "PADDOCK_MAIL_FROM alone sends no e-mail: set PADDOCK_SMTP_URL too"),
        ({"SMTP_URL": "smtp://mail", "MAIL_FROM": "p@a.b", "HOSTS": "*"}, "set PADDOCK_PUBLIC_URL too"),
        (
            {"PUBLIC_URL": "https://a.b", "HOSTS": "c.d"},
            "PADDOCK_PUBLIC_URL=https://a.b: name a.b in PADDOCK_HOSTS",
        ),
        ({"PUBLIC_URL": "https://a.b"}, "name a.b in PADDOCK_HOSTS too"),
    ],
)
def test_what_cannot_work_together_stops_the_start(
    given: dict[str, str], said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(variable("database_url"), f"sqlite:///{tmp_path}/tables.db")
    for name, value in given.items():
        monkeypatch.setenv(f"PADDOCK_{name}", value)
    assert said in refused()


@pytest.mark.parametrize("value", [".", "text", "text/tables.db", "/proc/tables.db", "/proc/no/tables.db"])
def test_a_file_that_cannot_be_a_database_stops_the_start(
    value: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text").write_text("This is a file of words.\n" * 100, "utf-8")
    monkeypatch.setenv(variable("database_url"), f"sqlite:///{value}")
    assert variable("database_url") in refused()


def test_variables_of_others_are_left_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Kubernetes sets some for each service, and its programs may have their own."""
    monkeypatch.setenv(variable("database_url"), f"sqlite:///{tmp_path}/tables.db")
    for name, value in {
        "PORT": "tcp://10.0.0.1:8000",
        "PORT_8000_TCP_ADDR": "10.0.0.1",
        "SERVICE_HOST": "10.0.0.1",
        "SERVICE_PORT": "8000",
        "TOKEN": "paddock_x",
        "NAME": "play.club.example",
        "LANGUAGE": "en",
    }.items():
        monkeypatch.setenv(f"PADDOCK_{name}", value)
    done = here("serve", "--port", "0")
    assert (done.returncode, done.stderr) == (0, "") and "127.0.0.1" in done.stdout
