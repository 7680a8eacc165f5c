# What a person types. `make demo` and `make test` need Python 3.11 or newer, git and make.
#
#   make demo              the view of the example's packages/shared-auth
#   make check             formatting, lint, types, architecture, fast tests: before every commit
#   make test              all that, and every test
#   make evaluate NAME=…   one of tests/evaluation or tests/benchmarks; without NAME, their names
#   make format            rewrite the code as `make check` wants it
#   make clean             remove what these commands made

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := check
.PHONY: demo test check lint evaluate format clean

# Set it to choose an interpreter: make test PYTHON=python3.13
PYTHON ?=
VENV ?= .venv
BIN := $(VENV)/bin
RUN := $(VENV)/.installed
DEV := $(VENV)/.installed-dev
# -qq: errors are shown, warnings about somebody's index configuration are not.
PIP := $(BIN)/python -m pip --disable-pip-version-check install -qq --constraint requirements-dev.txt
PYTEST := $(BIN)/python -m pytest -n auto
# What tests emit TypeScript declarations with; they are skipped where there is no npm.
NODE := tests/typescript/node_modules/.installed

demo: $(RUN)
	$(BIN)/ifacegen -C examples/monorepo show packages/shared-auth

test: lint $(NODE)
	$(PYTEST)

check: lint $(NODE)
	$(PYTEST) -m 'not slow'

lint: $(DEV)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/basedpyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports

evaluate: $(DEV)
	@if [[ -z "$(NAME)" ]]; then \
	    echo "usage: make evaluate NAME=…, one of:"; \
	    find tests/evaluation tests/benchmarks -maxdepth 1 -name '[a-z]*.py' 2>/dev/null | sort \
	        | sed 's,.*/\(.*\)\.py,  \1,' || true; \
	elif [[ -f "tests/evaluation/$(NAME).py" ]]; then \
	    $(BIN)/python "tests/evaluation/$(NAME).py" $(ARGS); \
	elif [[ -f "tests/benchmarks/$(NAME).py" ]]; then \
	    $(BIN)/python "tests/benchmarks/$(NAME).py" $(ARGS); \
	else \
	    echo "$(NAME): not in tests/evaluation or tests/benchmarks; \`make evaluate\` lists what is" >&2; exit 2; \
	fi

format: $(DEV)
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) build dist tests/typescript/node_modules .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find ifacegen adapters cache tests examples -type d -name __pycache__ -prune -exec rm -rf {} +

# Installed again only when what is to be installed has changed.
$(RUN): $(BIN)/python pyproject.toml requirements-dev.txt
	@echo 'Installing ifacegen into $(VENV) …'
	@$(PIP) --editable .
	@touch $@

$(DEV): $(BIN)/python pyproject.toml requirements-dev.txt
	@echo 'Installing ifacegen and its development tools into $(VENV) …'
	@$(PIP) --editable '.[dev]'
	@touch $(RUN) $@

$(NODE): tests/typescript/package.json
	@mkdir -p $(@D)
	@if ! command -v npm >/dev/null && command -v apt-get >/dev/null && [[ $$(id -u) = 0 ]]; then \
	    echo 'Installing npm …'; apt-get install -qq --yes --no-install-recommends npm >/dev/null; \
	fi
	@if command -v npm >/dev/null; then \
	    echo 'Installing the TypeScript toolchain of the tests …'; \
	    npm install --prefix tests/typescript --no-package-lock --no-audit --no-fund --ignore-scripts --silent; \
	    touch $@; \
	else echo 'There is no npm: tests that need a TypeScript toolchain are skipped.'; fi

$(BIN)/python:
	@for python in $(or $(PYTHON),python3 python3.13 python3.12 python3.11 python); do \
	    if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then found=$$python; break; fi; \
	done; \
	if [[ -z "$${found:-}" ]]; then \
	    echo "No Python 3.11 or newer as $(or $(PYTHON),python3); name one: make PYTHON=/path/to/python3.12" >&2; exit 1; \
	fi; \
	if "$$found" -c 'import ensurepip, venv' 2>/dev/null; then "$$found" -m venv $(VENV); \
	elif "$$found" -m virtualenv --version >/dev/null 2>&1; then "$$found" -m virtualenv --quiet $(VENV); \
	else \
	    echo "$$found cannot make virtual environments: install its venv module" \
	         "(Debian and Ubuntu: apt-get install python3-venv), or name another: make PYTHON=…" >&2; exit 1; \
	fi
