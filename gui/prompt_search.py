"""The search inside one prompt: the places of some words in its documents, found while one types.

Documents are put together a few milliseconds at a time as soon as the find bar opens (`warm`), so that the search
itself is only a search.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from time import perf_counter

from core.assembled import Assembled
from gui.prompt_list import Hit
from gui.prompt_page import Page
from gui.prompt_rows import LEADING
from gui.prompt_texts import Texts

MOST = 5_000
"""Hits that are counted; words that stand more often are not told apart one by one."""
SLICE = 0.006
"""Seconds of preparation at a time."""


def places(text: str, small: str, wanted: str) -> Iterator[int]:
    """Where `wanted` (small letters) stands in a text; `small` is the text in small letters, "" if its places shift."""
    if small:
        at = small.find(wanted)
        while at >= 0:
            yield at
            at = small.find(wanted, at + len(wanted))
        return
    length = len(wanted)
    # Some letter grows when made small (İ): compare windows, so that places stay those of the text.
    for at in range(len(text) - length + 1):
        if text[at].lower()[:1] == wanted[:1] and text[at : at + length].lower() == wanted:
            yield at


def find(page: Page, words: str, most: int = MOST) -> tuple[Hit, ...]:
    """Places of `words` in tools, system prompt and all blocks, top to bottom, small and capital letters alike; at most
    `most`."""
    wanted = words.lower()
    if not wanted:
        return ()
    found: list[Hit] = []
    texts, length = page.texts, len(words)
    above = ((LEADING + at, item.block) for at, item in enumerate(page.assembled.leading))
    for index, block in chain(above, enumerate(page.assembled.blocks)):
        woven = page.woven(index) if page.folds.woven and index >= 0 else None
        if woven is not None:
            found += find_in(index, woven.document.text, words, most - len(found))
        else:
            small = texts.lowered(block)
            if small and wanted not in small:
                continue
            text = "" if small else texts.document(block).text
            found += [Hit(index, at, at + length) for at in islice(places(text, small, wanted), most - len(found))]
        if len(found) >= most:
            break
    return tuple(found)


def find_in(block: int, text: str, words: str, most: int = MOST) -> tuple[Hit, ...]:
    """The same in one text, told as hits of `block`."""
    wanted, small = words.lower(), text.lower()
    found: list[Hit] = []
    for at in places(text, small if len(small) == len(text) else "", wanted) if wanted else ():
        found.append(Hit(block, at, at + len(words)))
        if len(found) >= most:
            break
    return tuple(found)


def warm(assembled: Assembled, texts: Texts) -> Iterator[None]:
    """Put the documents of all blocks together; yields whenever SLICE has passed."""
    begin = perf_counter()
    for block in (*(item.block for item in assembled.leading), *assembled.blocks):
        texts.lowered(block)
        if perf_counter() - begin > SLICE:
            yield
            begin = perf_counter()
