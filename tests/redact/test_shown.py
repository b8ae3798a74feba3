"""Names that say who somebody is, in a text that is shared."""

from __future__ import annotations

import pytest

from agentbrief.redact import shorten_home


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("/home/ann", "~"),
        ("at /home/ann/app/CLAUDE.md.", "at ~/app/CLAUDE.md."),
        ("in /home/ann.", "in ~."),
        ("/home/anna /home/ann-old /home/ann.bak", "/home/anna /home/user-old /home/user.bak"),
        ("/mnt/home/ann/x", "/mnt/home/user/x"),
        ("file:///home/ann/x", "file://~/x"),
        ("%2Fhome%2Fann%2Fx", "~%2Fx"),
        (r"\/home\/ann\/x", r"~\/x"),
        ("-home-ann-app", "-home-user-app"),
        ("ann@host by Ann and ann_x, channel", "user@host by Ann and user_x, channel"),
        ("PATH=/home/ann/bin:/home/ann", "PATH=~/bin:~"),
    ],
)
def test_posix(text: str, wanted: str) -> None:
    assert shorten_home(text, "/home/ann", "ann") == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (r"C:\Users\Ann\app", r"~\app"),
        (r"c:\\Users\\Ann\\app", r"~\\app"),
        ("file:///c%3A/Users/Ann/app", "file:///~/app"),
        ("C:/Users/Ann", "~"),
        (r"D:\Users\Ann", r"D:\Users\user"),
    ],
)
def test_windows(text: str, wanted: str) -> None:
    assert shorten_home(text, "C:\\Users\\Ann", "Ann") == wanted


@pytest.mark.parametrize(
    ("home", "user", "wanted"),
    [
        ("", "", "root of /root/x and a user"),
        ("/", "", "root of /root/x and a user"),
        ("/root", "root", "root of ~/x and a user"),
        ("/root/", "", "root of ~/x and a user"),
    ],
)
def test_names_that_are_nobodys(home: str, user: str, wanted: str) -> None:
    assert shorten_home("root of /root/x and a user", home, user) == wanted
