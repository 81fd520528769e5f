# One target for each thing a person does here. `make` alone says what there is.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# EXTRAS=postgres adds the driver for PostgreSQL.
EXTRAS ?= run
INSTALLED := $(VENV)/.installed-$(EXTRAS)
AXE := $(VENV)/axe/.ready

SECONDS ?= 120
TESTS ?= tests
SEED ?=
KILLS ?= 300
# What the tests take for the time at which they start, such as "+40 days"; today if it is empty.
AT ?=
AS_AT := $(if $(AT),tests/faketime/at.sh "$(AT)")

# What the tests leave to the targets below: real servers, a browser, and all that takes minutes.
APART := not stack and not crash and not browser and not fuzz and not long
# What `make test` leaves to `make test-all`, beside nine of ten cases of each test with `tenth_of`.
QUICK := $(APART) and not wide

# The files that have something for a target, as to look into all of them takes half a minute.
those_with = $(shell grep -rlE --include='test_*.py' '$(1)' tests)

# What is compiled is kept: without that each of the processes would compile the tests and takmail again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help compiled install demo test test-all coverage test-postgres test-system-python test-archives test-container test-stack test-crash test-browser fuzz fuzz-mails long yardstick check providers commands lock clean

help:
	@echo "make install     takmail and what it needs into .venv, without tools for tests; EXTRAS=postgres for PostgreSQL"
	@echo "make demo        set up .venv and watch two people play a game by mail; FAST=1 for no pauses"
	@echo "make test        the tests for each thought; no root, no network beyond loopback; SEED=7 for other cases of those that are many"
	@echo "make test-all    the same with every case; AT=\"+5 years\" plays either as at that time (root, Debian)"
	@echo "make coverage    the same with the branches that they take, room by room; TESTS=tests/commands for those of one room"
	@echo "make test-postgres  all tests that use a database once more, on a PostgreSQL 15 of their own (Debian)"
	@echo "make test-system-python  the tests that depend on the interpreter, under /usr/bin/python3 in .venv-system; 3.11 or newer"
	@echo "make test-archives  install sdist and wheel under each Python of PYTHONS, in empty folders, and play the demo there"
	@echo "make test-container  build the image by Debian's buildah upon Debian's Python, and play a round in it (root, Debian)"
	@echo "make test-stack  the same play against a real Dovecot and Postfix (root, Debian)"
	@echo "make test-crash  50 games there, 20 with reminders and times that end, while the service is killed 300 times and the servers break; KILLS=25 for a short one, and for no less"
	@echo "make test-browser  letters of all kinds in a headless Chromium, kept as pictures in .letters (Debian)"
	@echo "make fuzz        generated mails for two minutes, and more examples than make test; SECONDS=1800 for longer, SEED=7 for the same ones again"
	@echo "make fuzz-mails the generated mails alone"
	@echo "make long        hostile mails against a service with little memory that is killed 300 times, KILLS=25 for a short one; and other long tests"
	@echo "make yardstick   play recorded mails, and name those whose answers differ from the recorded ones"
	@echo "make compiled    compile the bot into .venv/compiled, and compare its turns with those of the plain one (needs a C compiler)"
	@echo "make check       ruff, mypy --strict, the import contracts"
	@echo "make providers   make the tables of docs/providers*.md from takmail/config/providers.toml"
	@echo "make commands    make the table of docs/commands.md from takmail/commands/command_list.py"
	@echo "make lock        resolve requirements.lock and its parts anew (needs uv)"

# The file's libraries, and the checkout itself. What is in .venv already stays.
define into_venv
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r $<
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@
endef

install: $(INSTALLED)

$(INSTALLED): requirements.$(EXTRAS).lock pyproject.toml
	@echo "Installing takmail and its libraries into $(VENV): about 160 MB, in half a minute. Nothing outside it changes."
	$(into_venv)

$(READY): requirements.lock pyproject.toml
	@echo "Installing takmail, its libraries and the tools for tests into $(VENV): about 250 MB, in about a minute. Nothing outside it changes."
	$(into_venv)

demo: $(READY)
	$(BIN)/takmail demo $(if $(filter-out 0 no false off,$(FAST)),--fast)

