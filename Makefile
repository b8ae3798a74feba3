# make run: set up and show the sample workspace · make test: set up and run every test that needs no editor and no root
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: run test lint bench docs clean

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

clean:
	rm -rf $(VENV) build dist

# pip reads dependency groups from 25.1 on: it is upgraded in the environment first.
$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable ".[ws]" --group dev
	@touch $(READY)
