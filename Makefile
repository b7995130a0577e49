# Everything lives in .venv, made from the hashed lock files in locks/. Nothing asks for input.
# Another Python: PYTHON=python3.12 make play     Arguments: make play ARGS="serve --port 8000"

SHELL := /bin/sh
BIN := .venv/bin
PIP := $(BIN)/pip --disable-pip-version-check --no-input
# Python compiles what it imports; pip would compile everything, a third of the time of installing.
FROM_LOCK := $(PIP) install --require-hashes --only-binary :all: --no-compile
# What Web Push encrypts with has no wheel; it is one module of Python.
UNBUILT := --no-binary http-ece
# The first of these that is new enough, unless PYTHON names one.
PYTHONS := python3 python3.14 python3.13 python3.12 python3.11
# A browser for the tests: the one that CHROMIUM names, else the first of these.
CHROMIUMS := chromium chromium-browser google-chrome google-chrome-stable
MAC_CHROME := /Applications/Google Chrome.app/Contents/MacOS/Google Chrome
ARGS :=
# What checks and describes packages, in a .venv of its own; whose licences `make licences` lists.
RELEASE := .venv/release/bin
OF := play

# What pip did not compile must be kept when it is first imported, or every start would compile it again.
unexport PYTHONDONTWRITEBYTECODE

# A .venv works only where it was made: one that came along in a copied folder is made anew.
ifneq ($(shell cat .venv/.python 2>/dev/null),$(CURDIR))
$(shell rm -f .venv/.python .venv/.play .venv/.build .venv/.lab .venv/.envs .venv/.scale .venv/.ray .venv/.push .venv/.desk .venv/.mcp .venv/.train .venv/.docs .venv/.release .venv/.test .venv/.uv)
endif

.DEFAULT_GOAL := help
.PHONY: help play test lint format bench bench-peers docs dist licences install build lab envs desk mcp scale ray push train lock clean chromium postgresql

help: ## Show this list.
	@echo 'Atoll. The first start installs what is missing into .venv.'
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

play: .venv/.play ## Play in the browser: starts the site and opens it.
	@$(BIN)/atoll $(ARGS)

test: .venv/.test chromium postgresql ## Run the tests (ARGS="tests/core -x" for some of them).
	@CHROMIUM="$$($(find_chromium))" $(BIN)/python -m pytest -n auto --dist worksteal --ends-only $(ARGS)

lint: .venv/.test ## Check style and types.
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy

format: .venv/.test ## Put the code into its layout.
	@$(BIN)/ruff check --fix
	@$(BIN)/ruff format

bench: .venv/.lab ## Measure games and decisions a second (ARGS=--list for what else is measured).
	@$(BIN)/python -m bench $(ARGS)

bench-peers: .venv/.envs ## Measure other libraries beside ours, each in a .venv of its own, and write docs/speed.md.
	@$(BIN)/python -m bench.peers $(ARGS)

docs: .venv/.docs ## Build the site of the documentation into build/docs.
	@$(BIN)/python -m docs.site

