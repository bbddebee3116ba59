"""Documents and previews: what of a message is readable text, and what its one line says."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.context import Origin
from core.messages import Message
from core.prompt import Block
from gui.prompt_text import Document, document_of, preview_of
from gui.prompt_texts import Texts
from tests.gui.prompt_session import call, reply, result, user


def styles(document: Document) -> list[tuple[str, str]]:
    return [(section.style, document.text[section.start : section.end]) for section in document.sections]


def test_parts_in_order() -> None:
    """thinking, text, call: name and arguments; a newline between sections and nothing else."""
    message = Message.of(reply("I will.", call("read", path="a.py"), thinking=None))
    message = Message.of(
        {**message.json(), "content": [{"type": "thinking", "thinking": "Hm."}, *message.json()["content"]]}
    )
    document = document_of(message)
    assert styles(document) == [
        ("thinking", "Hm."),
        ("text", "I will."),
        ("name", "read"),
        ("call", '{\n  "path": "a.py"\n}'),
    ]
    assert document.text == 'Hm.\nI will.\nread\n{\n  "path": "a.py"\n}'


def test_what_is_no_text_has_a_label() -> None:
    """An image is told by size and kind, encrypted thinking as such; neither adds text to copy."""
    image = {"type": "image", "data": "A" * 1_600_000, "mimeType": "image/png"}
    hidden = {"type": "thinking", "thinking": "", "thinkingSignature": "s"}
    document = document_of(Message.of(user([image, hidden])))
    assert [str(section.label) for section in document.sections] == [
        "Image, 1.2\u202fMB png",
        "Thinking: the text is not in the file, only its signature",
    ]
    assert document.text.strip() == ""


def test_shapes_that_no_agent_should_write() -> None:
    """A content that is an object, a part that is no object, a command, a summary: all readable, none raises."""
    assert '"a": 1' in document_of(Message.of({"role": "weird", "content": {"a": 1}})).text
    assert document_of(Message.of(user([7, None, {"type": 3}]))).text == '7\nnull\n{\n  "type": 3\n}'
    assert document_of(Message.of(None)).text == "null"
    bash = {"role": "bashExecution", "command": "ls", "output": "a\nb", "exitCode": 2}
    assert document_of(Message.of(bash)).text == "$ ls\na\nb"
    assert document_of(Message.of({"role": "compactionSummary", "summary": "All."})).text == "All."


def test_preview_is_the_first_line_that_says_something() -> None:
    """Rulers shrink, blank and wordless lines are passed over, calls and failures are named."""
    assert preview_of(Message.of(user("\n\n  ---\n  Find   the cause.\nNow."))).text == "Find the cause."
    found = preview_of(Message.of(result("exec", "=====================\n========== test session starts ==========")))
    assert (found.text, found.tool) == ("=== test session starts ===", "exec")
    assert preview_of(Message.of(reply("", call("read"), call("edit")))).calls == ("read", "edit")
    assert preview_of(Message.of(result("exec", "no", isError=True))).failed == "failed"
    assert preview_of(Message.of(reply("Half an", stopReason="aborted"))).failed == "aborted"
    thought = preview_of(Message.of({"role": "assistant", "content": [{"type": "thinking", "thinking": "Hm."}]}))
    assert (thought.text, thought.thinking) == ("Hm.", True)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)
PARTS = st.lists(
    JSON
    | st.builds(lambda text: {"type": "text", "text": text}, st.text())
    | st.builds(lambda text: {"type": "thinking", "thinking": text}, st.text())
    | st.builds(lambda name, given: {"type": "toolCall", "name": name, "arguments": given}, JSON, JSON),
    max_size=5,
)


@given(st.sampled_from(["user", "assistant", "toolResult", "bashExecution", "branchSummary", "x"]), PARTS | JSON)
def test_sections_cover_the_text(role: str, content: object) -> None:
    """For any message: sections in order, a newline between neighbours, no character outside; a preview is one line."""
    message = Message.of({"role": role, "content": content})
    document = document_of(message)
    at = 0
    for number, section in enumerate(document.sections):
        assert section.start == (at + 1 if number else 0)
        assert section.end >= section.start
        at = section.end
    assert at == len(document.text)
    assert "\n" not in preview_of(message).text


def test_documents_are_made_once() -> None:
    """The same message in another request is the same document; the bound drops the oldest."""
    texts = Texts()
    blocks = [Block.of(Message.of(user(f"{number}" * 10)), Origin((number,))) for number in range(3)]
    first = texts.document(blocks[0])
    assert texts.document(blocks[0]) is first
    texts.LIMIT = 15  # type: ignore[misc]
    texts.document(blocks[1])
    assert texts.document(blocks[0]) is not first


def test_letters_that_grow_are_not_lowered() -> None:
    """İ becomes two characters when small: places would shift, so there is no small form."""
    texts = Texts()
    assert texts.lowered(Block.of(Message.of(user("İstanbul")), Origin((0,)))) == ""
    assert texts.lowered(Block.of(Message.of(user("Straße")), Origin((0,)))) == "straße"
