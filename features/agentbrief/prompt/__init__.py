"""What does the agent read, as one text with a source map?"""

from agentbrief.prompt.assemble import PromptFacts, SettingsFile, assemble
from agentbrief.prompt.prompt_text import Part, Prompt, PromptSection
from agentbrief.prompt.rendered import rendered

__all__ = ["Part", "Prompt", "PromptFacts", "PromptSection", "SettingsFile", "assemble", "rendered"]
