"""Secrets by their form: found, replaced, marked; ordinary code is left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.redaction import masked, redact, secrets

A = "Ab3dEf6hIj9kLm2nOp5q"
KEYS = {
    "Anthropic key": f"sk-ant-api03-{A}{A}",
    "OpenAI key": f"sk-proj-{A}{A}",
    "OpenRouter key": f"sk-or-v1-{A}",
    "GitHub token": f"ghp_{A}{A[:16]}",
    "GitLab token": f"glpat-{A}",
    "AWS key": "AKIAIOSFODNN7EXAMPLE",
    "Google key": "AIza" + (A + A)[:35],
    "Slack token": f"xoxb-123456789012-{A}",
    "Stripe key": f"sk_live_{A}",
    "Hugging Face token": f"hf_{A}{A[:12]}",
    "npm token": "npm_" + (A + A)[:36],
    "PyPI token": f"pypi-AgEIcHlwaS5vcmc{A}{A}",
    "Telegram token": "123456789:AA" + (A + A)[:33],
    "web token": f"eyJhbGciOiJIUzI1NiJ9.eyJ{A}.{A}",
    "private key": f"-----BEGIN RSA PRIVATE KEY-----\n{A}\n{A}\n-----END RSA PRIVATE KEY-----",
}


@pytest.mark.parametrize("kind", KEYS)
def test_keys_by_their_form(kind: str) -> None:
    """Whatever stands around it, and the mark covers just the note that took its place."""
    found = redact(f"use {KEYS[kind]}, please")
    assert KEYS[kind] not in found.text
    (mark,) = found.marks
    assert (mark.kind, mark.length) == (kind, len(KEYS[kind]))
    assert found.text[mark.start : mark.end] == f"[redacted: {kind} 1]"
    assert found.text == f"use [redacted: {kind} 1], please"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"API_KEY={A}", "API_KEY=[redacted: secret value 1]"),
        (f'{{"db_password": "{A}"}}', '{"db_password": "[redacted: secret value 1]"}'),
        (f"export STRIPE_SECRET='{A}'", "export STRIPE_SECRET='[redacted: secret value 1]'"),
        (f"export GH_TOKEN={KEYS['GitHub token']}", "export GH_TOKEN=[redacted: GitHub token 1]"),
        (f"Authorization: Bearer {A}", "Authorization: Bearer [redacted: authorization 1]"),
        ("postgres://app:hunter2@db/x", "postgres://app:[redacted: password 1]@db/x"),
        (f"token: {A} and token: {A}", "token: [redacted: secret value 1] and token: [redacted: secret value 1]"),
    ],
)
def test_values_by_their_name(text: str, left: str) -> None:
    """The name stays, the value goes; one secret has one number."""
    assert redact(text).text == left


@pytest.mark.parametrize(
    "text",
    [
        "max_tokens=16384",
        "const token = process.env.GITHUB_TOKEN",
        "tokens: estimateTokens(message)",
        "password = getpass.getpass()",
        "secret: ${{ secrets.NPM_TOKEN }}",
        "the key=value form",
        "https://example.org/a:b@c",
        "see https://example.org:8080/path",
        "sk-learn is fine",
        "tokenCount: 123456789",
        "API_KEY=",
        "token = undefined",
        "password: ********",
    ],
)
def test_code_about_secrets_is_none(text: str) -> None:
    """Names, numbers, stars, references to the environment."""
    assert redact(text).marks == ()
    assert redact(text).text is text


@given(st.text(alphabet="ab \n=:'\"/@[]", max_size=60), st.sampled_from(sorted(KEYS)), st.text(max_size=20))
def test_what_was_redacted_holds_no_secret(before: str, kind: str, after: str) -> None:
    """Of any text: a second look finds nothing, and nothing outside the marks was changed."""
    text = f"{before} {KEYS[kind]} {after}"
    found = redact(text)
    assert KEYS[kind] not in found.text
    assert redact(found.text).marks == ()
    left, at = "", 0
    for mark, secret in zip(found.marks, secrets(text), strict=True):
        left += found.text[at : mark.start] + text[secret.start : secret.end]
        at = mark.end
    assert left + found.text[at:] == text


@pytest.mark.parametrize("kind", KEYS)
def test_a_masked_secret_says_what_it_is_and_no_more(kind: str) -> None:
    """Six characters at most."""
    assert len(masked(KEYS[kind])) <= 7
    assert masked("abc") == "a…"
