# make run            the window, on the bundled sample          make test    the test suite
# make run FILE=…     the window, on a session file              make check   format, lint, types, import contracts
# make setup          only the preparation                       make bench   the measured times
# make samples lock wheel clean
#
# PYTHON=python3.12   which Python makes .venv (3.11 or newer)   ARGS="-k dag"  more arguments for pytest or the bench

PYTHON ?= python3
FILE ?= resources/samples/flaky-test.jsonl
ifeq ($(OS),Windows_NT)
BIN := .venv/Scripts
else
BIN := .venv/bin
endif

.PHONY: run setup test check bench samples lock wheel clean

run: setup
	@$(BIN)/python -m gui "$(FILE)"

setup:
	@$(PYTHON) .setup/prepare.py

test: setup
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m tests $(ARGS)

check: setup
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

bench: setup
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m tests.bench $(ARGS)

samples: setup
	$(BIN)/python -m resources.samples.generate

# The newest versions that pyproject.toml allows, with hashes for every platform. uv only writes the file.
lock:
	@$(PYTHON) .setup/lock.py

wheel: setup
	$(BIN)/python -m build --no-isolation

clean:
	rm -rf .venv build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find core gui tests resources .setup -name __pycache__ -type d -prune -exec rm -rf {} +
