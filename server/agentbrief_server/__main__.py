"""``python -m agentbrief_server`` is the command ``agentbrief``."""

from __future__ import annotations

import sys

from agentbrief_server.cli import main

if __name__ == "__main__":
    sys.exit(main())
