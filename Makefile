# Every target sets up what it needs. `make` alone lists them.
PYTHON ?= python3.11
PYTHON_NEWER ?= python3.13
QUESTION ?= React animation library
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
CONSTRAINTS := --constraint constraints.txt
SHARED := ../shared

.DEFAULT_GOAL := help
.PHONY: help run test test-newer lint types check quality benchmarks clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(VENV)/.run: pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing goldpan into $(VENV) ..." >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check $(CONSTRAINTS) --editable .
	@touch $@

$(INSTALLED): pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing goldpan and its test tools into $(VENV) ..." >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check $(CONSTRAINTS) --editable '.[dev]'
	@touch $@ $(VENV)/.run

run: $(VENV)/.run ## answer QUESTION="..." (GitHub where it can be reached, else the sample catalogue)
	@$(BIN)/goldpan search "$(QUESTION)"

test: $(INSTALLED) ## run all tests on Python 3.11 and, where it is installed, 3.13
	$(BIN)/python -m pytest --numprocesses auto --quiet
	@if command -v $(PYTHON_NEWER) >/dev/null && $(PYTHON_NEWER) --version >/dev/null 2>&1; \
	then $(MAKE) --no-print-directory test-newer; \
	else echo "skipped: no $(PYTHON_NEWER) on the PATH, tested on $(PYTHON) alone"; fi

test-newer: ## run all tests on Python 3.13
	@test -x .venv-newer/bin/python || $(PYTHON_NEWER) -m venv .venv-newer
	@.venv-newer/bin/python -m pip install --quiet --disable-pip-version-check $(CONSTRAINTS) --editable '.[dev]'
	.venv-newer/bin/python -m pytest --numprocesses auto --quiet

lint: $(INSTALLED) ## check style and form (ruff)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(INSTALLED) ## check the types (mypy, strict)
	$(BIN)/mypy

quality: $(INSTALLED) ## measure the answers on the judged questions, with their floors (needs ../shared)
	@if [ -d $(SHARED) ]; then $(BIN)/python tests/benchmarks/quality.py; \
	else echo "skipped: no $(SHARED) beside the project"; fi

check: lint types test quality ## all of the above

benchmarks: $(INSTALLED) ## measure quality, overhead and latency (about four minutes)
	$(BIN)/python tests/benchmarks/quality.py
	$(BIN)/python tests/benchmarks/overhead.py
	$(BIN)/python tests/benchmarks/latency.py

clean: ## remove all that was set up or built
	rm -rf .venv .venv-newer build .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info
