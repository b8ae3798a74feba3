"""A library that prints while it is imported, from Python and from below it."""

import os

print("hello from an import")  # noqa: T201
os.write(1, b"Content-Length: 2\r\n\r\n{}")
