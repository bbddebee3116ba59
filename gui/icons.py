"""The vendored Lucide icons (resources/icons, ISC licence), drawn in any colour and size.

Every file is a 24 × 24 drawing of strokes in `currentColor`. The colour is put in as text and `QSvgRenderer`
paints the result, so no icon font is loaded and the icons also work where no theme of the desktop exists.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QPainter, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer

# One stroke weight at every size, as the design draws it; the files say 2.
STROKE = 1.75
_FOLDER = files("resources") / "icons"


@cache
def names() -> frozenset[str]:
    """The names of all icons that are there, without `.svg`."""
    return frozenset(entry.name.removesuffix(".svg") for entry in _FOLDER.iterdir() if entry.name.endswith(".svg"))


@cache
def _drawing(name: str) -> str:
    if name not in names():
        raise KeyError(f"no icon named {name!r} in resources/icons")
    text = (_FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    return text.replace('stroke-width="2"', f'stroke-width="{STROKE}"')


def svg(name: str, colour: QColor) -> bytes:
    """The drawing with its colour put in, as an SVG document. KeyError when there is no such icon."""
    return _drawing(name).replace("currentColor", colour.name()).encode()


def screen_ratio() -> float:
    """Device pixels per logical pixel of the sharpest screen; 1.0 before there is an application."""
    app = QGuiApplication.instance()
    return app.devicePixelRatio() if isinstance(app, QGuiApplication) else 1.0


def icon(name: str, size: int, colour: QColor, dpr: float | None = None) -> QPixmap:
    """The icon as a square pixmap of `size` logical pixels, kept in Qt's pixmap cache. KeyError for an unknown name.

    `dpr` is the device pixel ratio of what it is painted on; without it, that of the sharpest screen.
    """
    ratio = screen_ratio() if dpr is None else dpr
    key = f"stratascope/{name}/{size}/{colour.rgba():08x}/{ratio}"
    pixmap = QPixmap()
    if QPixmapCache.find(key, pixmap):
        return pixmap
    edge = max(1, round(size * ratio))
    pixmap = QPixmap(edge, edge)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setOpacity(colour.alphaF())
    QSvgRenderer(QByteArray(svg(name, colour))).render(painter, QRectF(0, 0, edge, edge))
    painter.end()
    pixmap.setDevicePixelRatio(ratio)
    QPixmapCache.insert(key, pixmap)
    return pixmap


def qicon(name: str, size: int, colour: QColor, *, disabled: QColor | None = None, on: QColor | None = None) -> QIcon:
    """The icon for actions and buttons, sharp at one and two device pixels per pixel.

    `disabled` colours it while the control is off, `on` while a checkable control is checked.
    """
    result = QIcon()
    for ratio in sorted({1.0, 2.0, screen_ratio()}):
        result.addPixmap(icon(name, size, colour, ratio))
        if disabled is not None:
            result.addPixmap(icon(name, size, disabled, ratio), QIcon.Mode.Disabled)
        if on is not None:
            result.addPixmap(icon(name, size, on, ratio), QIcon.Mode.Normal, QIcon.State.On)
    return result
