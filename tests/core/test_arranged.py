"""What is laid out ahead is what laying out on the spot gives."""

from __future__ import annotations

import numpy as np

from core.arranged import arrange, problem_rows
from core.counter import make
from core.counts import count
from core.graph import lay_out
from core.rows import Folding, visible
from core.timeline import build
from core.tree import Tree
from tests.core.drawn import opened, said

USED = {"input": 1, "output": 1, "cacheRead": 5, "cacheWrite": 0}


def test_the_same_as_on_the_spot(tmp_path):
    """
    u a a … a     a label on e2, an unknown parent at the end: rows, folds and lanes with the last request open
    """
    answers = [said("assistant", f"x{n}", usage=USED, model="m", provider="p") for n in range(40)]
    label = {"type": "label", "targetId": "e2", "label": "here"}
    session = opened(said("user", "q"), *answers, label, {**said("user", "lost"), "parentId": "zz"}, tmp_path=tmp_path)
    timeline = build(session, 40, count(session, make("chars", session)))
    ahead = arrange(session, timeline)
    assert ahead.size == len(session) == 43
    assert ahead.labels == {2: "here"}
    assert ahead.problems == problem_rows(session) == (42,)
    assert ahead.point == timeline.summaries[-1].request.entry == 40
    tree = Tree(session)
    shown = visible(tree, None, Folding(True, 40, (2, 42)))
    layout = lay_out(shown, np.array(timeline.path))
    assert (ahead.shown.first == shown.first).all()
    assert (ahead.shown.count == shown.count).all()
    assert (ahead.layout.lane == layout.lane).all()
    assert ahead.layout.gaps(0, len(shown)) == layout.gaps(0, len(shown))