test: $(READY)
	SEED=$(SEED) $(AS_AT) $(BIN)/pytest -n auto --dist worksteal --durations=10 -m "$(QUICK)" $(TESTS)

test-all: $(READY)
	WIDTH=all $(AS_AT) $(BIN)/pytest -n auto --dist worksteal --durations=10 -m "$(APART)" $(TESTS)

coverage: $(READY)
	WIDTH=all $(BIN)/pytest -n auto --dist worksteal -m "$(APART)" --cov=takmail --cov-branch --cov-report=json:.coverage.json $(TESTS)
	@$(BIN)/python -m tests.project.coverage_by_room .coverage.json

test-postgres: $(READY)
	tests/postgres/install.sh
	TEST_DATABASE=postgresql $(BIN)/pytest -n auto --dist worksteal -m "not sqlite and $(APART)" $(TESTS)

test-system-python:
	APART="$(APART)" tests/system-python.sh $(if $(REQUIRED),--required)

PYTHONS ?= python3.11 python3.12 python3.13 python3.14
test-archives: $(READY)
	tests/archives.sh $(PYTHONS)

test-container:
	tests/container.sh

# Four at a time, as most of it waits: each worker has servers of its own.
test-stack: $(READY)
	tests/stack/install.sh
	$(BIN)/pytest -n 4 -m stack tests/stack

test-crash: $(READY)
	tests/stack/install.sh
	tests/postgres/install.sh
	KILLS=$(KILLS) SEED=$(SEED) $(BIN)/pytest -m crash tests/crash

$(AXE): tests/browser/axe.txt $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --require-hashes --upgrade \
	  --target $(VENV)/axe -r tests/browser/axe.txt
	@touch $@

test-browser: $(READY) $(AXE)
	tests/browser/install.sh
	$(BIN)/pytest -n auto -m browser tests/browser

fuzz-mails: $(READY)
	FUZZ_SECONDS=$(SECONDS) FUZZ_SEED=$(SEED) $(BIN)/pytest -m fuzz tests/fuzz

fuzz: fuzz-mails
	FUZZ_SECONDS=$(SECONDS) $(BIN)/pytest -n auto -m "(hypothesis or many) and $(APART)" $(if $(SEED),--hypothesis-seed=$(SEED)) \
	  $(call those_with,^from hypothesis import|GameContract|mark\.many)

long: $(READY)
	LONG_KILLS=$(KILLS) SEED=$(SEED) $(BIN)/pytest -s -m long tests/long
	$(BIN)/pytest -n auto -m long $(filter-out tests/long/%,$(call those_with,mark\.long))

# PYTHONPATH=.venv/compiled:. .venv/bin/python -P -m bench.levels plays with it.
compiled: $(READY)
	rm -rf $(VENV)/compiled
	HATCH_BUILD_HOOK_ENABLE_CUSTOM=true $(BIN)/python -m hatchling build -t wheel -d $(VENV)/compiled
	$(BIN)/python -m zipfile -e $(VENV)/compiled/*.whl $(VENV)/compiled
	$(BIN)/pytest tests/games/test_compiled.py

yardstick: $(READY)
	$(BIN)/python -m tests.yardstick compare

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache --no-logo

providers: $(READY)
	$(BIN)/python -m tests.project.providers_page

commands: $(READY)
	$(BIN)/python -m tests.project.commands_page

# The other files are parts of the first one.
LOCKED := uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-strip-extras \
  --no-emit-index-url --no-annotate --no-header --quiet
lock:
	$(LOCKED) --extra demo --extra postgres --extra dev --output-file requirements.lock
	$(LOCKED) --extra build --extra demo --constraints requirements.lock --output-file requirements.run.lock
	$(LOCKED) --extra build --extra demo --extra postgres --constraints requirements.lock --output-file requirements.postgres.lock
	$(LOCKED) --extra compile --constraints requirements.lock --output-file requirements.compile.lock

clean:
	rm -rf $(VENV) .venv-system .mypy_cache .pytest_cache .ruff_cache .hypothesis .letters .coverage*
