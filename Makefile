# Two commands are enough: `make play` and `make test`. Both set up everything they need.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
COMPILED := $(shell find src/atout/rules src/atout/knowledge src/atout/search src/atout/nets src/atout/batch -name '*.py')

# Python keeps its bytecode, even where the environment says otherwise: the tests start hundreds of processes.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help docs play play-terminal browser gallery terminal-gallery test check check-all web web-test bench bench-arena bench-envs bench-gpu bench-page bench-server bench-store dist faults train lock golden clean format before-play before-tests

help:  ## what can be done here
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(BIN)/python:
	@echo "setting up: a virtual environment in $(VENV); this needs a network once, for packages"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Atout needs Python 3.11 or newer; this is " + sys.version.split()[0])'
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

# uv installs in seconds what takes pip a minute. Where it cannot (another platform, an index that only pip knows), pip does.
$(BIN)/uv: | $(BIN)/python
	@$(PIP_INSTALL) --retries 1 "$$(grep '^uv==' requirements-dev.lock)" || true

PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
install = $(BIN)/uv pip install --quiet --python $(BIN)/python -r $(1) || $(PIP_INSTALL) -r $(1) || { $(NOT_INSTALLED); exit 1; }
NOT_INSTALLED := echo "setting up: the packages could not be installed, see above; this needs a network once, afterwards none" >&2

$(VENV)/.runtime: requirements.lock pyproject.toml | $(BIN)/uv
	@echo "setting up: packages"
	@$(call install,requirements.lock)
	@echo "$(CURDIR)/src" > "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/atout.pth"
	@printf '#!/bin/sh\nATOUT_COMMAND="$$0" exec "%s" -m atout "$$@"\n' "$(CURDIR)/$(BIN)/python" > $(BIN)/atout && chmod +x $(BIN)/atout
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.runtime
	@echo "setting up: tools for checks and tests"
	@$(call install,requirements-dev.lock)
	@touch $@

# Compiled code is kept in the virtual environment's cache. `.table` is what a table needs, `.warm` everything.
$(VENV)/.table: $(COMPILED) $(VENV)/.runtime
	@$(BIN)/python -m atout.warm table
	@touch $@

$(VENV)/.warm: $(COMPILED) $(VENV)/.runtime
	@$(BIN)/python -m atout.warm --jobs $(JOBS)
	@touch $@ $(VENV)/.table

$(VENV)/.warm-check: $(COMPILED) $(VENV)/.runtime
	@ATOUT_JIT=check $(BIN)/python -m atout.warm --jobs $(JOBS)
	@touch $@

JOBS ?= 0

# two things at a time: the page is built while the rules are compiled
before-play: $(BIN)/python
	@$(MAKE) --silent --no-print-directory -j 2 $(VENV)/.table web

play: before-play  ## play in the browser: start the server, open the page
	@$(BIN)/atout serve --open

play-terminal: $(VENV)/.table  ## play a match in the terminal
	@$(BIN)/atout play

# The page: Node comes from the machine where it has one that is new enough, else from PyPI.
IN_WEB := cd web && PATH="$(CURDIR)/$(BIN):$$PATH"
PAGE := src/atout/server/static/index.html

$(VENV)/.node: requirements-web.lock | $(BIN)/uv
	@node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 22 || (a === 22 && b >= 12) || (a === 20 && b >= 19) ? 0 : 1)' 2>/dev/null \
		|| { echo "setting up: Node"; $(call install,requirements-web.lock); }
	@touch $@

web/node_modules/.package-lock.json: web/package-lock.json $(VENV)/.node
	@echo "setting up: packages of the page"
	@$(IN_WEB) npm ci --loglevel=error --no-progress --no-audit --no-fund --no-update-notifier >/dev/null || { $(NOT_INSTALLED); exit 1; }
	@touch $@

$(PAGE): web/node_modules/.package-lock.json $(shell find web/src web/public web/scripts -type f) web/index.html web/vite.config.ts web/package.json docs/protocol/protocol.ts
	@$(IN_WEB) npm run --silent build

web: $(PAGE)  ## build the page into src/atout/server/static
	@:

dist: $(VENV)/.dev web  ## the sdist and the wheel, both with the page, in dist/
	@rm -rf dist
	@$(BIN)/python -m hatchling build

web-test: web/node_modules/.package-lock.json  ## types and tests of the page
	@$(IN_WEB) npm run --silent check
	@$(IN_WEB) npm run --silent test

browser: $(VENV)/.dev
	@$(BIN)/python -m tests.browser.finder

gallery: browser web $(VENV)/.warm  ## pictures of every page and phase, in gallery/
	@$(BIN)/python -m tests.browser.gallery

terminal-gallery: browser $(VENV)/.warm  ## pictures of the terminal's table in every phase, in gallery/terminal/
	@$(BIN)/python -m tests.terminal.pictures

# many tests wait for a clock, a browser or a disk: two more of them than there are cores
WORKERS = $(shell $(BIN)/python -c "import os; print(len(os.sched_getaffinity(0)) + 2 if hasattr(os, 'sched_getaffinity') else (os.cpu_count() or 1) + 2)")

# what comes before the tests, two things at a time: most of it keeps one core busy
before-tests: $(BIN)/python
	@$(MAKE) --silent --no-print-directory -j 2 JOBS=1 $(VENV)/.warm web-test web browser check

test: before-tests  ## check the code and run the tests
	@$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal -m "not slow"

