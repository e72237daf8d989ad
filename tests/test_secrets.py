"""What looks like a secret is masked; ids, hashes and prose are not."""

from __future__ import annotations

import itertools
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffctl.secrets import MASKED, Mask, find_secrets

PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("use sk-proj-abcDEF1234567890abcdef now", "use sk-proj-[masked] now"),
        ("sk-abcDEF1234567890abcdef", "sk-[masked]"),
        ("sk_live_abcdefgh12345678", "sk_live_[masked]"),
        ("ghp_0123456789abcdefghijABCDEFGHIJ", "ghp_[masked]"),
        ("AKIAABCDEFGHIJKLMNOP", "AKIA[masked]"),
        ("xoxb-1234567890-abcdef", "xoxb-[masked]"),
        ("AIza" + "a1" * 18, "AIza[masked]"),
        (PEM, "-----BEGIN RSA PRIVATE KEY-----[masked]-----END RSA PRIVATE KEY-----"),
        ("-----BEGIN PRIVATE KEY-----\ncut off", "-----BEGIN PRIVATE KEY-----[masked]"),
        ("Authorization: Bearer abc123def456ghi", "Authorization: Bearer [masked]"),
        ("password=hunter", "password=[masked]"),
        ('{"password": "correct horse"}', '{"password": "[masked]"}'),
        ('{\\"api_key\\": \\"abcd\\"}', '{\\"api_key\\": \\"[masked]\\"}'),
        ("{'token': 'abc'}", "{'token': '[masked]'}"),
        ('"alias_api_key": "abcdefgh"', '"alias_api_key": "[masked]"'),
        ("token: abc123", "token: [masked]"),
        ("OPENAI_API_KEY=FAKE-do-not-use", "OPENAI_API_KEY=[masked]"),
        ("postgres://kim:pass@host/db", "postgres://kim:[masked]@host/db"),
        ("eyJhbGciOiJI.eyJzdWIiOiIx.SflKxwRJSMeK", "eyJ[masked]"),
    ],
)
def test_a_secret_is_masked_and_one_sees_what_it_was(text: str, masked: str) -> None:
    assert Mask()(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        "call_0123456789abcdefABCDEF01",
        "rs_68a1b2c3d4e5f60718293a4b5c6d7e8f",
        "msg_68a1b2c3d4e5f60718293a4b5c6d7e8f",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "123e4567-e89b-12d3-a456-426614174000",
        "password: please choose one",
        "max_tokens=200, tokens: 1234",
        "the token is the 12th word",
        "api_key=$OPENAI_API_KEY",
        "password=null",
        "sk-learn-pipeline-tutorial-long",
        "task-force-1234567890123456",
        "-----BEGIN PUBLIC KEY-----\nMIIE",
        "bearer of good news everywhere",
        "https://example.com:8080/path@2",
    ],
)
def test_what_only_looks_random_stays(text: str) -> None:
    assert Mask()(text) == text


def test_a_secret_is_masked_wherever_it_is_repeated() -> None:
    mask = Mask.of(["API_KEY=FAKE-do-not-use-0001", "nothing here"])
    assert mask("Your key is FAKE-do-not-use-0001.") == f"Your key is {MASKED}."


def test_a_short_value_is_not_hunted_for() -> None:
    assert Mask.of(["password=abc1"])("abc1") == "abc1"


def test_no_more_secrets_are_remembered_than_can_be_searched() -> None:
    texts = [f"password=secret-number-{number}" for number in range(3_000)]
    assert len(Mask.of(texts).known) == 1_000


@given(st.text())
def test_masking_twice_is_once(text: str) -> None:
    once = Mask()(text)
    assert Mask()(once) == once


def test_places_are_characters_of_the_value() -> None:
    assert find_secrets("password=hunter2") == [(9, 16)]


NAMES = ("password", "passwd", "passphrase", "secret", "api_key", "api-key", "apikey", "access_key", "accesskey")
MORE_NAMES = ("private_key", "privatekey", "auth_token", "authtoken", "access_token", "refresh_token", "token")
PREFIXES = ("sk-", "rk_live_", "sk_test_", "ghp_", "github_pat_", "glpat-", "hf_", "npm_", "pypi-", "xoxb-", "xapp-")


@pytest.mark.parametrize("name", [*NAMES, *MORE_NAMES])
def test_every_name_is_found_in_any_case(name: str) -> None:
    assert find_secrets(f'{name.upper()}="a1b2c3d4e5"')
    assert find_secrets(f"{name.title()}: a1b2c3d4e5")


