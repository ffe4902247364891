"""Disjoint sets of numbers: union with path halving (Tarjan and van Leeuwen, JACM 31, 1984)."""

from __future__ import annotations

from collections.abc import Iterable


class UnionFind:
    """Numbers in sets: at first each of the given ones in a set of its own, then those of linked ones together."""

    def __init__(self, items: Iterable[int] = (), links: Iterable[tuple[int, int]] = ()) -> None:
        self._parents = {item: item for item in items}
        for one, other in links:
            self.join(one, other)

    def find(self, item: int) -> int:
        """Return the number that stands for the set of the item."""
        parents = self._parents
        while parents.setdefault(item, item) != item:
            parents[item] = parents[parents[item]]
            item = parents[item]
        return item

    def join(self, one: int, other: int) -> None:
        """Unite the sets of two items; the smaller of the numbers that stand for them stands for both."""
        first, second = sorted((self.find(one), self.find(other)))
        self._parents[second] = first

    def set_of(self, item: int) -> list[int]:
        """Return all items that are in the set of this one."""
        root = self.find(item)
        return [each for each in list(self._parents) if self.find(each) == root]

    def sets(self) -> list[list[int]]:
        """Return the sets, each sorted, in the order of their smallest numbers."""
        found: dict[int, list[int]] = {}
        for item in sorted(self._parents):
            found.setdefault(self.find(item), []).append(item)
        return list(found.values())
