"""Least squares with a prior, robust against outliers, with the error that each observation would have left out.

Minimised is  Σ ((yᵢ − xᵢ·b) / sizeᵢ)²  +  Σ (noise · (bⱼ − priorⱼ) / (belief · priorⱼ))²  over the kept observations:
few observations leave the prior as it stands, many overrule it. An observation whose residual lies beyond the limit
is left out of the sum and the fit repeated, until the same ones are left out twice. Plain normal equations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul
from statistics import median

NOISE = 0.05
"""What a residual is expected to be, relative to `size`."""
BELIEF = 0.5
"""How far a coefficient may be expected from its prior, relative to the prior."""
OUTLIER = 5 * 1.4826
"""Times the median absolute residual: five standard deviations of well-behaved errors."""
NARROWEST = 0.02
"""No residual below this is an outlier, however well the others fit."""
_ROUNDS = 12

Vector = Sequence[float]


@dataclass(frozen=True, slots=True)
class Fit:
    """`errors[i]`: y − prediction of observation i by a fit without it, in the unit of y. `kept[i]`: 1 where it took
    part. The error of an observation that took part is its residual / (1 − its leverage): no second fit is needed."""

    coefficients: tuple[float, ...]
    errors: tuple[float, ...]
    kept: bytes


def fit(xs: Sequence[Vector], ys: Vector, sizes: Vector, prior: Vector) -> Fit:
    """`xs[i]`: what observation i is made of, as long as `prior`, whose values are all positive. `sizes`: positive."""
    sums = _Sums(prior)
    weights = [1 / size for size in sizes]
    b, inverse = list(prior), sums.inverse()
    residuals = [y - dot(x, b) for x, y in zip(xs, ys, strict=True)]
    kept = bytes(len(ys))
    for _ in range(_ROUNDS):
        relative = [w * abs(r) for w, r in zip(weights, residuals, strict=True)]
        taken = [r for r, k in zip(relative, kept, strict=True) if k] or relative or [0.0]
        limit = max(NARROWEST, OUTLIER * median(taken))
        keep = bytes(r <= limit for r in relative)
        if keep == kept:
            break
        for i, (now, before) in enumerate(zip(keep, kept, strict=True)):
            if now != before:
                sums.add(xs[i], ys[i], weights[i] * weights[i], 1 if now else -1)
        kept = keep
        inverse = sums.inverse()
        b = [dot(row, sums.right) for row in inverse]
        residuals = [y - dot(x, b) for x, y in zip(xs, ys, strict=True)]
    errors = [
        residual / max(1e-6, 1 - w * w * dot(x, [dot(row, x) for row in inverse])) if k else residual
        for x, w, k, residual in zip(xs, weights, kept, residuals, strict=True)
    ]
    return Fit(tuple(b), tuple(errors), kept)


def dot(one: Vector, other: Vector) -> float:
    total: float = sum(map(mul, one, other))
    return total


class _Sums:
    """The normal equations: `left` · b = `right`, to which observations are added and from which they are taken."""

    def __init__(self, prior: Vector) -> None:
        self.size = len(prior)
        self.left = [[0.0] * self.size for _ in prior]
        self.right = [0.0] * self.size
        for j, value in enumerate(prior):
            pull = (NOISE / (BELIEF * value)) ** 2
            self.left[j][j] = pull
            self.right[j] = pull * value

    def add(self, x: Vector, y: float, weight: float, sign: int) -> None:
        for j, value in enumerate(x):
            if value:
                part = sign * weight * value
                row = self.left[j]
                for k in range(j, self.size):
                    row[k] += part * x[k]
                self.right[j] += part * y

    def inverse(self) -> list[list[float]]:
        """Gauss and Jordan. The matrix is symmetric and, because of the prior, positive: no pivot is 0."""
        size = self.size
        rows = [
            [self.left[min(j, k)][max(j, k)] for k in range(size)] + [float(j == k) for k in range(size)]
            for j in range(size)
        ]
        for j in range(size):
            best = max(range(j, size), key=lambda k: abs(rows[k][j]))
            rows[j], rows[best] = rows[best], rows[j]
            pivot = rows[j][j]
            rows[j] = [value / pivot for value in rows[j]]
            for k in range(size):
                if k != j and rows[k][j]:
                    factor = rows[k][j]
                    rows[k] = [value - factor * other for value, other in zip(rows[k], rows[j], strict=True)]
        return [row[size:] for row in rows]
