"""Profiles: read, write, change, compare; and what a policy file may not hold."""

from __future__ import annotations

import tomllib
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import profile as profiles
from core.errors import InputError, RequestError, UsageError
from core.phrase import render
from core.profile import (
    changed,
    changes,
    default_policy,
    index_of_change,
    named,
    parse,
    policies,
    policy,
    read,
    said,
    text,
    write,
)
from core.settings import Choice, Number, Patterns, Switch, specs

MINIMAL = """
id = "mine"
[[layer]]
use = "guard_single"
"""


def parsed(toml: str):
    return parse(tomllib.loads(toml), "mine.toml")


def test_a_file_may_be_short():
    """Everything but id and layers has a default; a layer's thresholds too."""
    found = parsed(MINIMAL)
    assert (found.id, found.title, found.family, found.reserve, found.reorder, found.window) == (
        "mine",
        "mine",
        "anthropic",
        0,
        False,
        None,
    )
    [instance] = found.instances
    assert (instance.name, instance.on, instance.settings.share) == ("guard_single", True, 0.5)


def test_a_whole_file():
    found = parsed(
        """
        id = "mine"
        title = "My policy"
        source = "me"
        date = 2026-05-01
        family = "openai"
        reserve = 1000
        reorder = true
        window = 50000
        base = "pi"
        oddities = ["says who"]
        [[layer]]
        use = "repair_pairs"
        name = "again"
        on = false
        set = { variant = "safe", invent = false }
        """
    )
    assert (found.date, found.family, found.window, found.base) == (date(2026, 5, 1), "openai", 50_000, "pi")
    [instance] = found.instances
    assert (instance.name, instance.layer, instance.on) == ("again", "repair_pairs", False)
    assert (instance.settings.variant, instance.settings.invent) == ("safe", False)


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ('id = "x"', "is no policy (KeyError: 'layer')"),
        ('[[layer]]\nuse = "guard_single"', "is no policy (KeyError: 'id')"),
        ('id = "x"\nlayer = 3', "is no policy"),
        ('id = "x"\nlayer = ["guard_single"]', "is no policy"),
        ('id = "x"\n[[layer]]\nuse = "far"', "uses a layer “far” that is not there"),
        ('id = "x"\n[[layer]]\nuse = ["a"]', "is no policy"),
        (
            'id = "x"\n[[layer]]\nuse = "guard_single"\n[[layer]]\nuse = "guard_single"',
            "two steps called “guard_single”",
        ),
        (f"{MINIMAL}set = {{ share = 7 }}", "guard_single.share cannot be “7”"),
        (f"{MINIMAL}set = {{ shape = 7 }}", "guard_single has no setting “shape”"),
        (f"{MINIMAL}set = 7", "is no policy"),
        (f'reserve = "much"\n{MINIMAL}', "is no policy"),
        (f"window = [1]\n{MINIMAL}", "is no policy"),
    ],
)
def test_what_is_wrong_with_a_file(toml, said):
    """The place and the fault, never another exception."""
    with pytest.raises(InputError) as refused:
        parsed(toml)
    assert "mine.toml" in str(refused.value)
    assert said in str(refused.value)


@pytest.mark.parametrize("data", [b"\xff\xfe", b"id = ", b""])
def test_a_file_that_is_none(tmp_path, data):
    (tmp_path / "p.toml").write_bytes(data)
    with pytest.raises(InputError, match=r"p\.toml"):
        read(tmp_path / "p.toml")
    with pytest.raises(InputError, match=r"none\.toml"):
        read(tmp_path / "none.toml")


@pytest.mark.parametrize("name", policies())
def test_what_is_written_is_read_again(name, tmp_path):
    """Export and import give the same policy; a person's own words may hold anything."""
    found = policy(name)
    assert parsed(text(found)) == found
    write(found, tmp_path / "p.toml")
    assert read(tmp_path / "p.toml") == found
    assert named(str(tmp_path / "p.toml")) == found
    assert list(tmp_path.iterdir()) == [tmp_path / "p.toml"]


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="cannot be written"):
        write(policy("pi"), tmp_path / "no" / "p.toml")


def any_value(spec):
    match spec:
        case Number():
            return st.integers(int(spec.low) + 1, int(spec.high)) if spec.whole else st.floats(spec.low, spec.high)
        case Choice():
            return st.sampled_from(spec.options)
        case Switch():
            return st.booleans()
        case Patterns():
            return st.lists(st.text(min_size=1).filter(lambda t: t.strip() == t and "," not in t)).map(tuple)


@given(st.data(), st.sampled_from(sorted(policies())), st.text())
def test_any_profile_survives_the_way_through_a_file(data, name, words):
    """Whatever the thresholds are and whatever the title says, quotes, line ends and half characters left out."""
    found = policy(name)
    for instance in found.instances:
        for field, spec in specs(instance.settings).items():
            if data.draw(st.booleans()):
                found = found.set(instance.name, **{field: data.draw(any_value(spec))})
    found = profiles.replace(found, title=words.encode("utf-8", "ignore").decode())
    assert parsed(text(found)) == found


