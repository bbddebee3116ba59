"""Workspace files on their way into the system prompt: order, cuts, and what is left of each."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import context_files, javascript
from core.context_files import ContextFile, Limits, WorkspaceFile
from tests.reference.vectors import UNDEFINED, assert_same, cases

names = st.sampled_from(["AGENTS.md", "soul.MD", "HEARTBEAT.md", "x.md", "X.md", "é.md", "_a.md", "10.md", "9.md"])
paths = st.tuples(st.sampled_from(["", "/w/", "/a/", "C:\\w\\", " /w/"]), names).map("".join)


@pytest.mark.parametrize("case", cases("isDynamicContextFile"))
def test_dynamic_agrees(case):
    assert_same(context_files.is_dynamic(case.input["path"]), case.output["value"])


@pytest.mark.parametrize("case", cases("sortContextFilesForPrompt"))
def test_order_agrees(case):
    assert_same(context_files.in_order(case.input["paths"]), case.output["value"])


@pytest.mark.parametrize("case", cases("resolveBootstrapLimits"))
def test_limits_agree(case):
    found = Limits.of_config(case.input.get("config"))
    assert_same({"maxChars": found.each, "totalMaxChars": found.total}, case.output["value"])


def file_of(raw):
    path, content = raw.get("path"), raw.get("content")
    return WorkspaceFile(
        raw.get("name", ""),
        path if isinstance(path, str) else "",
        content if isinstance(content, str) else "",
        bool(raw.get("missing")),
    )


def mark(name: str, head: int, tail: int, size: int) -> str:
    """The harness put "~" in place of the marker's words, as many as it has units."""
    return "~" * (74 + 2 * len(name) + len(f"{head}{tail}{size}"))


@pytest.mark.parametrize("case", cases("buildBootstrapContextFiles"))
def test_cuts_agree(case):
    told = {name: value for name, value in (case.input.get("options") or {}).items() if value is not UNDEFINED}
    each = told.get("maxChars", 20_000)
    limits = Limits(each, told.get("totalMaxChars", max(each, 150_000)))
    found = context_files.inject([file_of(raw) for raw in case.input["files"]], limits, mark)
    files = [
        {"path": file.path, "length": javascript.length(file.content), "content": file.content} for file in found.files
    ]
    assert_same({"files": files, "warnings": len(found.warnings)}, case.output)


@pytest.mark.parametrize("case", cases("analyzeBootstrapBudget"))
def test_budget_agrees(case):
    told = case.input
    ratio = told.get("nearLimitRatio")
    found = context_files.budget(
        [file_of(raw) for raw in told["bootstrapFiles"]],
        [ContextFile(raw["path"], raw["content"]) for raw in told["injectedFiles"]],
        Limits(told["bootstrapMaxChars"], told["bootstrapTotalMaxChars"]),
        ratio if isinstance(ratio, int | float) else 0,
    )
    files = [
        {
            "name": file.name,
            "path": file.path,
            "missing": file.missing,
            "rawChars": file.raw,
            "injectedChars": file.injected,
            "truncated": file.truncated,
            "nearLimit": file.near,
            "causes": file.causes,
        }
        for file in found.files
    ]
    totals = {
        "rawChars": found.raw,
        "injectedChars": found.injected,
        "truncatedChars": found.truncated,
        "bootstrapMaxChars": found.limits.each,
        "bootstrapTotalMaxChars": found.limits.total,
        "nearLimitRatio": found.ratio,
    }
    cut = any(file.truncated for file in found.files)
    assert_same(
        {"files": files, "totalNearLimit": found.near, "hasTruncation": cut, "totals": totals}, case.output["value"]
    )


@given(st.lists(paths, max_size=8), st.data())
def test_the_order_files_come_in_does_not_matter(given_paths, data):
    """Whatever order a folder is listed in, the prompt has one: else the stable part would differ."""
    distinct = list(dict.fromkeys(map(javascript.trim, given_paths)))
    assert context_files.in_order(distinct) == context_files.in_order(data.draw(st.permutations(distinct)))


@given(st.text("a😀", max_size=400), st.integers(1, 300), st.integers(1, 400))
def test_all_files_together_keep_the_total(content, each, total):
    """However the one is cut, what is injected of all never exceeds the total."""
    files = [WorkspaceFile(name, name, content) for name in ("AGENTS.md", "SOUL.md")]
    found = context_files.inject(files, Limits(each, total))
    assert sum(javascript.length(file.content) for file in found.files) <= total


@given(st.text("ab.md", min_size=1, max_size=12), *[st.integers(0, 200_000)] * 3)
def test_the_marker_is_as_long_as_the_agent_s(name, head, tail, size):
    """Other words, the same length: every cut falls where the agent's falls."""
    assert javascript.length(context_files.cut_marker(name, head, tail, size)) == len(mark(name, head, tail, size))


def test_one_file_cut_at_both_limits():
    """raw 500 ─ limit 200 ─▶ head 140 + marker + tail 40 ─ total ─▶ clamped"""
    files = [WorkspaceFile("A.md", "/w/A.md", "h" * 250 + "t" * 250)]
    found = context_files.inject(files, Limits(200, 150))
    [file] = found.files
    assert javascript.length(file.content) == 150
    assert file.content.startswith("h" * 105)  # 70 % of the 150 that are left
    assert file.content.endswith("…")
    [row] = context_files.budget(files, found.files, Limits(200, 150)).files
    assert (row.raw, row.injected, row.causes) == (500, 150, ("per-file-limit", "total-limit"))
