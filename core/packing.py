"""Columns of whole numbers on their way to another process: in as few bytes as their values need."""

from __future__ import annotations

from array import array

import numpy as np

_SMALLER = (("b", np.int8), ("h", np.int16), ("i", np.int32))


def packed(column: array[int]) -> array[int]:
    """The same numbers in the smallest type that takes them all."""
    if not column:
        return column
    values = np.frombuffer(column, dtype=column.typecode)
    low, high = values.min(), values.max()
    for code, kind in _SMALLER:
        if array(code).itemsize >= column.itemsize:
            break
        if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max:
            return array(code, values.astype(kind).tobytes())
    return column


def unpacked(column: array[int], code: str = "q") -> array[int]:
    """What `packed` made smaller, as it was."""
    if column.typecode == code:
        return column
    return array(code, np.frombuffer(column, dtype=column.typecode).astype(np.dtype(code)).tobytes())
