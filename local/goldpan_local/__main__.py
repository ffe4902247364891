"""Run the command, as `goldpan` or as `python -m goldpan_local`."""

import signal

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends the imports at once; a command that runs handles it

from goldpan_local.command import main

if __name__ == "__main__":
    main()
