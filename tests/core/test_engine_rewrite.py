"""What `maintain` rewrote: a branch with the rest appended again says the same as the path with messages replaced."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.context import build
from core.engine_rewrite import amended, appended_again, branch
from core.format import open_session
from core.messages import Message
from core.prompt import blocks_of
from core.session import Session
from tests.core.drawn import call, opened, said
from tests.core.made import step

short = st.text("ab", min_size=1, max_size=3)
plain_entries = st.one_of(
    st.builds(lambda text: said("user", text), short),
    st.builds(lambda text: said("assistant", text, call("bash"), provider="p", model="m"), short),
    st.builds(lambda text: said("toolResult", text, toolCallId="t1", toolName="bash"), short),
    st.just({"type": "model_change", "provider": "p", "modelId": "m"}),
    st.builds(lambda text: {"type": "branch_summary", "summary": text, "fromId": "e0"}, short),
    st.builds(lambda text: {"type": "custom_message", "customType": "note", "content": text, "display": True}, short),
)


@st.composite
def histories(draw):
    """A path with compactions and context edits that name entries before them, and a side branch."""
    entries = draw(st.lists(plain_entries, min_size=1, max_size=10))
    found = []
    for entry in entries:
        found.append(entry)
        kind = draw(st.sampled_from(["", "", "", "compaction", "edit", "side"]))
        kept = f"e{draw(st.integers(0, len(found) - 1))}"
        if kind == "compaction":
            found.append({"type": "compaction", "summary": "s", "firstKeptEntryId": kept, "tokensBefore": 9})
        elif kind == "edit":
            replacement = draw(st.sampled_from([None, {"content": "edited"}]))
            found.append({"type": "context_edit", "targetId": kept, "replacement": replacement})
        elif kind == "side":
            above = f"e{len(found) - 1}"
            found.append({**said("user", "aside"), "parentId": above})
            found.append({**said("user", "on"), "parentId": above})
    return found


def rewrites_of(session: Session, rows: list[int]) -> dict[int, Message]:
    """Each of these rows that holds a message, shortened to its row number."""
    path = session.path_to(session.active_leaf)
    found = {}
    for row in {path[at % len(path)] for at in rows}:
        if session.type_of(row) == "message":
            raw = session.body(row)["message"]
            found[row] = Message.of({**raw, "content": [{"type": "text", "text": f"rewritten {row}"}]})
    return found


def written(session: Session, lines, folder) -> Session:
    """The copy as a file, read back."""
    path = folder / "copy.jsonl"
    with open(session.path, encoding="utf-8") as file:
        text = file.read()
    path.write_text(text + "".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return open_session(str(path))


@given(histories(), st.lists(st.integers(0, 30), max_size=3))
def test_the_branch_is_the_path_with_messages_replaced(tmp_path_factory, entries, rows):
    """Written and read back, the branch gives what is sent without making it; the path stays as it was."""
    folder = tmp_path_factory.mktemp("copy")
    session = opened(*entries, tmp_path=folder)
    path = session.path_to(session.active_leaf)
    rewrites = rewrites_of(session, rows)
    context = build(session, path)
    expected = [block.message.json() for block in amended(blocks_of(context), rewrites, step())]
    made = branch(session, path, rewrites)
    if made is None:
        assert not rewrites
        return
    copy = written(session, made.lines, folder)
    again = copy.path_to(copy.row_of(made.leaf))
    assert copy.active_leaf == copy.row_of(made.leaf)
    assert not {problem.code for problem in copy.problems} - {problem.code for problem in session.problems}
    assert len(again) == len(path)
    assert (made.again, made.size) == appended_again(session, path, rewrites)
    told = build(copy, again)
    kept = [message.json() for message in told.messages]
    # an edit made of the old entry still rules, in both
    assert [strip(value) for value in kept] == [strip(value) for value in expected]
    assert [m.json() for m in build(copy, path).messages] == [m.json() for m in context.messages]


def strip(value):
    """Without the id that a branch summary names, which follows into the branch."""
    return {name: held for name, held in value.items() if name != "fromId"} if isinstance(value, dict) else value


def test_the_drawing(tmp_path):
    """
    a ─ b ─ c       rewritten: b
     └─ b' ─ c'
    """
    session = opened(said("user", "a"), said("user", "b"), said("user", "c"), tmp_path=tmp_path)
    made = branch(session, (0, 1, 2), {1: Message.of({"role": "user", "content": "B"})})
    ids = [line["id"] for line in made.lines]
    assert [line["parentId"] for line in made.lines] == ["e0", ids[0]]
    assert made.lines[0]["message"]["content"] == "B"
    assert made.lines[1]["message"] == session.body(2)["message"]
    assert (made.again, made.leaf) == (1, ids[1])
    assert made.size == session.columns.size[2]
    assert not set(ids) & {"e0", "e1", "e2"}
    assert branch(session, (0, 1, 2), {}) is None


def test_only_entries_of_their_own_are_amended():
    """A block that a layer made, or a summary, is no entry; the rest are the very blocks."""
    from core.context import Origin
    from core.prompt import Block

    message = Message.of({"role": "user", "content": "x"})
    blocks = (
        Block.of(message, Origin((1,))),
        Block.of(message, Origin((2,), "summary")),
        Block.of(message, Origin((3,))),
    )
    new = Message.of({"role": "user", "content": "y"})
    context = step()
    found = amended(blocks, {2: new, 3: new}, context)
    assert found[:2] == blocks[:2]
    assert found[2].before is blocks[2]
    assert found[2].message is new
    assert amended(blocks, {3: new}, context)[2] is found[2], "the same edit of the same block is the same object"
    assert amended(blocks, {}, context) is blocks
    assert amended(blocks, {9: new}, context) is blocks


@pytest.mark.parametrize("pointer", ["firstKeptEntryId"])
def test_a_compaction_keeps_what_it_kept(tmp_path, pointer):
    """Its first kept entry is appended again under another id, and it names that one."""
    session = opened(
        said("user", "a"),
        said("user", "b"),
        {"type": "compaction", "summary": "s", pointer: "e1", "tokensBefore": 1},
        tmp_path=tmp_path,
    )
    made = branch(session, (0, 1, 2), {0: Message.of({"role": "user", "content": "A"})})
    assert made.lines[2][pointer] == made.lines[1]["id"]
