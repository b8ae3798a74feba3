"""One tiny server a module and transport. It must end in order, with nothing said that nobody asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.protocol.raw_client import RawClient, tiny


def never_a_popup(client: RawClient) -> None:
    methods = {message.get("method") for message in client.rest()}
    assert not methods & {"window/showMessage", "window/showMessageRequest", "window/logMessage"}


@pytest.fixture(scope="module", params=["stdio", "tcp", "ws"])
def any_client(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RawClient]:
    """An initialized client, over each transport."""
    with tiny(tmp_path_factory.mktemp("home"), over=request.param) as client:
        client.initialize()
        yield client
        assert client.finish() == 0
        never_a_popup(client)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RawClient]:
    """An initialized client over standard input and output."""
    with tiny(tmp_path_factory.mktemp("home")) as client:
        client.initialize()
        yield client
        assert client.finish() == 0
        never_a_popup(client)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path
