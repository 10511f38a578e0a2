# Needs Python 3.11 or newer and make; everything else goes into .venv.
#
#   make play          starts the server and opens the browser   (LAN=1 for the whole network, PORT=8000)
#   make test          all tests, some of them on a sample       (WORKERS=3; ORDER=7: in a random order)
#   make test-all      all tests, whole: hours                   (SEED=20261123: other games)
#   make check         the light tests: a minute
#   make pythons       the fast tests on every Python from 3.11 to 3.14 that is found here (TESTS=tests/core)
#   make format        ruff: fix what it can, and format
#   make mutate        mutation testing of the rules             (ONLY=legal or ONLY=large_grid; SAMPLE=600 at random)
#                      or of a room                              (ROOM=tables SAMPLE=100)
#   make bench         decisions per second, and the time to start the server
#   make device        the pack in a browser: its size, its start, and its answers to moves    (MOVES=40)
#   make memory        the memory of an idle table, and of a server under load (MINUTES=30)
#   make load          moves a second, streams and memory of a server under load, also beside boardgame.io (ONLY=told; SECONDS=20)
#   make evening       60 programs play an evening: how long answers to moves take, and that kills lose nothing (KILLS=5)
#   make weigh         the bytes and script times of the pages of The Great Race
#   make kill          kills the server and PostgreSQL under load     (ONLY=servers TABLES=50 SECONDS=300 TIMES=10 WITHIN=10)
#   make many          a database with 10,000 tables, 100,000 records and 1,000 live tables    (SCALE=0.01)
#   make host          types the commands of docs/host.md in a machine of its own: for root, on Debian
#   make kept          replays all kept games, records and tables: same, changed or refused
#   make stall         how long visitors wait while the server does long work     (ONLY=servers)
#   make shots         screenshots of every page into docs/shots/
#   make wheel         the package for other machines, and what a server needs beside it, in dist/
#   make docs          the documentation into site/; fails on a warning or a broken link
#   make messages      the messages to translate, and checks of the translations  (PACKAGE=skerries for a title, NEW=it)
#   make lock          the newest versions that pyproject.toml allows into requirements/

# Some machines set it; then every process compiles every module again.
unexport PYTHONDONTWRITEBYTECODE

# One more than two cores: a worker that drives a browser waits more than it computes.
WORKERS ?= 3
BIN := .venv/bin
WORKING := -n $(WORKERS) --dist loadgroup
PYTEST := $(BIN)/pytest $(WORKING)
FAST := -m "not browser and not postgres and not slow"
LIGHT := -m "not browser and not postgres and not slow and not heavy"
STEPS := $(MAKE) --no-print-directory --keep-going

.PHONY: play test test-all check pythons mutate bench device memory load evening weigh kill many kept host stall shots wheel docs messages lock format venv dev needs lint types imports kernels collected unit tests

# Browsers can keep this pack for times without a network. Node.js writes it, once for each version, while people race.
PACK := $(CURDIR)/build/pack
PACKED := Browsers can keep Paddock now, for times without a network.
NO_PACK := There is no offline mode: that needs Node.js and, once, the network. See docs/device.md.

play: venv
	@if [ -z "$$PADDOCK_PACK" ]; then \
		mkdir -p $(PACK); export PADDOCK_PACK=$(PACK); \
		[ $(PACK)/pack.json -nt pyproject.toml ] || \
			{ command -v node >/dev/null && nice $(BIN)/paddock pack $(PACK) >/dev/null && echo "$(PACKED)" || echo "$(NO_PACK)"; } & \
	fi; \
	exec $(BIN)/paddock serve --open $(if $(filter-out 0,$(LAN)),--lan) $(if $(PORT),--port $(PORT))

# Every step runs even where an earlier one fails; make names those that failed at the end.
test: dev
	@$(STEPS) -j $(WORKERS) kernels types docs lint imports needs kept collected; steps=$$?; $(STEPS) tests && exit $$steps

