"""How much is it? Counts of tokens, each an estimate that names its reference."""
