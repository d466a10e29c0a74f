"""What the self-tests check with: the first check that does not hold ends the program."""

import os
import sys

_passed = 0


def check(holds, what):
    global _passed
    _passed += 1
    if not holds:
        name = os.path.splitext(os.path.basename(sys.argv[0]))[0]
        sys.exit(f"{name}: {what}")


def passed():
    """How many held."""
    return _passed
