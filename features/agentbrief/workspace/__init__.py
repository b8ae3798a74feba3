"""What is in this project? The counts of PortContext and the list of its files, from one pass."""

from agentbrief.workspace.manifest import PortManifest, PortModule, port_manifest
from agentbrief.workspace.memory import Memory
from agentbrief.workspace.port_context import ContextRules, PortContext, render_context
from agentbrief.workspace.project_files import ProjectFiles, Survey, starts, survey
from agentbrief.workspace.walk import Walk, Walked

__all__ = [
    "ContextRules",
    "Memory",
    "PortContext",
    "PortManifest",
    "PortModule",
    "ProjectFiles",
    "Survey",
    "Walk",
    "Walked",
    "port_manifest",
    "render_context",
    "starts",
    "survey",
]
