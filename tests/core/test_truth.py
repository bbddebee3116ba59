"""Our prompt against the recorded one: what counts as equal, what cannot be compared, and where a difference began."""

from __future__ import annotations

import json

import pytest

from core import counter as counters
from core import counts as tables
from core import steps, timeline
from core.conversion import to_provider
from core.format import open_session
from core.messages import Message
from core.profile import default_policy
from core.prompt import Block, Origin
from core.text import Span
from core.trace_calls import calls_of, recordings
from core.trace_records import json_digest
from core.truth import Truth, truth
from core.truth_blocks import likeness
from tests.core.traces import answer, event, opened, result, session_lines, stage, traced, user, write
from tests.resources.test_samples import FOLDER


def compared(session, recorded, number: int, **settings) -> Truth:
    """Request `number` of the path against its call, under the session's own policy."""
    counter = counters.make("chars", session)
    counts = tables.count(session, counter)
    line = timeline.build(session, session.active_leaf, counts, 2_000 if settings else None)
    profile = default_policy("openclaw")
    for name, values in settings.items():
        profile = profile.set(name, **values)
    made = steps.trace(session, line, counts, number, profile, counter=counter)
    call = recorded.call(line.summaries[number - 1].request.entry)
    assert call is not None
    return truth(call, made)


def verdicts(found: Truth) -> list[str]:
    return [row.verdict for row in found.rows]


LONG = "line of a file\n" * 400
TALK = session_lines(
    user("a"), answer("b", "c1"), result("c1", LONG, details={"ui": 1}), answer("d"), user("e"), answer("f")
)


def sent(*numbers: int) -> list:
    """Messages of TALK as the provider gets them."""
    kept = [{key: value for key, value in TALK[at]["message"].items() if key != "details"} for at in numbers]
    return json.loads(json.dumps(kept))


def test_every_request_of_the_sample_equals_its_trace():
    """All seventeen calls, in all their stages, block by block."""
    session = open_session(FOLDER / "traced-session.jsonl")
    recorded = recordings(session, ())[0]
    for number in range(1, 18):
        found = compared(session, recorded, number)
        assert {stage.counts["differs"] + stage.counts["not_comparable"] for stage in found.stages} == {0}
        assert found.equal == len(found.rows) > 0
        assert found.began is None


def test_details_and_times_are_never_sent(tmp_path):
    """Only what reaches the model is compared."""
    session, recorded = traced(tmp_path, TALK, [stage("stream:context", 34, messages=TALK_MESSAGES)])
    found = compared(session, recorded, 2)
    assert (verdicts(found), found.began) == (["equal"] * 3, None)


TALK_MESSAGES = [entry["message"] for entry in TALK[1:4]]


def test_a_difference_is_at_its_character(tmp_path):
    """The block, the part and the unit; none of our steps made it, since the file has it that way."""
    messages = sent(1, 2, 3)
    messages[1]["content"][0]["text"] = "bother"
    session, recorded = traced(tmp_path, TALK, [stage("stream:context", 34, messages=messages)])
    found = compared(session, recorded, 2)
    assert verdicts(found) == ["equal", "differs", "equal"]
    assert (found.rows[1].text, found.rows[1].unit, found.rows[1].step) == (0, 1, None)
    assert found.began == ("stream:context", None)


def test_a_cut_of_ours_is_named(tmp_path):
    """The agent sent the result whole, ours was cut by the guard: the step that replaced the whole version."""
    session, recorded = traced(tmp_path, TALK, [stage("stream:context", 34, messages=sent(1, 2, 3))])
    found = compared(session, recorded, 2, guard_single={"share": 0.5})
    assert verdicts(found) == ["equal", "equal", "differs"]
    assert found.began == ("stream:context", "guard_single")


def test_what_only_one_side_has(tmp_path):
    """A message that was dropped is named with the step that dropped it; one that is only ours with its maker."""
    lines = session_lines(user("a"), answer("b", "c1"), user("e"), answer("f"))
    messages = [entry["message"] for entry in lines[1:4]]
    session, recorded = traced(tmp_path, lines, [stage("stream:context", 34, messages=messages)])
    found = compared(session, recorded, 2)
    assert [(row.ours, row.recorded, row.verdict, row.step) for row in found.rows] == [
        (0, 0, "equal", None),
        (1, 1, "equal", None),
        (2, None, "differs", "repair_pairs"),  # the result that the agent would have made up
        (3, 2, "equal", None),
    ]


