# Conveniences: `make reproduce`, `make test`, `make check`. All build .venv from requirements.lock
# and requirements-torch.lock when it is missing or was built from others.
PYTHON ?= python3
VENV := .venv
BIN := $(CURDIR)/$(VENV)/bin
QUICK := tests/unit/test_style.py tests/unit/test_layers.py tests/unit/judging tests/unit/experiment tests/config/test_nonsense.py
LOCKS := requirements.lock requirements-torch.lock
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check
export PATH := $(BIN):$(PATH)
unexport PYTHONDONTWRITEBYTECODE  # tests start hundreds of processes, which share compiled files

.PHONY: reproduce test test-all test-slurm check docs mutate lint env

reproduce: env
	snakemake results/laptop/gmp/table3.csv
	reactivate show gmp/table3 --scale laptop

test: env lint
	pytest -n 2 -m "not slow"

# With whole workflow runs, kills, simulations and thousands of mutated configurations.
test-all: env lint
	pytest -n 2

# While one works: lint, types, and the tests of what most changes touch.
check: env lint
	pytest -n 2 -m "not slow" $(QUICK)

# On a private SLURM of one node, installed with apt-get where it is missing.
test-slurm: env
	REACTIVATE_SLURM=1 pytest -rs tests/slurm

# How many small mistakes in the code the tests notice: docs/mutation.md. About an hour.
mutate: env
	nice python tests/mutation/run.py --seed 18 --size 640

# The site of docs/, with a reference of the library: docs/_build/html/index.html.
docs: env
	sphinx-build --quiet --fail-on-warning --keep-going docs docs/_build/html

lint: env
	ruff check .
	ruff format --check .
	snakefmt --check Snakefile rules
	mypy

env:
	@cat $(LOCKS) | cmp -s - $(VENV)/built-from.lock || $(MAKE) --no-print-directory rebuild

.PHONY: rebuild
rebuild:
	@$(PYTHON) -c 'import sys; v = sys.version.split()[0]; sys.version_info >= (3, 11) or sys.exit(f"reactivate needs Python 3.11 or newer, but $(PYTHON) is {v}; set another with: make PYTHON=python3.12")'
	rm -rf $(VENV)
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) --require-hashes --no-deps -r requirements.lock
	$(INSTALL) -r requirements-torch.lock
	$(INSTALL) --no-deps --no-build-isolation --editable .
	cat $(LOCKS) > $(VENV)/built-from.lock

# Versions of .venv with new checksums, for every platform; it needs the program uv.
.PHONY: lock
lock:
	$(BIN)/pip freeze --exclude-editable --exclude torch --exclude torchvision | \
	  uv pip compile - --no-deps --generate-hashes --no-annotate --python-version 3.11.7 \
	  --custom-compile-command "make lock" --output-file requirements.lock
