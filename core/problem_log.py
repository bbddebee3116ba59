"""Collects Problems. A file of a million broken lines must not become a million Problems."""

from __future__ import annotations

from collections import Counter

from core.errors import Problem, Severity

LISTED = 1000
"""Problems of a file that are listed one by one, in order of arrival; of the rest only the number is kept."""
ALWAYS = 20
"""So many of every code are listed all the same: the rare one must not drown among the many."""


class ProblemLog:
    """Collects what reading finds; `done` gives the list, with one more Problem for what was only counted."""

    def __init__(self) -> None:
        self._found: list[Problem] = []
        self._first: dict[str, Problem] = {}
        self._count: Counter[str] = Counter()
        self._listed: Counter[str] = Counter()

    def add(
        self, code: str, line: int | None = None, entry: str = "", severity: Severity = "warning", **values: object
    ) -> None:
        self.append(Problem(code, line, entry or None, severity, tuple(values.items())))

    def append(self, problem: Problem) -> None:
        code = problem.code
        self._count[code] += 1
        if len(self._found) < LISTED or self._listed[code] < ALWAYS:
            self._found.append(problem)
            self._listed[code] += 1
            self._first.setdefault(code, problem)

    def take(self, other: ProblemLog) -> None:
        """What another log collected is added to this one."""
        for problem in other._found:
            self.append(problem)
        for code, count in other._count.items():
            self._count[code] += count - other._listed[code]
            if code not in self._first:
                self._first[code] = other._first[code]

    def forget(self, code: str) -> None:
        """As if no Problem of this code had been found."""
        self._found = [problem for problem in self._found if problem.code != code]
        for table in (self._count, self._listed):
            table.pop(code, None)
        self._first.pop(code, None)

    def copy(self) -> ProblemLog:
        log = ProblemLog()
        log.take(self)
        return log

    def done(self) -> tuple[Problem, ...]:
        """In order of their lines, those of the whole file and what is counted last."""
        found = sorted(self._found, key=lambda problem: (problem.line is None, problem.line or 0))
        for code, count in self._count.items():
            if count > self._listed[code]:
                first = self._first[code]
                values = (("code", code), ("like", first.message), ("n", count - self._listed[code]))
                found.append(Problem("more_of_a_kind", None, None, first.severity, values))
        return tuple(found)
