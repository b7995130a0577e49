"""The command line as a program: `atoll`, or `python -m atoll`."""

import gc
import sys


def main() -> None:
    """Run it; Ctrl-C ends it with status 130 and no word, also while it is still loaded."""
    try:
        gc.disable()  # what is loaded stays: looking through it takes a fifth of the time until the site is there
        from atoll import cli

        gc.freeze()
        gc.enable()
        cli.main()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
