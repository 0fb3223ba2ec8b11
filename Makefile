# Every command does its own set-up: a fresh clone, Python 3.11 or newer and make are enough.
# `make setup` runs again only when the lock files or pyproject.toml change.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
OUT ?= out
ROUND ?= 7
PORT ?= 8000
SERVE ?= 1
COMMIT ?= $(shell git rev-parse HEAD)
WORKERS ?= 2
READER ?= today
# Many tests wait for servers and browsers.
TEST_WORKERS ?= 3
# Compiled files are kept even where the environment forbids it: each process that a test starts would compile anew.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help setup run test thorough picamera2 quick lint format scenes prints reported bench accuracy numbers game lenses fuzz kills faults uploads axe cuts attacks damage soak soak-short installer notices lock wheel clean

help:  ## What each command does
	@sed -n 's/^\([a-z0-9-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

setup: $(READY)  ## Create .venv with the locked dependencies and the project itself

$(READY): requirements-dev.lock requirements-axe.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Python 3.11 or newer is needed; name it with: make PYTHON=python3.x $(MAKECMDGOALS)" >&2; \
		exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "Python's venv module is missing; install it with: sudo apt install python3-venv" >&2; \
		exit 1; }
	@$(PYTHON) -m venv $(VENV)
	@echo "Installing the locked dependencies into $(VENV) (a minute or two, once)" >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes \
		--only-binary :all: -r requirements-dev.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes \
		--only-binary :all: --no-deps -r requirements-axe.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps \
		--no-build-isolation --editable .
	@touch $@

# Ctrl-C ends the service; SERVE=0 leaves it out.
run: $(READY)  ## Score a simulated round, then follow a simulated game on the page, on PORT (8000)
	@$(BIN)/tacta simulate --seed $(ROUND) $(OUT)
	@$(BIN)/tacta score $(OUT)/ordinary-$(ROUND)/image.jpg --lens $(OUT)/ordinary-$(ROUND)/lens.json \
		--overlay $(OUT)/ordinary-$(ROUND)/overlay.jpg || [ $$? -eq 3 ]
	@[ "$(SERVE)" = 0 ] || { rm -rf $(OUT)/game && exec $(BIN)/tacta serve --data $(OUT)/game \
		--port $(PORT) --camera game:$(ROUND) --follow; }

test: $(READY)  ## All tests but those of `make thorough`
	@$(BIN)/python -m pytest -n $(TEST_WORKERS) --dist loadfile --no-loadscope-reorder --durations 30 --durations-min 1

thorough: $(READY)  ## The tests that are left out of these, as they only try more variants
	@$(BIN)/python -m pytest -n $(TEST_WORKERS) --dist loadfile -m thorough --timeout 1800

picamera2: $(READY)  ## The tests on the real picamera2, where prepare.sh has built it
	@$(BIN)/python -m pytest -q tests/rig/cameras/picamera2

quick: $(READY)  ## The tests that take no more than a few seconds each
	@$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile -m 'not slow and not thorough'

lint: $(READY)  ## Style and types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

format: $(READY)  ## Lay the source out
	@$(BIN)/ruff check --fix --exit-zero .
	@$(BIN)/ruff format .

scenes: $(READY)  ## The score sheet over fixtures and simulated scenes, against the baseline; READER=one: by the one score
	@$(BIN)/python -m measuring.scenes --processes $(WORKERS) --reader $(READER) $(SCENES)

prints: $(READY)  ## The score sheet over the scenes in FOLDER
	@$(BIN)/python -m measuring.scenes --folder $(FOLDER) --no-fixtures --simulated 0 --retakes 0 \
		--processes $(WORKERS) $(SCENES)

reported: $(READY)  ## The score sheet over simulated scenes that nobody has seen: their seeds are the commit's
	@$(BIN)/python -m measuring.scenes --reported $(COMMIT) --no-fixtures --retakes 0 \
		--processes $(WORKERS) $(SCENES)

bench: $(READY)  ## Reading time and memory, also of the scenes in PRINTS; writes docs/performance.md; READER=one: by the one score
	@$(BIN)/python -m measuring.bench --reader $(READER) $(if $(PRINTS),--prints $(PRINTS))

