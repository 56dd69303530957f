# Two commands do all the set-up: `make build` and `make test`.
VENV ?= .venv
PYTHON ?= python3
BIN := $(VENV)/bin
# All extras but the one that brings torch: its test is skipped, with the reason printed.
TEST_EXTRAS := dask,deid,graph,harvest,peer,shell,test
PIP := $(BIN)/python -m pip install --quiet --constraint constraints.txt

.PHONY: build test check format lint types imports tests readme clean

build: $(VENV)/installed
	$(BIN)/catchkit build --out catchbench
	$(BIN)/python -c 'from datasets import load_dataset; print(load_dataset("catchbench", "pre_mcp", split="test")[0])'

test: $(VENV)/installed-for-tests
	$(MAKE) check

# What CI runs, in the same order.
check: format lint types imports tests

format:
	$(BIN)/ruff format --check

lint:
	$(BIN)/ruff check

types:
	$(BIN)/mypy

imports:
	$(BIN)/lint-imports

tests:
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile

# Writes the output of every command shown in the README and the docs anew.
readme: $(VENV)/installed-for-tests
	$(BIN)/python tests/console.py README.md docs/*.md

$(VENV)/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) --editable .
	touch $@

$(VENV)/installed-for-tests: $(VENV)/installed
	$(PIP) --editable '.[$(TEST_EXTRAS)]'
	touch $@

clean:
	rm -rf $(VENV) catchbench
