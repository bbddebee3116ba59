"""The Qt binding itself: a release that breaks Python must not get in again.

PySide6 6.12.0 drops one reference to None with nearly every call that returns nothing. On Python 3.10 and 3.11 the
process dies after some 6,600 of them (`none_dealloc: deallocating None`); from 3.12 on None is immortal.
"""

from __future__ import annotations

import sys
from importlib.metadata import version

import pytest
from packaging.version import Version
from PySide6.QtGui import QColor, QImage, QPainter, QPen
from PySide6.QtWidgets import QLabel


def test_installed_version_is_within_the_pin():
    """pyproject.toml says below 6.12, and so is what is installed."""
    assert Version("6.8") <= Version(version("PySide6-Essentials")) < Version("6.12")


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None is immortal from Python 3.12 on")
def test_void_calls_keep_none_alive(qapp):
    """1,000 calls of setPen and setText leave the count of None where it was, but for the noise of the interpreter."""
    image = QImage(8, 8, QImage.Format.Format_ARGB32)
    painter, pen, label = QPainter(image), QPen(QColor("black")), QLabel()
    before = sys.getrefcount(None)
    for _ in range(1000):
        painter.setPen(pen)
        label.setText("x")
    after = sys.getrefcount(None)
    painter.end()
    assert after - before > -100
