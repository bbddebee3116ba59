"""The worker's side of the Compaction tab: cuts, exact prompts, audits, runs, pass 2, stopping, the new file."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.compaction import Settings, Texts
from core.errors import RequestError
from core.format import open_session
from core.phrase import Phrase
from core.profile import policy
from core.summarizers import anthropic, extractive, recorded, scripted
from core.summarizing import Call
from gui import compaction_task
from gui.compaction_facts import By, Facts, Outcome, Wish
from gui.compaction_task import append, carry, look
from resources.samples import hostile_details
from tests.core.summarizers.loopback import serving
from tests.gui.compaction_session import RULES, SECRET, compacted, go_on, talked

SAMPLES = Path(__file__).parent.parent.parent / "resources" / "samples"
OFFLINE = By("extractive", extractive.Settings())


def script(**values: object) -> By:
    return By("scripted", scripted.Settings(**values))  # type: ignore[arg-type]


def wish(path: Path, request: int | None = None, place: int | None = None, **rules: object) -> Wish:
    session = open_session(path)
    settings = Settings(**{**RULES, **rules})  # type: ignore[arg-type]
    profile = replace(policy("openclaw-2026.4.5"), window=10_000)
    return Wish(str(path), session.active_leaf, "chars", request, place, settings, Texts(), profile)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return talked(tmp_path / "talk.jsonl")


class Line:
    """What a task tells the window; says stop after so many words."""

    def __init__(self, stop_after: int = 10**9) -> None:
        self.parts: list[Any] = []
        self.said: list[Phrase] = []
        self._left = stop_after

    def __call__(self, said: Phrase, share: float | None) -> bool:
        self.said.append(said)
        self._left -= 1
        return self._left > 0

    def part(self, value: Any) -> None:
        self.parts.append(value)


def test_a_cut_is_told_before_its_identifiers(file: Path) -> None:
    """Chunks, prompts and tail come as a part; what they hold comes with the end, and fits through a pipe."""
    line = Line()
    facts, outcome = look(wish(file), line)
    assert line.parts == [facts]
    assert pickle.loads(pickle.dumps((facts, outcome))) == (facts, outcome)
    assert [chunk.stage for chunk in facts.chunks].count("chunk") >= 2
    assert sum(chunk.tokens for chunk in facts.chunks) == facts.tokens
    assert [row for chunk in facts.chunks for row in chunk.rows] == list(facts.rows)
    assert facts.end is not None
    assert facts.limit == 1_600
    assert facts.end == 1_333  # 1,600 / 1.2
    assert outcome.summary is None
    assert {"src/file0.py", "src/file1.py"} <= {name.text for name in outcome.names}
    assert all(name.kept is None and not name.lost for name in outcome.names)


def test_the_prompt_is_what_would_be_sent(file: Path) -> None:
    """System text first; the secret is replaced where the mark says; details are nowhere."""
    facts, _ = look(wish(file), go_on)
    first = facts.chunks[0]
    (mark,) = first.marks
    assert first.prompt[mark.start : mark.end].startswith("[redacted: GitHub token")
    assert all(SECRET not in chunk.prompt and "HOSTILE" not in chunk.prompt for chunk in facts.chunks)


def test_hostile_details_reach_no_summarizer() -> None:
    """The sample whose tool results carry an injection for whoever summarises them."""
    path = SAMPLES / "hostile-details.jsonl"
    facts, _ = look(wish(path, keep=500), go_on)
    for order in (*hostile_details.ORDERS, hostile_details.STATUS):
        assert json.dumps(order, ensure_ascii=False)[1:-1] in path.read_text(encoding="utf-8")
        assert not [chunk for chunk in facts.chunks if order in chunk.prompt]


def test_a_recorded_compaction_is_audited(tmp_path: Path) -> None:
    """Kept, lost, and lost but asked for again; which entries it stands for; that nobody knows its calls."""
    path = compacted(tmp_path / "c.jsonl")
    session = open_session(path)
    row = next(row for row in range(len(session)) if session.type_of(row) == "compaction")
    facts, outcome = look(wish(path, place=row), go_on)
    by_text = {name.text: name for name in outcome.names}
    assert by_text["src/file0.py"].kept
    assert by_text["src/file1.py"].missed
    assert [name.text for name in outcome.missed][:1] == ["src/file1.py"] == [outcome.names[0].text]
    assert outcome.recorded
    assert outcome.calls == ()
    assert facts.rows == tuple(range(28))
    assert facts.request == 17
    assert by_text["src/file1.py"].rows[0] in facts.rows


@pytest.mark.parametrize(
    ("own", "broken", "level"),
    [
        ({}, frozenset(), 1),
        ({"fail": ("1",)}, frozenset(), 1),
        ({}, frozenset({1}), 2),
        ({"fail": ("all",)}, frozenset(), 3),
    ],
)
def test_scripted_reaches_every_rung(file: Path, own: dict[str, object], broken: frozenset[int], level: int) -> None:
    """Never empty, never an exception; every call is told as it comes back."""
    line = Line()
    _, outcome = carry(wish(file), replace(script(**own), broken=broken), line)
    assert outcome.rung == level
    assert outcome.summary
    assert tuple(part for part in line.parts if isinstance(part, Call)) == outcome.calls
    assert isinstance(line.parts[0], Facts)
    if level == 3:
        assert outcome.summary.startswith("Context contained ")


def test_pass_2_says_whether_it_fits(file: Path) -> None:
    """With a tail that is too large for the guard the agent would give up, and there is no third pass."""
    fits = carry(wish(file), OFFLINE, go_on)[1].again
    assert fits is not None
    assert not fits.overflow
    assert fits.total is not None
    assert fits.limit is not None
    assert fits.total <= fits.limit
    at = wish(file)
    tight = replace(at.profile, window=600).switch("guard_context", False)
    over = carry(replace(at, profile=tight), OFFLINE, go_on)[1].again
    assert over is not None
    assert over.overflow


def test_the_recorded_summary_can_be_carried_again(tmp_path: Path) -> None:
    """At its own place the summarizer "recorded" gives what the file has; elsewhere it cannot be made."""
    path = compacted(tmp_path / "c.jsonl")
    session = open_session(path)
    row = next(row for row in range(len(session)) if session.type_of(row) == "compaction")
    by = By("recorded", recorded.Settings())
    _, outcome = carry(wish(path, place=row, parts=1), by, go_on)
    assert session.body(row)["summary"] in (outcome.summary or "")
    with pytest.raises(RequestError):
        carry(wish(talked(tmp_path / "t.jsonl")), by, go_on)


def test_anthropic_without_consent_or_key_asks_nobody(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said before the first call, and without consent no key is even looked for."""
    with monkeypatch.context() as patch:
        patch.setattr(anthropic, "key_of", lambda environ: pytest.fail("looked for a key"))
        with pytest.raises(RequestError, match="Nothing was sent"):
            carry(wish(file), By("anthropic", anthropic.Settings()), go_on)
    monkeypatch.setattr(anthropic, "key_of", lambda environ: None)
    with pytest.raises(RequestError, match="There is no key"):
        carry(wish(file), By("anthropic", anthropic.Settings(), consent=True), go_on)