dist: .venv/.play .venv/.release ## Build the wheel and the sources' archive into dist/, and check them.
	@rm -rf dist
	@mkdir dist && PYTHONPATH=backend $(BIN)/python -c \
		'import atoll_backend as flit; print(flit.build_sdist("dist")); print(flit.build_wheel("dist"))'
	@$(RELEASE)/twine check --strict dist/*
	@$(RELEASE)/check-wheel-contents --ignore W004 dist/*.whl

licences: .venv/.play .venv/.release ## Write what is installed, with its licences, into dist/ (OF=envs for an extra's).
	@rm -rf build/installed && $(BIN)/python -m venv --without-pip build/installed && mkdir -p dist
	@$(PIP) --python build/installed/bin/python install --quiet $(UNBUILT) --require-hashes --no-compile -r locks/$(OF).txt
	@$(RELEASE)/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible \
		--output-file dist/$(OF).cdx.json build/installed/bin/python
	@$(RELEASE)/pip-licenses --python build/installed/bin/python --from mixed --with-urls --format markdown \
		--output-file dist/$(OF)-licences.md

install: .venv/.play ## Make .venv with the atoll command, and stop there.

build: .venv/.build ## Install what builds games' modules, too: Numba and Zig's linker.

lab: .venv/.lab ## Install what plots, data as Parquet and tuning need, too.

envs: .venv/.envs ## Install what researchers' environments need, too: PettingZoo, Gymnasium, OpenSpiel.

desk: .venv/.desk ## Install what reads and writes spreadsheets of components, too.

mcp: .venv/.mcp ## Install what lets language models play, too: the Model Context Protocol.

scale: .venv/.scale ## Install what a site of several processes on PostgreSQL needs, too.

ray: .venv/.ray ## Install what plays reports and tuning on a cluster of machines, too: Ray.

push: .venv/.push ## Install what tells people by Web Push that it is their turn, too.

train: .venv/.train ## Install what learners need, too: PyTorch, sb3-contrib and TorchRL (TORCH=auto for its GPU build).

lock: .venv/.uv ## Make locks/ anew from pyproject.toml (ARGS=--upgrade for newer versions).
	@$(LOCK) --group build -o locks/play.txt
	@$(LOCK) --group build --extra build -c locks/play.txt -o locks/build.txt
	@$(LOCK) --group build --extra lab -c locks/play.txt -o locks/lab.txt
	@$(LOCK) --group build --extra lab --extra envs -c locks/lab.txt -o locks/envs.txt
	@$(LOCK) --group build --extra lab --extra envs --extra docs -c locks/envs.txt -o locks/docs.txt
	@$(LOCK) --group build --extra desk -c locks/play.txt -o locks/desk.txt
	@$(LOCK) --group build --extra mcp -c locks/play.txt -o locks/mcp.txt
	@$(LOCK) --group build --extra scale -c locks/play.txt -o locks/scale.txt
	@$(LOCK) --group build --extra lab --extra ray -c locks/lab.txt -o locks/ray.txt
	@$(LOCK) --group build --extra push -c locks/play.txt -o locks/push.txt
	@$(LOCK) --group build --group test --extra build --extra lab --extra envs --extra scale --extra ray --extra push --extra desk --extra mcp --extra docs -c locks/docs.txt -o locks/test.txt
	@$(subst pyproject.toml,,$(LOCK)) --group release -o locks/release.txt

clean: ## Remove .venv and what the tools leave behind.
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist src/atoll/examples

LOCK = .venv/uv/bin/uv pip compile pyproject.toml --quiet --universal --fork-strategy fewest --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-emit-find-links --custom-compile-command 'make lock' $(ARGS)

.venv/.uv: | .venv/.python
	@$(BIN)/python -m venv .venv/uv
	@.venv/uv/bin/python -m pip --disable-pip-version-check install --quiet uv
	@touch $@

# pip is the one of the Python that makes .venv, if it can serve another: to install one of its own takes a while.
.venv/.python:
	@python= ; for candidate in $(or $(PYTHON),$(PYTHONS)); do \
		if $$candidate -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null; \
		then python=$$candidate; break; fi; done; \
	if [ -z "$$python" ]; then \
		echo 'Atoll needs Python 3.11, 3.12, 3.13 or 3.14 (tried: $(or $(PYTHON),$(PYTHONS))).' >&2; exit 1; fi; \
	echo "Making .venv with $$($$python --version)"; \
	$$python -m venv --clear --without-pip .venv && printf '%s\n' '#!/bin/sh' \
		"exec '$$($$python -c 'import sys; print(sys.executable)')' -m pip --python '$(CURDIR)/$(BIN)/python' "'"$$@"' \
		>$(BIN)/pip && chmod +x $(BIN)/pip; \
	if ! $(BIN)/pip --version >/dev/null 2>&1 && ! $(BIN)/python -m ensurepip --default-pip >/dev/null; then \
		version=$$($$python -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
		echo "This Python lacks pip or venv. On Debian or Ubuntu: apt-get install python$$version-venv" >&2; \
		exit 1; fi
	@printf %s '$(CURDIR)' >$@

.venv/.play: locks/play.txt pyproject.toml | .venv/.python
	@echo 'Installing what Atoll needs, once; about half a minute'
	@$(FROM_LOCK) -r locks/play.txt
	@$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

.venv/.build: locks/build.txt .venv/.play
	@echo 'Installing what builds modules, once; some 150 MB'
	@$(FROM_LOCK) -r locks/build.txt
	@touch $@

.venv/.lab: locks/lab.txt .venv/.play
	@echo 'Installing what plays millions of games and draws plots, once; some 150 MB'
	@$(FROM_LOCK) -r locks/lab.txt
	@touch $@

.venv/.envs: locks/envs.txt .venv/.play
	@echo 'Installing what environments for researchers need, once'
	@$(FROM_LOCK) -r locks/envs.txt
	@touch $@

.venv/.desk: locks/desk.txt .venv/.play
	@echo 'Installing what reads and writes spreadsheets, once'
	@$(FROM_LOCK) -r locks/desk.txt
	@touch $@

.venv/.mcp: locks/mcp.txt .venv/.play
	@echo 'Installing what speaks the Model Context Protocol, once; some 30 MB'
	@$(FROM_LOCK) -r locks/mcp.txt
	@touch $@

.venv/.scale: locks/scale.txt .venv/.play
	@echo 'Installing what speaks to PostgreSQL, once'
	@$(FROM_LOCK) -r locks/scale.txt
	@touch $@

.venv/.docs: locks/docs.txt .venv/.envs
	@echo 'Installing what builds the site of the documentation, once'
	@$(FROM_LOCK) -r locks/docs.txt
	@touch $@

.venv/.release: locks/release.txt | .venv/.python
	@echo 'Installing what checks packages, once; some 30 MB'
	@$(BIN)/python -m venv --without-pip .venv/release
	@$(PIP) --python .venv/release/bin/python install --quiet --no-compile --require-hashes --only-binary :all: -r locks/release.txt
	@touch $@

.venv/.ray: locks/ray.txt .venv/.play
	@echo 'Installing Ray, once; some 80 MB'
	@$(FROM_LOCK) -r locks/ray.txt
	@touch $@

.venv/.push: locks/push.txt .venv/.play
	@echo 'Installing what Web Push needs, once; some 30 MB'
	@$(FROM_LOCK) $(UNBUILT) -r locks/push.txt
	@touch $@

# Not from a lock file: what the index has of PyTorch for Linux brings gigabytes for GPUs. Where pip is offered the CPU
# build, it takes that; elsewhere uv does, which knows where PyTorch's own builds are.
TORCH := cpu
TORCH_VERSION := 2.13.0
.venv/.train: pyproject.toml .venv/.envs .venv/.lab
	@echo 'Installing PyTorch, once; some 200 MB'
	@$(PIP) install --quiet --no-compile --only-binary :all: 'torch==$(TORCH_VERSION)+$(TORCH)' 2>/dev/null \
		|| { $(MAKE) .venv/.uv && .venv/uv/bin/uv pip install --python $(BIN)/python --torch-backend=$(TORCH) \
		'torch==$(TORCH_VERSION)'; }
	@$(PIP) install --quiet --no-compile --only-binary :all: 'sb3-contrib==2.9.2' 'torchrl==0.14.1'
	@touch $@

.venv/.test: locks/test.txt .venv/.play .venv/.train
	@echo 'Installing what the tests need, once'
	@$(FROM_LOCK) $(UNBUILT) -r locks/test.txt
	@touch $@

define find_chromium
if [ -n "$$CHROMIUM" ]; then command -v "$$CHROMIUM"; \
else for browser in $(CHROMIUMS) "$(MAC_CHROME)"; do command -v "$$browser" && break; done; fi
endef

chromium:
	@if [ -n "$$($(find_chromium))" ]; then exit 0; fi; \
	if [ -z "$$CHROMIUM" ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo 'Installing Chromium for the browser tests, once'; \
		export DEBIAN_FRONTEND=noninteractive; \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core </dev/null; \
	else \
		echo 'The browser tests need Chromium: install the package "chromium" (or Google Chrome) and run this again.' >&2; \
		echo 'If it is installed elsewhere, name it: CHROMIUM=/path/to/chromium make test' >&2; \
		exit 1; \
	fi

postgresql:
	@if { command -v initdb || ls /usr/lib/postgresql/*/bin/initdb; } >/dev/null 2>&1; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo 'Installing PostgreSQL for the tests of a site of several processes, once'; \
		export DEBIAN_FRONTEND=noninteractive; \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql </dev/null; \
	else \
		echo 'The tests need the programs of PostgreSQL (initdb, pg_ctl): install it and run this again.' >&2; \
		exit 1; \
	fi
