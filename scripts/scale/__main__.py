"""Prints what a thousand searches cost on AWS and which limits bind first: `python -m scripts.scale`.

Everything is computed from the tables of costs.py and limits.py. docs/scale.md quotes the output.
"""

from scripts.scale import costs, limits


def main() -> str:
    """Return the costs and the limits of searches for repositories and for papers, and the sources, in Markdown."""
    tables = (
        costs.costs("US dollars for 1,000 searches", costs.SEARCHES, costs.RESTORES),
        costs.by_function(),
        costs.costs("US dollars for 1,000 searches for papers", costs.PAPER_SEARCHES),
        costs.months(),
        costs.standing(),
        limits.limits_table(limits.LIMITS),
        limits.limits_table(limits.PAPER_LIMITS),
        "\n".join(f"- <{url}>" for url in dict.fromkeys((*costs.SOURCES.values(), *limits.SOURCES.values()))),
    )
    return "\n\n".join(tables)


if __name__ == "__main__":
    print(main())
