"""One measurement: what, how much, and what was promised."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """A line of the table. Without a bound it is there for information."""

    what: str
    value: float
    unit: str
    at_most: float | None = None
    at_least: float | None = None
    detail: str = ""
    """The numbers that a ratio was made of."""

    @property
    def bound(self) -> str:
        """In words.

        >>> Row("step", 1.1, "x", at_most=1.2).bound
        'at most 1.2'
        """
        if self.at_most is not None:
            return f"at most {self.at_most:g}"
        return "" if self.at_least is None else f"at least {self.at_least:g}"

    @property
    def ok(self) -> bool | None:
        """Whether the bound holds; None without one.

        >>> Row("step", 1.3, "x", at_most=1.2).ok
        False
        """
        if self.at_most is not None:
            return self.value <= self.at_most
        return None if self.at_least is None else self.value >= self.at_least

    @property
    def measured(self) -> str:
        """The value with its unit.

        >>> Row("words", 12345.6, "words/s").measured, Row("step", 1.234, "x").measured
        ('12,346 words/s', '1.23 x')
        """
        number = f"{self.value:,.0f}" if abs(self.value) >= 1000 else f"{self.value:.3g}"
        return f"{number} {self.unit}"