@pytest.mark.parametrize("prefix", PREFIXES)
def test_every_prefix_is_found(prefix: str) -> None:
    assert find_secrets(f"{prefix}{'a1b2c3d4' * 4}")


@pytest.mark.parametrize(
    "text",
    [
        'password: "ab\\"TAIL"',
        '{"password": "x\\\\TAIL"}',
        "SECRET_KEY=abc123TAIL",
        "pwd=hunter2TAIL",
        "DB_PASS=hunter2TAIL",
        "redis://:pw1TAIL@host",
        '{"password":["hunter2TAIL"]}',
        "<password>hunter2TAIL</password>",
    ],
)
def test_no_tail_of_a_value_is_left(text: str) -> None:
    assert "TAIL" not in Mask()(text)


@pytest.mark.parametrize(
    "text",
    [
        "token = next(tokens)",
        "password: str",
        "max_tokens=100",
        "the token is invalid",
        "https://example.com/a",
        "call_abc123def456",
    ],
)
def test_code_prose_and_ids_are_no_secrets(text: str) -> None:
    assert Mask()(text) == text


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        pytest.param(r'password: "ab\"TAIL"', 'password: "[masked]"', id="an escaped quote"),
        pytest.param(r'{"password": "x\\TAIL"}', '{"password": "[masked]"}', id="an escaped backslash"),
        pytest.param(r"{'password': 'it\'s TAIL'}", "{'password': '[masked]'}", id="an escaped single quote"),
        pytest.param("password: 'it''sTAIL'", "password: '[masked]'", id="a doubled quote"),
        pytest.param(
            r"{\"password\": \"ab\\\"TAIL\", \"b\": 1}",
            r"{\"password\": \"[masked]\", \"b\": 1}",
            id="an escaped quote in JSON inside of JSON",
        ),
        pytest.param('password = """x\nTAIL"""', 'password = """[masked]"""', id="three quotes"),
        pytest.param('password = """x\nTAIL', 'password = """[masked]', id="three quotes that nothing ends"),
        pytest.param(
            r"password = \"\"\"TAIL\"\"\"", r"password = \"\"\"[masked]\"\"\"", id="three quotes inside of JSON"
        ),
        pytest.param('password = "TAIL', 'password = "[masked]', id="a quote that nothing ends"),
        pytest.param('password = "TAIL\nnext"', 'password = "[masked]\nnext"', id="a quote ends with its line"),
        pytest.param('password = b"TAIL"', 'password = b"[masked]"', id="bytes"),
        pytest.param("SECRET_KEY=TAIL", "SECRET_KEY=[masked]", id="a secret key"),
        pytest.param("pwd=TAIL", "pwd=[masked]", id="pwd"),
        pytest.param("DB_PASS=TAIL", "DB_PASS=[masked]", id="pass"),
        pytest.param("--password X1", "--password [masked]", id="an option"),
        pytest.param("mysql --password hunter -h x", "mysql --password [masked] -h x", id="an option with a word"),
        pytest.param('["--password", "TAIL"]', '["--password", "[masked]"]', id="an option in a list"),
        pytest.param("os.environ['API_KEY'] = 'TAIL'", "os.environ['API_KEY'] = '[masked]'", id="a name in brackets"),
        pytest.param("redis://:TAIL@host", "redis://:[masked]@host", id="a URL without a user"),
        pytest.param("https://TOKENTAIL@host", "https://[masked]@host", id="a URL whose user is a token"),
        pytest.param("db://kim:p@TAIL@host/x", "db://kim:[masked]@host/x", id="an @ in a URL's password"),
        pytest.param("db://kim:p/TAIL@host/x", "db://kim:[masked]@host/x", id="a slash in a URL's password"),
        pytest.param("SG.abcdefghij.TAILabcdefg", "SG.[masked]", id="SendGrid"),
        pytest.param("password=$ecretTAIL", "password=[masked]", id="a value that begins with $"),
        pytest.param("password=<abTAIL", "password=[masked]", id="a value that begins with <"),
        pytest.param("password=***TAIL", "password=[masked]", id="a value that begins with stars"),
        pytest.param("password=true-TAIL", "password=[masked]", id="a value that begins with true"),
        pytest.param('{"password": "true-TAIL"}', '{"password": "[masked]"}', id="true- in quotes"),
        pytest.param('{"password": "[masked]TAIL"}', '{"password": "[masked]"}', id="a value that begins as masked"),
        pytest.param('{"token":{"value":"TAIL"}}', '{"token":{"value":"[masked]"}}', id="in an object"),
        pytest.param('{"password":["TAIL", "T"]}', '{"password":["[masked]", "[masked]"]}', id="in a list"),
        pytest.param(
            '{"token":{"a":["password=TAIL"],"password":12345},"x":"y"}',
            '{"token":{"a":["[masked]"],"password":[masked]},"x":"y"}',
            id="deeper",
        ),
        pytest.param('{"token":["TAIL', '{"token":["[masked]', id="in a list that nothing ends"),
        pytest.param("<password>TAIL</password>", "<password>[masked]</password>", id="an element"),
        pytest.param('<token a="b">TAIL</token>', '<token a="b">[masked]</token>', id="an element with attributes"),
        pytest.param("password=abc,TAIL", "password=[masked]", id="a comma"),
        pytest.param("password=abc(TAIL x", "password=[masked] x", id="a bracket"),
        pytest.param("password=ab]TAIL;x", "password=[masked]", id="a semicolon"),
        pytest.param('password=ab"TAIL', "password=[masked]", id="a quote inside"),
        pytest.param("(token=abc12345)", "(token=[masked])", id="a bracket around it"),
        pytest.param('"x?token=TAIL&user=kim"', '"x?token=[masked]&user=kim"', id="a query"),
        pytest.param('{"password":12345678,"x":1}', '{"password":[masked],"x":1}', id="a number"),
    ],
)
def test_no_tail_of_a_secret_is_left(text: str, masked: str) -> None:
    assert Mask()(text) == masked
    assert Mask()(masked) == masked