check: $(VENV)/.dev  ## format, lint, types, import layers
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache

$(VENV)/.ray: requirements-ray.lock $(VENV)/.runtime
	@echo "setting up: Ray"
	@$(PIP_INSTALL) -r requirements-ray.lock
	@touch $@

$(VENV)/.train: requirements-train.lock $(VENV)/.runtime
	@echo "setting up: PyTorch"
	@$(PIP_INSTALL) -r requirements-train.lock
	@touch $@

train: $(VENV)/.train $(VENV)/.warm  ## teach a small network one table in ten minutes
	@$(BIN)/python -m train $(or $(TRAIN),--config train/cpu.toml --minutes 10)

$(VENV)/.docs: requirements-docs.lock $(VENV)/.runtime
	@echo "setting up: pdoc"
	@$(PIP_INSTALL) -r requirements-docs.lock
	@touch $@

docs: $(VENV)/.docs  ## build the API reference and the documents as a static site, in site/
	@$(BIN)/python docs/build.py site

check-all: before-tests $(VENV)/.warm-check $(VENV)/.ray $(VENV)/.train $(VENV)/.research $(VENV)/.docs  ## everything, the slow checks too
	@$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal

format: $(VENV)/.dev web/node_modules/.package-lock.json  ## put the code into its format
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .
	@$(IN_WEB) npm run --silent format

$(VENV)/.bench: requirements-bench.lock $(VENV)/.runtime
	@echo "setting up: the peers to measure beside"
	@$(PIP_INSTALL) -r requirements-bench.lock
	@touch $@

bench: $(VENV)/.warm $(VENV)/.bench  ## measure on this machine, beside the peers; writes bench/results.md
	@$(BIN)/python -m bench.kernel
	@$(BIN)/python -m bench.records
	@$(BIN)/python -m bench.search
	@$(BIN)/python -m bench.solver
	@$(BIN)/python -m bench.network

bench-arena: $(VENV)/.warm  ## how strong the bots are, on all cores (hours on two); writes bench/results.md
	@$(BIN)/python -m bench.arena

bench-gpu: $(VENV)/.warm  ## the same kernel on a GPU (needs the package numba-cuda and an NVIDIA card)
	@$(BIN)/python -m bench.gpu.random_matches
	@$(BIN)/python -m bench.gpu.batches

$(VENV)/.research: requirements-research.lock $(VENV)/.runtime
	@echo "setting up: the libraries of the environments"
	@$(PIP_INSTALL) -r requirements-research.lock
	@touch $@

$(VENV)/.bench-envs: requirements-bench-envs.lock $(VENV)/.research
	@echo "setting up: the environments to measure beside"
	@$(PIP_INSTALL) -r requirements-bench-envs.lock
	@touch $@

bench-envs: $(VENV)/.bench-envs $(VENV)/.warm  ## the environments beside PettingZoo, RLCard, OpenSpiel and Pgx
	@$(BIN)/python -m bench.envs

bench-store: $(VENV)/.dev  ## what an append costs, on SQLite and PostgreSQL
	@$(BIN)/python -m bench.store

# boardgame.io, to measure beside; without it the bench says so and measures ours alone
$(VENV)/bgio/node_modules: bench/server/bgio/package.json $(VENV)/.node
	@mkdir -p $(VENV)/bgio
	@cp bench/server/bgio/package.json $(VENV)/bgio/
	@PATH="$(CURDIR)/$(BIN):$$PATH" npm install --silent --no-progress --prefix $(VENV)/bgio && touch $@ \
		|| echo "boardgame.io could not be installed; it needs npm and a network"

bench-page: browser web $(VENV)/.warm  ## how quick the page is: first load, until it answers, frames while cards move
	@$(BIN)/python -m bench.page

bench-server: $(VENV)/.dev $(VENV)/.warm $(VENV)/bgio/node_modules  ## what a move costs the server, beside boardgame.io; SOAK=30: its memory over 30 minutes
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m bench.server $(if $(SOAK),--soak $(SOAK))

faults: $(VENV)/.dev $(VENV)/.warm  ## kill workers, restart PostgreSQL, fill the disk, turn the clock: what is lost? (20 minutes)
	@$(BIN)/python -m tests.faults $(FAULTS)

golden: $(VENV)/.warm $(VENV)/.dev  ## write the golden games and the counts of positions again
	@$(BIN)/python -m tests.golden.write

lock: $(VENV)/.dev  ## resolve the dependencies and write the lock files
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-annotate --no-header --extra all pyproject.toml -o requirements.lock
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-annotate --no-header --constraint requirements.lock --group dev -o requirements-dev.lock
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-annotate --no-header --constraint requirements.lock --group bench -o requirements-bench.lock
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-annotate --no-header --constraint requirements.lock --group docs -o requirements-docs.lock
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-annotate --no-header --constraint requirements.lock --constraint requirements-research.lock --group bench-envs -o requirements-bench-envs.lock
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-annotate --no-header --group web -o requirements-web.lock
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-annotate --no-header --constraint requirements.lock --extra ray pyproject.toml -o requirements-ray.lock
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-annotate --no-header --constraint requirements.lock --extra train pyproject.toml -o requirements-train.lock
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-annotate --no-header --constraint requirements.lock --extra research pyproject.toml -o requirements-research.lock

clean:  ## remove what set-up made
	rm -rf $(VENV) dist web/node_modules src/atout/server/static .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
