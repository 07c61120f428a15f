# make demo   the main job: a simulated table, real vision, the live page
# make test   style, types and all tests
# Both set up all that they need on a fresh Debian or Raspberry Pi OS with python3 and make.

SHARED ?= ../shared
PYTHON ?= python3
VENV ?= .venv
GAME ?= hook
CONDITION ?= evening
SEED ?= 1
ROUNDS ?= 300
FLIPS ?= 1000
CONDITIONS ?= easy evening harsh
DECK ?=
JOBS ?= 2
LOAD_SECONDS ?= 120
RENDERS ?= $(SHARED)/renders/hook-photos
RENDERS_DECK ?= $(SHARED)/renders/hook-deck
PREFIX ?= /opt/tabletop-companion
COMMIT := $(shell git rev-parse HEAD 2>/dev/null || echo 0)

BIN := $(VENV)/bin
READY := $(VENV)/.ready
override SHARED := $(abspath $(SHARED))
export SHARED
export OPENBLAS_NUM_THREADS ?= 1

.PHONY: demo test lint unit accuracy accuracy-short lake-accuracy resilience races load renders risk bench benchmarks screenshots simulator-hardness virtual-pi-gpio lock clean

demo: $(READY)
	$(BIN)/companion demo --game $(GAME) --condition $(CONDITION) --seed $(SEED)

test: lint unit

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

unit: $(READY)
	$(BIN)/pytest -n 2 --dist loadfile

# How well the vision reads a folder of photos with a known truth.
renders: $(READY)
	COMPANION=$(BIN)/companion $(BIN)/python $(SHARED)/renders/score_look.py $(RENDERS)/truth.jsonl $(RENDERS) $(RENDERS_DECK)

# How well whole rounds are read on the simulated table; 300 rounds a condition take about an hour.
accuracy: $(READY)
	$(BIN)/python -m companion.app.accuracy --rounds $(ROUNDS) --jobs $(JOBS) --seed-from $(COMMIT) $(if $(DECK),--deck $(DECK)) $(CONDITIONS)

# The same in a few minutes: fails only where a bar is missed beyond doubt.
accuracy-short: $(READY)
	$(BIN)/python -m companion.app.accuracy --rounds 60 --jobs $(JOBS) --level 0.999999 --seed-from $(COMMIT) $(CONDITIONS)

# How well the Lake of Hooked! is read on the simulated table: flips, forced twins and nudges, card by card. A thousand
# flips a condition take hours: with RESULTS=file a run that was cut short goes on where it stopped.
lake-accuracy: $(READY)
	$(BIN)/python -m companion.app.hooked_accuracy --rounds $(FLIPS) --jobs $(JOBS) --seed-from $(COMMIT) $(if $(DECK),--deck $(DECK)) $(if $(RESULTS),--results $(RESULTS)) $(CONDITIONS)

# Whole programs and vision processes killed in the middle of play.
resilience: $(READY)
	$(BIN)/pytest -m slow tests/companion/app/test_kill.py

# Ten thousand simulated slap races, twice: bounces, glitches, misread levels, held buttons. No verdict may be wrong.
races: $(READY)
	$(BIN)/pytest -m slow -s tests/companion/core/test_race.py

# Slap races for two minutes while vision, game and 24 pages are busy: every edge kept, every winner as without load.
# Where others compute too, the times it prints are theirs as well: begin it with setsid, and give /proc/PID/autogroup a
# high priority.
load: $(READY)
	LOAD_SECONDS=$(LOAD_SECONDS) $(BIN)/pytest -s tests/companion/app/test_load.py

risk: $(READY)
	$(BIN)/python -m companion.app.risk_coverage

bench: $(READY)
	$(BIN)/companion bench

# Ratios to plain OpenCV primitives in the same run; apart from the tests, whose result never depends on speed.
benchmarks: $(READY)
	$(BIN)/pytest tests/benchmarks

screenshots: $(READY)
	$(BIN)/python -m tests.web.screenshots

# The simulated table must not be easier than the path-traced photographs.
simulator-hardness: $(READY)
	$(BIN)/pytest -m slow tests/hardware/simulated

# On a Pi, with sudo: the program in an environment of its own that sees apt's picamera2 and lgpio; then the service.
# docs/pi.md tells all of it.
.PHONY: install install-service
install:
	systemd/install program $(PREFIX)

install-service:
	systemd/install service $(PREFIX)

# A real kernel's GPIO device under the real libraries: a User-Mode Linux, built once (a few minutes) and kept in ~/.cache.
virtual-pi-gpio: $(READY)
	tests/virtual_pi/run $(BIN)/python

lock: $(READY)
	$(BIN)/pip freeze --exclude-editable --exclude tabletop-companion | sort -f > dev.lock

$(READY): pyproject.toml dev.lock
	.ci/system-packages python3-venv=/usr/lib/python3*/ensurepip/__init__.py \
	    libgl1=/usr/lib/*/libGL.so.1 libglib2.0-0=/usr/lib/*/libgthread-2.0.so.0
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check -c dev.lock -e '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
