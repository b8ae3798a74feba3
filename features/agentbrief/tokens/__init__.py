"""How much is it? Counts of tokens, each an estimate that names its reference."""

from agentbrief.tokens.estimate import Estimate, Mode
from agentbrief.tokens.estimator import LineCache, estimate
from agentbrief.tokens.exact import exact
from agentbrief.tokens.parity import FORMULAS, parity
from agentbrief.tokens.weights import REFERENCES

__all__ = ["FORMULAS", "REFERENCES", "Estimate", "LineCache", "Mode", "estimate", "exact", "parity"]