def test_stages_of_the_agent(tmp_path):
    """A stage stands behind our step; the prompt joins only when it is sent."""
    history, prompt = sent(1, 2, 3, 4), sent(5)
    spoiled = [*history[:2], {**history[2], "content": []}, history[3]]
    trace = [
        stage("session:loaded", 51, messages=[entry["message"] for entry in TALK[1:5]]),
        stage("session:sanitized", 51, messages=history),
        stage("session:limited", 51, messages=spoiled),
        stage("stream:context", 54, messages=[*spoiled, *prompt]),
    ]
    session, recorded = traced(tmp_path, TALK, trace)
    found = compared(session, recorded, 3)
    assert [(item.stage, item.upto, item.counts["equal"], item.counts["differs"]) for item in found.stages] == [
        ("session:loaded", "session_context", 4, 0),
        ("session:sanitized", "strip_details", 4, 0),
        ("session:limited", "repair_pairs#2", 3, 1),
        ("stream:context", "guard_overflow", 4, 1),
    ]
    assert found.began == ("session:limited", None)


def test_a_lossy_trace_hides_what_it_cut(tmp_path):
    """A text that ends early, pictures and missing items are not comparable; another text differs all the same."""
    cut = sent(1, 2, 3)
    cut[2]["content"][0]["text"] = LONG[:500] + "… [cut]"
    cut[1]["content"][0]["text"] = "other"
    session = open_session(write(tmp_path / "s.jsonl", TALK))
    lines = [event("context.compiled", 51, transcriptLeafId="e4", messages=[*cut, *sent(4)])]
    found = compared(session, calls_of(session, opened(tmp_path, lines)), 3)
    assert verdicts(found) == ["equal", "differs", "not_comparable", "equal"]
    empty = [event("context.compiled", 51, transcriptLeafId="e4", messages=[])]
    found = compared(session, calls_of(session, opened(tmp_path, empty)), 3)
    assert set(verdicts(found)) == {"not_comparable"}


def test_fingerprints_prove_equality_only(tmp_path):
    """Without messages an equal digest counts; another one covers fields that are never sent."""
    prints = [json_digest(TALK[1]["message"]), "0" * 64]
    line = stage("stream:context", 34, messageCount=3, messageFingerprints=prints)
    session, recorded = traced(tmp_path, TALK, [line])
    assert verdicts(compared(session, recorded, 2)) == ["equal", "not_comparable", "not_comparable"]


def test_words_of_a_notice_count_by_their_length():
    """Kept spans must be equal at their places; what was inserted between is known by its length only."""
    whole = Message.of(result("c", "0123456789"))
    (part,) = whole.parts
    cut = part.text.cut(Span(0, 3), "[ours]", Span(8, 10))
    ours = Message(whole.role, whole.shape, (type(part)(part.kind, cut, part.raw),), whole.fields)
    block = Block.of(ours, Origin((0,)))
    for text, verdict in (("012[them]89", "equal"), ("012[them!]89", "differs"), ("01X[them]89", "differs")):
        assert likeness(block, Message.of(result("c", text)), lossy=False).verdict == verdict


@pytest.mark.parametrize("field", ["toolName", "toolCallId", "isError"])
def test_names_are_sent_too(field):
    raw = result("c", "x")
    block = Block.of(Message.of(raw), Origin((0,)))
    other = json.loads(json.dumps(raw)) | {field: "other"}
    assert likeness(block, Message.of(other), lossy=True).verdict == "differs"


def test_a_summary_stands_in_words_of_the_agent():
    """The introduction around it is as long as the agent's, its words are ours; the summary itself must be there."""
    summary = Block.of(Message.of({"role": "compactionSummary", "summary": "what was"}), Origin((0,), "summary"))
    (ours,) = to_provider((summary,), {})
    length = len(ours.message.text())
    theirs = "x" * 96 + "what was" + "y" * (length - 96 - 8)
    assert likeness(ours, Message.of(user(theirs)), lossy=False).verdict == "equal"
    assert likeness(ours, Message.of(user(theirs.replace("was", "is!"))), lossy=False).verdict == "differs"
