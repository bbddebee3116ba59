"""Documents and previews, remembered by the message's key: what stands in a hundred requests is put together once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from core.difference import changed
from core.fate import FROM_FILE, EditIndex, Loss, loss_of
from core.prompt import Block, Blocks
from gui.prompt_changes import Woven, segments_of, weave
from gui.prompt_text import Document, Preview, document_of, preview_of


class Texts:
    """Documents and previews by message key, the most recent within a bound of characters."""

    LIMIT = 64_000_000
    WOVEN = 24
    KNOWN = 60_000

    def __init__(self) -> None:
        self._documents: OrderedDict[bytes, Document] = OrderedDict()
        self._previews: dict[bytes, Preview] = {}
        self._lowered: dict[bytes, str] = {}
        self.edits = EditIndex()
        """Which steps made what, for all traces of the session."""
        self._losses: dict[int, tuple[Block, Loss | None]] = {}
        self._last: tuple[Blocks, dict[int, Loss]] = ((), {})
        """What was asked for last, and the answer."""
        self._woven: OrderedDict[tuple[bytes, bytes], Woven] = OrderedDict()
        self._size = 0

    def document(self, block: Block) -> Document:
        found = self._documents.get(block.key)
        if found is not None:
            self._documents.move_to_end(block.key)
            return found
        found = document_of(block.message)
        self._documents[block.key] = found
        self._size += len(found)
        while self._size > self.LIMIT and len(self._documents) > 1:
            key, gone = self._documents.popitem(last=False)
            self._lowered.pop(key, None)
            self._size -= len(gone)
        return found

    def woven(self, block: Block) -> Woven:
        """The text of a block with what was removed from it since it came in."""
        key = (block.first.key, block.key)
        found = self._woven.get(key)
        if found is None:
            before, after = self.document(block.first), self.document(block)
            found = self._woven[key] = weave(before, after, segments_of(before, after))
            while len(self._woven) > self.WOVEN:
                self._woven.popitem(last=False)
        self._woven.move_to_end(key)
        return found

    def losses(self, blocks: Blocks) -> dict[int, Loss]:
        """core.fate.loss_of of many blocks, by index; blocks that stay are looked at once."""
        last, before = self._last
        others = changed(last, blocks)
        found = dict(before) if others is not None else {}
        for index in range(len(blocks)) if others is None else others:
            loss = self._loss(blocks[index])
            if loss is not None:
                found[index] = loss
            else:
                found.pop(index, None)
        self._last = blocks, found
        return found

    def _loss(self, block: Block) -> Loss | None:
        if block.before is None and block.origin.made_by in FROM_FILE:
            return None
        known = self._losses
        held = known.get(id(block))
        if held is None:
            if len(known) > self.KNOWN:
                known.clear()
            held = known[id(block)] = (block, loss_of(block))
        return held[1]

    def preview(self, block: Block) -> Preview:
        found = self._previews.get(block.key)
        if found is None:
            found = self._previews[block.key] = preview_of(block.message)
        return found

    def lowered(self, block: Block, lower: Callable[[str], str] = str.lower) -> str:
        """The document in small letters, for searching; "" where a letter changes its length and places would shift."""
        found = self._lowered.get(block.key)
        if found is None:
            text = self.document(block).text
            small = lower(text)
            found = self._lowered[block.key] = small if len(small) == len(text) else ""
        return found
