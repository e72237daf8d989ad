"""What looks like a secret is masked; ids, hashes and prose are not."""

from __future__ import annotations

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
