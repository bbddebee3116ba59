"""The Session that the records of a pi file make, and what is wrong with it as a whole: told anew whenever it grew."""

from __future__ import annotations

from array import array

from core.javascript import json_text
from core.messages import Json
from core.migration import Decoding, kept_row, line_ids
from core.phrase import literal
from core.pi_records import Records
from core.problem_log import ProblemLog
from core.session import Session


def since(taken: Records, first: int) -> tuple[Session, int]:
    """(the entries from row `first` on, with rows counted from the start of the file; the version it is read as).

    What is wrong with the whole file is told by all its problems, every time.
    """
    problems = taken.problems.copy()
    version = _version(taken, problems)
    columns = taken.columns
    parsed: array[int] | None = None
    if version == 1:
        columns.chain(line_ids(len(columns)))
        parsed = taken.parsed[:]
        _check_indexes(taken, parsed, problems)
    else:
        columns.chain(None)
        for row in taken.without_id:
            problems.add("entry_without_id", columns.line[row])
    columns.rename_role(*(("hookMessage", "custom") if version < 3 else ("", "")))
    laid = columns.finish(problems, first)
    _check_targets(taken, version, problems)
    for kind, (line, count) in taken.unknown.items():
        problems.add("unknown_entry_type", line, severity="note", type=kind, n=count)
    if taken.source.fault:
        problems.add("archive_cut", taken.lines, reason=literal(taken.source.fault))
    elif taken.unfinished is not None:
        problems.add("unfinished_line", taken.lines)
    session = Session(
        path=taken.source.path,
        format="openclaw" if taken.openclaw and version == 3 else "pi",
        header=taken.header,
        columns=laid,
        problems=problems.done(),
        lines=taken.lines,
        size=taken.source.size,
        read=taken.source,
        decode=Decoding(version, parsed),
    )
    return session, version


def _version(taken: Records, problems: ProblemLog) -> int:
    """The version to read as. Without a header: entries without ids are v1's, any others v3's."""
    if taken.header is not None:
        if taken.unreadable is not None:
            problems.add("bad_json", taken.unreadable[0], reason=taken.unreadable[1])
        return taken.header.read_as
    if taken.unreadable is not None:
        problems.add("header_unreadable", taken.unreadable[0], reason=taken.unreadable[1])
    else:
        problems.add("header_missing", taken.first_line or None)
    return 3 if taken.any_id or not len(taken.columns) else 1


def _check_indexes(taken: Records, parsed: array[int], problems: ProblemLog) -> None:
    for row, _, index in taken.kept:
        if kept_row(parsed, index, row) is None:
            _first_kept_missing(taken, row, index, problems)


def _check_targets(taken: Records, version: int, problems: ProblemLog) -> None:
    known = taken.columns.knows
    if version > 1:
        for row, id, _ in taken.kept:
            if isinstance(id, str) and not known(id):
                _first_kept_missing(taken, row, id, problems)
    for row, kind, target in taken.targets:
        if not known(target):
            problems.add("target_missing", taken.columns.line[row], taken.columns.id_of(row), type=kind, target=target)


def _first_kept_missing(taken: Records, row: int, named: Json, problems: ProblemLog) -> None:
    problems.add(
        "first_kept_missing",
        taken.columns.line[row],
        taken.columns.id_of(row),
        named=named if isinstance(named, str) else json_text(named),
    )