accuracy: $(READY)  ## The score sheet by condition, with plots; writes OUT/accuracy/accuracy.md
	@$(BIN)/python -m measuring.accuracy --output $(OUT)/accuracy/accuracy.md

numbers: $(READY)  ## Each number of the reader on one score moved by a quarter; writes docs/reading-numbers.md
	@$(BIN)/python -m measuring.moved_numbers --processes $(WORKERS)

game: $(READY)  ## Twenty whole games followed card by card; goes on where it stopped
	@$(BIN)/python -m measuring.game $(OUT)/games --processes $(WORKERS) $(GAMES)

lenses: $(READY)  ## Lens calibration on 40 simulated cameras of each kind; prints the table
	@$(BIN)/python -m tests.calibration.lens_trials

wheel: $(READY)  ## What is released, into dist/: the source, and the wheel that is built from it
	@rm -rf build dist
	@$(BIN)/python -m build --no-isolation --outdir dist . >/dev/null
	@ls dist

lock: $(READY)  ## Rewrite the lock files from pyproject.toml (needs uv)
	@uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
		--no-header --no-annotate --no-emit-index-url --upgrade -o requirements.lock
	@uv pip compile pyproject.toml --extra dev --extra mqtt --universal --python-version 3.11 --generate-hashes \
		--no-header --no-annotate --no-emit-index-url -c requirements.lock -o requirements-dev.lock
	@awk '/^[^ ]/ { keep = /^setuptools==/ } keep' requirements-dev.lock > requirements-build.lock
	@awk '/^[^ ]/ { keep = /^paho-mqtt==/ } keep' requirements-dev.lock > requirements-mqtt.lock

fuzz: $(READY)  ## The service against its own description, 100 examples an operation
	@TACTA_FUZZ_EXAMPLES=100 $(BIN)/python -m pytest -q --timeout 3000 tests/rig/service/http/test_openapi.py

kills: $(READY)  ## The service killed 200 times under load: nothing acknowledged may be lost
	@$(BIN)/python -m tests.rig.service.kills --count 200
	@$(BIN)/python -m tests.rig.store.backups.backup_kills --count 50

faults: $(READY)  ## The service with cameras that hang, go dark, freeze, vanish or send garbage
	@$(BIN)/python -m tests.rig.service.camera_faults

uploads: $(READY)  ## What uploading a photo costs beyond reading it
	@$(BIN)/python -m tests.rig.service.upload_cost

axe: $(READY)  ## axe-core over every state of the page, in both languages and both schemes
	@TACTA_AXE=all $(BIN)/python -m pytest -q --timeout 1800 \
		$(addprefix tests/rig/page/test_,accessibility.py game_page.py followed_page.py replay_page.py)

cuts: $(READY)  ## The store through 100 power cuts, 50 of backups and of restoring: nothing acknowledged may be lost
	@$(BIN)/python -m tests.rig.store.power_cuts --count 100
	@$(BIN)/python -m tests.rig.store.backups.backup_cuts --count 50

attacks: $(READY)  ## Attacks on the service on loopback, with what they cost
	@$(BIN)/python -m tests.rig.service.attacks

damage: $(READY)  ## 10,000 damaged pictures: how many wrong scores are called sure; goes on where it stopped
	@mkdir -p $(OUT)
	@$(BIN)/python -m tests.rig.photo.damaged_pictures --count 10000 --kept $(OUT)/damage.jsonl

soak: $(READY)  ## Two hours of play in half an hour, with all that can go wrong
	@$(BIN)/python -m tests.rig.service.soak --seconds 1800

soak-short: $(READY)  ## Three minutes of the same
	@$(BIN)/python -m tests.rig.service.soak --seconds 180

installer: $(READY)  ## The installer from an empty Debian 12 and 13 to a served page (root, debootstrap)
	@TACTA_INSTALLER=1 $(BIN)/python -m pytest -q --durations 0 tests/deploy/test_empty_debian.py

notices: $(READY)  ## Write docs/sbom.json and docs/third-party.md from the locked packages
	@$(BIN)/python -m measuring.notices

clean:  ## Remove what was made, .venv included
	rm -rf $(VENV) $(OUT) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis *.egg-info
