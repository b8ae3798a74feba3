"""The server over stdio, started as ``python -I -X utf8 -X pycache_prefix=DIR run_bundled.py``.

Only the libraries beside this file count: ``-I`` shuts out PYTHONPATH, the user's site-packages and the
working folder, where a project's own attrs.py or typing.py would else shadow what the server needs.
"""

import os
import sys

if sys.version_info < (3, 11):  # noqa: UP036 - whoever is older learns why it does not run
    sys.exit(f"Python 3.11 or newer is needed; {sys.executable} is {sys.version.split()[0]}")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "libs"))


def main() -> None:
    # Before the first import that could print: the descriptors are the protocol's.
    from agentbrief_server.transport.start import claim_descriptors, importing

    claim_descriptors()
    with importing():
        from agentbrief_server.app import create
        from agentbrief_server.transport.stdio import serve_stdio
    serve_stdio(create())


if __name__ == "__main__":
    main()
