"""What would the next run of a session read, as a text that can be compared with another one?

The same message is told in the same words, so that a comparison shows what goes, what comes and what stays.
"""

from __future__ import annotations

from dataclasses import replace

from agentbrief.history.export import told
from agentbrief.tasks.compaction_shown import seen_messages
from agentbrief.tasks.sessions_history import MOST_SHOWN_CHARS, TellingOptions
from agentbrief.tasks.sessions_read import SessionFile


def text_of_run(file: SessionFile, data: bytes, options: TellingOptions) -> str:
    """The messages in ``data``, a state of ``file``, as Markdown: the newest, as many as an editor shows.

    Those of the system are told too: a summary is one.
    """
    telling = options.telling(file)
    whole = replace(telling, level="everything")
    texts: list[str] = []
    left = MOST_SHOWN_CHARS
    messages = seen_messages(file, data)
    for place in range(len(messages) - 1, -1, -1):
        message = messages[place]
        text = told(message, whole if message.role == "system" else telling)
        left -= len(text)
        if left < 0:
            break
        texts.append(text)
    hidden = len(messages) - len(texts)
    head = [options.say("compare.hidden", count=hidden) + "\n"] if hidden else []
    return "\n".join((*head, *reversed(texts)))
