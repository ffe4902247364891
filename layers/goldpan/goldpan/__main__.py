"""Run the command as `python -m goldpan`: the console script `goldpan`, which is installed with the application."""

import sys
from importlib.metadata import entry_points


def main() -> None:
    """Load the console script by its name, since the library does not import the application, and run it."""
    scripts = entry_points(group="console_scripts", name="goldpan")
    if not scripts:
        sys.exit("goldpan: only the library is installed, without the command")
    next(iter(scripts)).load()()


if __name__ == "__main__":
    main()