def test_anthropic_is_asked_with_consent(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against a server on this machine: what is sent is what the prompt says, its tokens are the provider's."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test")
    at = wish(file)
    facts, _ = look(at, go_on)
    with serving() as server:
        by = By("anthropic", anthropic.Settings(), "claude-sonnet-4-5", server.address, True)
        _, outcome = carry(at, by, go_on)
        bodies = [body for _, body in server.requests]
    assert outcome.rung == 1
    assert all(call.counted for call in outcome.calls)
    assert outcome.cost is not None
    first = facts.chunks[0].prompt
    assert first == bodies[0]["system"] + "\n\n" + bodies[0]["messages"][0]["content"]
    assert not [body for body in bodies if SECRET in json.dumps(body)]


def test_stopping_leaves_no_summary_to_use(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Outcome says it was stopped; an index that was stopped is not kept."""
    monkeypatch.setattr(compaction_task, "OFTEN", 0.0)
    _, outcome = carry(wish(file), script(), Line(stop_after=1))
    assert outcome.stopped
    compaction_task._indices.clear()
    look(wish(file), Line(stop_after=2))
    assert not compaction_task._indices
    look(wish(file), Line())
    assert compaction_task._indices


def test_waiting_between_attempts_can_be_stopped(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A provider that asks for a minute holds nobody up who has stopped."""
    slept: list[float] = []
    monkeypatch.setattr(scripted, "LEAVES", True)
    monkeypatch.setattr(compaction_task.time, "sleep", slept.append)
    monkeypatch.setattr(compaction_task, "OFTEN", 0.0)
    _, outcome = carry(wish(file), script(fail=("all",), retry_after=50.0), Line(stop_after=6))
    assert outcome.stopped
    assert sum(slept) < 1


def test_nothing_to_summarise_is_said(file: Path) -> None:
    with pytest.raises(RequestError, match="nothing to summarise"):
        look(wish(file, request=1), go_on)


def test_a_new_file_is_written_and_nothing_over_another(file: Path, tmp_path: Path) -> None:
    """The session as it was, and the compaction behind it; the agent's next context begins with the summary."""
    before = file.read_bytes()
    at, target = wish(file), tmp_path / "new.jsonl"
    facts, outcome = carry(at, OFFLINE, go_on)
    assert outcome.summary is not None
    size = append(at, outcome.summary, str(target), go_on)
    made = target.read_bytes()
    assert len(made) == size
    assert made.startswith(before)
    session = open_session(target)
    last = session.body(len(session) - 1)
    assert last["type"] == "compaction"
    assert last["summary"] == outcome.summary
    assert session.row_of(last["firstKeptEntryId"]) == facts.first_kept
    with pytest.raises(RequestError):
        append(at, outcome.summary, str(target), go_on)
    assert file.read_bytes() == before


def test_another_summary_of_a_path_reads_nothing_again(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The index of the identifiers is kept by path."""
    compaction_task._indices.clear()
    look(wish(file), go_on)
    monkeypatch.setattr(compaction_task, "mentions", lambda *a: pytest.fail("indexed again"))
    found: Outcome = carry(wish(file, keep=1_000), OFFLINE, go_on)[1]
    assert found.names
