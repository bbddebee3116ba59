"""The keys of the Prompt tab, as names of what they do."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

_K, _M = Qt.Key, Qt.KeyboardModifier
_NONE, _SHIFT, _CONTROL = _M.NoModifier, _M.ShiftModifier, _M.ControlModifier

_KEYS = {
    (_K.Key_Down, _NONE): "next",
    (_K.Key_Up, _NONE): "previous",
    (_K.Key_PageDown, _NONE): "page_down",
    (_K.Key_PageUp, _NONE): "page_up",
    (_K.Key_Home, _NONE): "first",
    (_K.Key_End, _NONE): "last",
    (_K.Key_Return, _NONE): "fold",
    (_K.Key_Return, _SHIFT): "removed",
    (_K.Key_Enter, _NONE): "fold",
    (_K.Key_C, _CONTROL): "copy",
    (_K.Key_A, _CONTROL): "select_all",
    (_K.Key_F, _CONTROL): "find",
    (_K.Key_F3, _NONE): "next_hit",
    (_K.Key_F3, _SHIFT): "previous_hit",
    (_K.Key_I, _CONTROL): "card",
    (_K.Key_Escape, _NONE): "escape",
}
_LETTERS = {
    (_K.Key_J, _NONE): "next",
    (_K.Key_K, _NONE): "previous",
    (_K.Key_F, _NONE): "fold",
    (_K.Key_F, _SHIFT): "fold_all",
    (_K.Key_R, _NONE): "raw",
    (_K.Key_D, _NONE): "pairs",
    (_K.Key_X, _NONE): "removed",
    (_K.Key_G, _NONE): "guard",
    (_K.Key_N, _NONE): "next_hit",
    (_K.Key_N, _SHIFT): "previous_hit",
}


def command(event: QKeyEvent, letters: bool) -> str | None:
    """What a key asks for; None = nothing here. `letters`: whether keys without a modifier count."""
    held = event.modifiers() & ~_M.KeypadModifier
    key = _K(event.key())
    if key == _K.Key_Slash and letters and not held & (_CONTROL | _M.AltModifier):
        return "find"  # on some keyboards it stands on Shift+7
    return _KEYS.get((key, held)) or (_LETTERS.get((key, held)) if letters else None)
