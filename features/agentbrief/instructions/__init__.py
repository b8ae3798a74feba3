"""Which instruction files exist here, and in what order?"""

from agentbrief.instructions.find import Discovered, NearMiss, find
from agentbrief.instructions.instruction_file import InstructionFile, content_key
from agentbrief.instructions.place import Place, folders_up

__all__ = ["Discovered", "InstructionFile", "NearMiss", "Place", "content_key", "find", "folders_up"]
