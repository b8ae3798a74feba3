"""What a coding agent is told and what its sessions hold, as pure functions over plain values.

Nothing in this package knows LSP, reads a clock or an environment, or touches a file except through
:mod:`agentbrief.disk`.
"""
