"""What is one session called, as a list would call it?"""

from __future__ import annotations

from agentbrief.sessions.listing import listed_sessions
from agentbrief.sessions.locations import Location
from agentbrief.sessions.model import Message
from agentbrief.sessions.readers import TRANSCRIPTS
from agentbrief.sessions.sketch import Sketch
from agentbrief.sessions.titles import TitleSources, first_prompts, title
from agentbrief.tasks.sessions.cuts import whole_words
from agentbrief.tasks.sessions.read import SessionFile, whole
from agentbrief.tasks.sessions.setup import SessionsSetup


def title_of(setup: SessionsSetup, file: SessionFile, messages: tuple[Message, ...] = ()) -> str:
    """What the session is called in a list; its identifier where nothing tells."""
    found = ""
    if file.format in TRANSCRIPTS:
        place = Location(file.path, "", file.session_id)
        listed = listed_sessions(setup.fs, (place,), file.readable, file.format)
        found = whole_words(listed[0].title, sources_of(listed[0].sketch)) if listed else ""
    elif messages or file.is_whole:
        prompt = telling = None
        for message in messages or whole(setup.fs, file).messages:
            if message.role == "user" and message.text:
                prompt, telling = first_prompts(prompt, telling, message.text)
        found = whole_words(title(TitleSources(prompt=prompt, telling_prompt=telling)), (telling, prompt))
    return found or file.session_id


def sources_of(sketch: Sketch) -> tuple[str | None, ...]:
    """The texts of which the title of a transcript may have been made."""
    return sketch.given_title, sketch.made_title, sketch.telling_prompt, sketch.prompt