# changing


def test_a_threshold_and_a_switch():
    """A new value each time; the policy itself stays as it was."""
    base = policy("openclaw-2026.4.5")
    found = base.set("guard_context", share=0.6).switch("replay_filter", False)
    assert found.instance("guard_context").settings.share == 0.6
    assert not found.instance("replay_filter").on
    assert base.instance("guard_context").settings.share == 0.75
    assert changes(found) == ("replay_filter", "guard_context.share")
    assert changes(base) == ()


def test_changes_of_a_policy_of_ones_own():
    """Against the policy it was made from; nothing is known of one that is made from nothing."""
    own = profiles.replace(policy("pi"), id="mine", base="pi", reorder=True)
    assert changes(own.moved("repair_pairs", 0)) == ("order",)
    assert changes(profiles.replace(own, base="", id="other")) == ()
    shorter = profiles.replace(own, instances=own.instances[1:])
    assert changes(shorter) == ("order",)


def test_the_order_is_fixed_in_the_built_in_ones():
    """Copying a policy is what makes it one's own."""
    with pytest.raises(RequestError, match="order of pi is fixed"):
        policy("pi").moved("repair_pairs", 0)
    own = profiles.replace(policy("pi"), reorder=True).moved("provider_messages", -3)
    assert [i.name for i in own.instances] == ["provider_messages", "replay_filter", "repair_pairs"]
    with pytest.raises(RequestError, match="has no step “far”"):
        own.moved("far", 0)


def test_steps_named_in_an_order():
    """They stand so at the places that they held together; the others stay where they are."""
    own = policy("order-2026.4.5")
    found = own.ordered(["repair_pairs#2", "limit_history", "repair_pairs"])
    assert [made.name for made in found.instances][2:7] == [
        *("repair_pairs#2", "strip_details", "validate_turns", "limit_history", "repair_pairs")
    ]
    assert changes(found) == ("order",)
    assert own.ordered([]) == own.ordered(["limit_history"]) == own
    with pytest.raises(UsageError, match="twice"):
        own.ordered(["repair_pairs", "repair_pairs"])
    with pytest.raises(RequestError, match="has no step “far”"):
        own.ordered(["far"])
    with pytest.raises(RequestError, match="order of pi is fixed"):
        policy("pi").ordered(["repair_pairs", "replay_filter"])


def test_the_free_order_is_that_of_the_recorded_agent():
    """The experiment begins with the same steps and thresholds."""
    assert policy("order-2026.4.5").instances == policy("openclaw-2026.4.5").instances


def test_the_first_changed_step():
    """From there on the pipeline runs again."""
    base = policy("openclaw-2026.4.5")
    assert index_of_change(base, base) is None
    at = base.instances.index(base.instance("guard_context"))
    assert index_of_change(base, base.set("guard_context", share=0.6)) == at
    assert index_of_change(base, profiles.replace(base, instances=base.instances[:3])) == 3
    more = (*base.instances, base.instances[0])
    assert index_of_change(base, profiles.replace(base, instances=more)) == len(base.instances)


@pytest.mark.parametrize(
    ("word", "get"),
    [
        ("guard_context.share=0.6", lambda p: p.instance("guard_context").settings.share == 0.6),
        ("repair_pairs#2.variant=safe", lambda p: p.instance("repair_pairs#2").settings.variant == "safe"),
        ("repair_inputs.names=2026.3.24", lambda p: p.instance("repair_inputs").settings.names == "2026.3.24"),
        ("repair_inputs.allowed=read,a=b", lambda p: p.instance("repair_inputs").settings.allowed == ("read", "a=b")),
        ("replay_filter=off", lambda p: not p.instance("replay_filter").on),
        ("replay_filter=on", lambda p: p.instance("replay_filter").on),
    ],
)
def test_a_word_of_the_command_line(word, get):
    """STEP.FIELD=VALUE: the last dot parts the field, the first equals sign the value."""
    assert get(changed(policy("openclaw-2026.4.5"), word))


@pytest.mark.parametrize("word", ["", "guard_context", "guard_context.share", "guard_context=much", "=on"])
def test_a_word_that_is_none(word):
    with pytest.raises((UsageError, RequestError)):
        changed(policy("openclaw-2026.4.5"), word)


def test_names():
    """Those that exist are named where one does not."""
    with pytest.raises(RequestError, match=r"openclaw-2026\.4\.5"):
        policy("nobody's")
    assert default_policy("openclaw").id == "openclaw-2026.4.5"
    assert default_policy("pi").id == "pi"
    assert default_policy("claude-code").id == "pi"


def test_words_of_a_policy():
    """Ids of phrases become sentences, a person's own words stay."""
    assert render(said("policy.title.article-1"), "zh_CN") == "文章一（最新优先）"
    assert render(said("OpenClaw 2026.4.5")) == "OpenClaw 2026.4.5"