@pytest.mark.parametrize("unseen", ["\u200b", "\u00ad", "\ufeff", "\u2060", "\U000e0041", "\\u200b", "\x00"])
@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("a ghp_01234|56789|abcdefghij", "a ghp_[masked]"),
        ("pass|word=hun|ter|", "pass|word=[masked]|"),
        ("|token: |abc123", "|token: |[masked]"),
    ],
)
def test_what_nobody_sees_hides_no_secret(unseen: str, text: str, masked: str) -> None:
    assert Mask()(text.replace("|", unseen)) == masked.replace("|", unseen)


def test_a_repeated_secret_is_found_with_what_nobody_sees_in_it() -> None:
    assert Mask.of(["password=hunt\u200ber-two"])("It is hunter\u200b-two.") == "It is [masked]."


@pytest.mark.parametrize(
    "text",
    [
        "token = next(tokens)",
        "token = next(\n    tokens)",
        'token = os.environ["TOKEN"]',
        "token = self.fetch(a, b).token",
        "password := read_password()",
        "if password == stored:",
        "def f(password: str, token: str = None)",
        'f"token={token}"',
        "max_tokens=100",
        "tokens: 120",
        "pass: 12, fail: 3",
        "passing=True",
        "PWD=/home/kim",
        "the token is invalid",
        "use --token to say who you are, [--password PASSWORD]",
        "--password --verbose",
        "--token <token>",
        '{"password": ""}',
        'password="${VAR}", token=${VAR}, secret=$VAR',
        "<password>***</password>",
        '{"password": {"type": "string", "title": "Password"}, "token": {}}',
        '{"password": null, "token": "None"}',
        'the words "password" [1]: x',
        "token [x]",
        "password: it is, x1234",
        "git@github.com:a/b ssh://git@github.com/a",
        "https://example.com/a?b=c@d",
        "https://example.com:443, kim@example.com",
        "http://[::1]:8080/x@y",
        "msg.content.more",
    ],
)
def test_code_and_prose_about_secrets_stay(text: str) -> None:
    assert Mask()(text) == text


REPEATED = ("password", "password=", 'password: "', "password=$", "password\\", "password=a,", "password=f(", "pwd ")
BRACKETS = ('"password":{', '"password":["', '"password":{"type":"', "<password>", "password>", '"token":[[')
SIGNS = ("aaaa", "://", "a://a:", '"', "\\", '\\"', "--a-", "sk-", "eyJ", "bearer ", "-----BEGIN A", "\u200b", "a.a@")


@pytest.mark.parametrize("unit", [*REPEATED, *BRACKETS, *SIGNS])
def test_a_text_made_to_be_slow_is_not(unit: str) -> None:
    text = "password ://" + unit * (250_000 // len(unit))
    began = time.perf_counter()
    Mask()(text)
    assert time.perf_counter() - began < 1


@given(st.text(alphabet="password=\"'\\:{}[],; a1\u200b@/", max_size=80))
def test_every_secret_stands_apart_in_the_text(rest: str) -> None:
    text = "password=" + rest
    found = find_secrets(text)
    assert all(0 <= start < end <= len(text) for start, end in found)
    assert all(one.end < other.start for one, other in itertools.pairwise(found))
