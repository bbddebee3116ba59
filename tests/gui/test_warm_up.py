"""WarmUp: everything the first replay asks for is there before it asks, and nothing runs on afterwards."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from core import layer, profile
from gui.warm_up import WarmUp


def test_layers_and_policies_are_loaded_bit_by_bit(qtbot: QtBot) -> None:
    """One thing a turn; then it stops."""
    layer.layers.cache_clear()
    profile.policies.cache_clear()
    warm = WarmUp()
    assert not warm.done
    warm._turn()
    assert layer.layers.cache_info().currsize == 0
    qtbot.waitUntil(lambda: warm.done, timeout=10_000)
    assert layer.layers.cache_info().currsize == 1
    assert profile.policies.cache_info().currsize == 1
    assert "core.layers.guard_context" in sys.modules


def test_plots_come_first_where_a_session_is_awaited(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first turn of the event loop loads them; else they come when all types of Qt are made."""
    monkeypatch.delitem(sys.modules, "gui.request_plot", raising=False)
    patient = WarmUp()
    patient._turn()
    assert "gui.request_plot" not in sys.modules
    eager = WarmUp(awaited=True)
    QCoreApplication.processEvents()
    assert "gui.request_plot" in sys.modules
    qtbot.waitUntil(lambda: eager.done and patient.done, timeout=10_000)
