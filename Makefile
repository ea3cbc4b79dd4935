# make app | dist | wheels | release | test | check | js | docs | gallery | audit | advisories | lock | licences | kernels | bench | look
# PORT=8501 HOST=localhost for the app; TORCH=cuda installs torch with libraries for graphics cards, TORCH=none leaves
# it out: pages that train with it then say so.
PYTHON ?= python3
PORT ?= 8501
HOST ?= localhost
# A part of the quick tests for `make check`; all of them when empty.
TESTS ?=
# Each worker goes through one half; who is done first takes over half of what is left.
PARALLEL := -n 2 --dist worksteal
# Journeys wait for a good part of their time: three workers keep two cores busy.
JOURNEYS := -n 3 --dist worksteal
VENV := .venv
BIN := $(VENV)/bin
export OMP_NUM_THREADS ?= 1
export PYTHONWARNINGS ?=

.PHONY: app dist wheels release lock licences test check lint types quick journeys others js docs gallery audit advisories kernels bench look openings \
  browser clean

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; PYTHON=/path/to/python3 names another."; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { echo "The venv module is missing: apt-get install python3-venv"; exit 1; }
	@touch $@

INSTALL := tools/install.sh tools/uv.sh $(filter-out locks/release.txt,$(wildcard locks/*.txt)) $(VENV)/.made
$(VENV)/.app: $(INSTALL)
	@sh tools/install.sh $(VENV)
	@touch $@

# With what the app needs, in one go.
$(VENV)/.dev: $(INSTALL)
	@sh tools/install.sh $(VENV) dev
	@touch $(VENV)/.app $@

# After a change of requirements*.txt.
lock: $(VENV)/.dev
	$(BIN)/python -m tools.lock

# After that: what the packages say of their licences, docs/licences.md.
licences: $(VENV)/.dev
	$(BIN)/python -m tools.licences

app: $(VENV)/.app
	@echo "DP Explorer: http://$(HOST):$(PORT)"
	@DPCORE_AHEAD=$${DPCORE_AHEAD-1} DPCORE_PREPARE=$${DPCORE_PREPARE-1} \
	  $(BIN)/streamlit run app.py --server.port $(PORT) --server.address $(HOST)

# Both distributions in dist/, with the results that pages open with.
OPENINGS := $(VENV)/openings
dist: $(VENV)/.dev
	@rm -rf dist $(OPENINGS)
	@DPCORE_CACHE=$(OPENINGS) $(BIN)/python -m pages prepare --only "as it opens"
	@$(BIN)/python -m tools.wheels dist --prepared $(OPENINGS)

# Then in environments of their own on every Python that is here, and with the oldest packages that the library allows.
# Needs a package index.
wheels: dist
	@DPCORE_FUZZ=full $(BIN)/python -m pytest tests/test_explorer_wheel.py tests/test_fresh_environments.py \
	  tests/test_exports_alone.py

# Checks both distributions, runs them installed, writes their bills of materials, and says how to tag and upload:
# uploads nothing. Needs a package index.
RELEASE := .venv-release
$(RELEASE)/.made: locks/release.txt | $(VENV)/.dev
	@sh tools/uv.sh $(VENV) venv -q --allow-existing --python $(BIN)/python $(RELEASE)
	@sh tools/uv.sh $(VENV) pip install -q --python $(RELEASE)/bin/python --require-hashes --only-binary :all: -r $<
	@touch $@

release: dist $(RELEASE)/.made
	@$(BIN)/python -m tools.release dist --tools $(RELEASE)/bin

browser:
	@sh tools/browser.sh

test: $(VENV)/.dev browser node_modules/.package-lock.json
	@# Beside each other: journeys wait for a good part of their time. Both say what fails.
	@$(MAKE) --no-print-directory --keep-going --jobs=2 journeys others

# What they print comes whole at their end, so that it does not stand between the dots of the others.
journeys: $(VENV)/.dev
	@status=0; DPCORE_REQUIRE_BROWSER=1 $(BIN)/python -m pytest $(JOURNEYS) tests/browser > $(VENV)/journeys.txt 2>&1 || status=$$?; \
	cat $(VENV)/journeys.txt; exit $$status

# As low in priority as what runs behind a page, so that a journey does not wait for the end of these.
others: $(VENV)/.dev
	@nice -n 19 $(BIN)/python -m pytest $(PARALLEL) --ignore=tests/browser

# npm writes this file last. Node is the one of requirements-dev.txt; the app itself needs none of it.
NODE := PATH="$(CURDIR)/$(BIN):$$PATH"
node_modules/.package-lock.json: package.json package-lock.json | $(VENV)/.dev
	@$(NODE) npm ci --loglevel=error --no-audit --no-fund --no-update-notifier
	@touch $@

COVERED := --experimental-test-coverage --test-coverage-lines=90 \
  --test-coverage-include='assets/live/**/*.js' \
  --test-coverage-include='assets/notebook/*.js' \
  --test-coverage-include='assets/room/*.js'
js: node_modules/.package-lock.json
	$(NODE) node_modules/.bin/biome check --error-on-warnings assets/early assets/live assets/notebook assets/room assets/site tests/js *.json
	$(NODE) node_modules/.bin/tsc --project tsconfig.json
	$(NODE) node --test --test-reporter=dot $(COVERED) 'tests/js/**/*.test.js' || \
	  { echo "A test failed, or less than 90 % of the lines are tested."; exit 1; }

check: js lint types quick

lint: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports --no-logo

# The page of CONTRIBUTING.md lies outside the three layers.
types: $(VENV)/.dev
	$(BIN)/mypy
	$(BIN)/mypy tests/example_page/pages

quick: $(VENV)/.dev
	$(BIN)/python -m pytest $(TESTS) -m "not browser and not slow"

# Pictures of all pages for the site of `make docs`, which shows only those of the current sources.
gallery: $(VENV)/.dev browser
	@$(BIN)/python -m tools.gallery

# The guide and the reference, docs/_build/html/index.html. Its examples run in `make test`.
docs: $(VENV)/.dev
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet --jobs 2 docs docs/_build/html
	@echo "docs/_build/html/index.html"

# All fuzzing, 200 accountings, all random states of the pages, journeys under what Windows lacks, all deterministic checks, all attacks.
# Killed and started again the attacks go on;
# AUDIT="--jobs 1 laplace" picks among them, look/audit.csv* is what they keep.
AUDIT ?= --jobs 2
audit: $(VENV)/.dev browser node_modules/.package-lock.json
	@mkdir -p look
	DPCORE_FUZZ=full $(BIN)/python -m pytest -q tests/fuzz tests/dpcore/accounting/test_independent.py \
	  tests/pages/test_one_epsilon.py tests/browser/test_all_readers.py tests/browser/test_firefox.py
	DPCORE_FUZZ=full $(BIN)/python -m pytest -q -m thorough
	sh tools/notebooks.sh
	DPCORE_FUZZ=full .venv-notebooks/bin/python -m pytest -q tests/browser/test_notebooks.py
	DPCORE_SERVED_BY=tests.as_windows $(BIN)/python -m pytest -q -k "own_csv or learns" tests/browser/relevance tests/browser/network
	$(BIN)/python -m dpcore audit --checks --out look/checks.md
	$(BIN)/python -m pages.audit_claims > look/claims.md
	$(BIN)/python -m dpcore audit --out look/audit.csv $(AUDIT)
	$(BIN)/python -m tools.advisories || test $$? -eq 3  # nobody to ask

# Published advisories for the packages of locks/. Ends with 3, and a sentence, where nobody can be asked.
advisories: $(VENV)/.dev
	@$(BIN)/python -m tools.advisories

# The quick numeric tests with OpenBLAS's kernels that the processor has and does not take by itself: `make test` has
# run them with its own.
OWN_KERNEL = $(shell $(BIN)/python -c "import numpy, threadpoolctl as t; print(t.threadpool_info()[0]['architecture'])")
KERNELS = $(filter-out $(OWN_KERNEL),Haswell $(shell grep -qsw avx512f /proc/cpuinfo && echo SkylakeX))
NUMERIC := tests/dpcore/experiments/test_autoencoder.py tests/dpcore/autoencoder/test_pairwise_epsilon.py \
  tests/dpcore/autoencoder/test_generator.py tests/dpcore/regression/test_solve.py \
  tests/dpcore/regression/test_statistics.py tests/dpcore/kahm/test_ridge.py \
  tests/dpcore/kahm/test_hull.py tests/dpcore/lvq/test_train.py
kernels: $(VENV)/.dev
	@for kernel in $(KERNELS); do echo "$$kernel:"; OPENBLAS_CORETYPE=$$kernel \
	  $(BIN)/python -m pytest -m "not slow and not browser" $(NUMERIC) || exit 1; done

bench: $(VENV)/.dev browser
	@sh tools/bench.sh

openings: $(VENV)/.dev
	$(BIN)/python -m tools.openings --write --networks 41

look: $(VENV)/.dev browser
	$(BIN)/python tools/look.py

clean:
	rm -rf $(VENV) node_modules .venv-bench .venv-peer .venv-notebooks $(RELEASE) look docs/_build docs/reference
	rm -rf pages/static/live-* pages/static/plotly-*
