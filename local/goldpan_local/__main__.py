"""Run the command as `python -m goldpan_local`."""

from goldpan_local.command import main

if __name__ == "__main__":
    main()
