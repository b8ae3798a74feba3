# make run: set up and show the sample workspace · make test: set up and run every test that needs no editor and no root
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: run test lint bench docs clean vsix setup-editors test-editors run-vscode

run: $(READY)
	@$(BIN)/python sample/show.py

test: $(READY)
	$(BIN)/python -m pytest -q -n 4
	AGENTBRIEF_TIER=plain $(BIN)/python -m pytest -q -n 4 -m "not slow" tests/golden tests/sessions tests/server tests/rules

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pyright

bench: $(READY)
	$(BIN)/python -m benchmarks $(AREA)

docs: $(READY)
	$(BIN)/python docs/generate.py

# The VS Code extension as one file, with the server inside.
vsix: $(READY)
	PYTHON=../$(BIN)/python vscode-extension/build.sh

setup-editors:
	.ci/setup-editors.sh

# Real editors, in a cache outside this tree: VS Code in a browser, Neovim, Emacs, Vim. Needs npm, and root for what Debian lacks.
test-editors: setup-editors vsix
	.ci/test-editors.sh $(EDITORS)

# The sample workspace in the real VS Code, in a browser on this machine.
run-vscode: vsix
	.ci/setup-editors.sh vscode
	npm --prefix tests/e2e ci --ignore-scripts --no-audit --no-fund --loglevel=error
	node tests/e2e/run.mjs $(FOLDER)

clean:
	rm -rf $(VENV) build dist vscode-extension/bundled vscode-extension/dist vscode-extension/*.vsix

# pip reads dependency groups from 25.1 on: it is upgraded in the environment first.
$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable ".[ws]" --group dev
	@touch $(READY)
