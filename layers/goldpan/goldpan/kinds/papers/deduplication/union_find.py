"""Disjoint sets of numbers: union by size, with path halving (Tarjan and van Leeuwen, JACM 31, 1984)."""

from __future__ import annotations


class UnionFind:
    """The numbers below `size`, each in a set of its own at first."""

    def __init__(self, size: int) -> None:
        self._parents = list(range(size))
        self._sizes = [1] * size

    def find(self, item: int) -> int:
        """Return the number that stands for the set of the item."""
        parents = self._parents
        while parents[item] != item:
            parents[item] = parents[parents[item]]
            item = parents[item]
        return item

    def join(self, one: int, other: int) -> None:
        """Unite the sets of two items."""
        first, second = self.find(one), self.find(other)
        if first == second:
            return
        if self._sizes[first] < self._sizes[second]:
            first, second = second, first
        self._parents[second] = first
        self._sizes[first] += self._sizes[second]

    def sets(self) -> list[list[int]]:
        """Return the sets, each sorted, in the order of their smallest numbers."""
        found: dict[int, list[int]] = {}
        for item in range(len(self._parents)):
            found.setdefault(self.find(item), []).append(item)
        return list(found.values())