# What `make test` samples runs whole, and with other games every day.
test unit tests: export PADDOCK_TEST_ORDER = $(ORDER)
# Of glibc, which would keep what threads have freed in up to eight areas for each core.
test unit tests: export MALLOC_ARENA_MAX = 2

test-all: export PADDOCK_TEST_WHOLE = 1
test-all: export PADDOCK_TEST_SEED = $(or $(SEED),$(shell date +%Y%m%d))
test-all: test

check: dev
	@$(STEPS) lint types imports unit

pythons: dev
	@$(BIN)/python scripts/pythons.py $(WORKING) $(FAST) $(TESTS)

mutate: dev
	$(BIN)/python scripts/$(if $(ROOM),mutate_rooms.py $(ROOM),mutate.py) $(if $(ONLY),--only $(ONLY)) $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(SEED),--seed $(SEED))

device: dev
	$(BIN)/python scripts/device_bench.py $(if $(MOVES),--moves $(MOVES))

bench: dev
	@$(BIN)/paddock bench; rules=$$?; $(BIN)/python scripts/envs_bench.py && $(BIN)/python scripts/start.py && exit $$rules

memory: dev
	@$(BIN)/python scripts/memory.py $(if $(MINUTES),--minutes $(MINUTES))

load: dev
	@$(BIN)/python scripts/load.py $(ONLY) $(if $(SECONDS),--seconds $(SECONDS))

evening: dev
	@$(BIN)/python scripts/evening.py $(if $(KILLS),--kills $(KILLS)) $(if $(DEALS),--deals $(DEALS))

weigh: dev needs
	@$(BIN)/python scripts/weigh.py

kill: dev needs
	@$(BIN)/python scripts/kill.py $(ONLY) $(if $(TIMES),--times $(TIMES)) $(if $(TABLES),--tables $(TABLES)) \
		$(if $(SECONDS),--seconds $(SECONDS)) $(if $(WITHIN),--within $(WITHIN))

many: dev
	@$(BIN)/python scripts/many.py $(if $(SCALE),--scale $(SCALE))

host: dev
	@$(BIN)/python scripts/host.py

kept: dev
	@$(BIN)/python scripts/kept.py

stall: dev needs
	@$(BIN)/python scripts/stall.py $(ONLY)

shots: dev needs
	$(BIN)/python scripts/shots.py $(if $(EVERY),--every) $(if $(ONLY),--only $(ONLY))

# mkdocs counts only the warnings that it prints: with --quiet, --strict finds nothing. The variable turns off a notice
# of the theme about MkDocs 2, which pyproject.toml excludes.
docs: dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	$(BIN)/python scripts/offline.py site
	$(BIN)/python scripts/links.py site
	$(BIN)/python scripts/searched.py site

wheel:
	@scripts/venv.sh wheel
	@rm -rf dist
	@$(BIN)/hatchling build -t wheel -d dist
	@cp requirements/server.txt dist/
	@echo "Install it: pip install \"\$$(ls dist/paddock_games-*.whl)[serve,fast]\""
	@echo "On a server, with the versions that were tested, and their hashes:"
	@echo "pip install --require-hashes --only-binary :all: -r dist/server.txt"
	@echo "pip install --no-deps --force-reinstall dist/paddock_games-*.whl"

messages: dev
	$(BIN)/python scripts/messages.py $(PACKAGE) $(if $(NEW),--new $(NEW))

lock:
	@scripts/venv.sh lock
	@$(BIN)/python scripts/lock.py

format: dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The steps

venv:
	@scripts/venv.sh play

dev:
	@scripts/venv.sh dev

needs: dev
	@$(BIN)/python scripts/needs.py

lint: dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: dev
	$(BIN)/mypy

imports: dev
	$(BIN)/lint-imports

kernels: dev
	$(BIN)/python scripts/kernels.py

# pytest compiles each test file in its own way: once here, not in every worker at the same time. What cannot be
# collected is told by `tests`.
collected: dev
	@$(BIN)/pytest --collect-only -qq > /dev/null || true

unit: dev
	$(PYTEST) $(LIGHT)

tests: dev
	$(PYTEST)
