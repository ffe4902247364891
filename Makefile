# Every target sets up what it needs. `make` alone lists them.
# The oldest supported Python that is there. PYTHON=... names another.
PYTHON ?= $(shell for each in python3.11 python3.12 python3.13 python3.14 python3; do \
	$$each -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$each; break; }; done)
PYTHON_NEWER ?= $(or $(lastword $(sort $(wildcard $(HOME)/.pyenv/versions/3.13.*/bin/python3.13))),python3.13)
QUESTION ?= React animation library
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
NEWER_INSTALLED := .venv-newer/.installed
CONSTRAINTS := --constraint constraints.txt
# The pinned pip comes first: Python 3.11's own does not read dependency groups. Modules are compiled when they are first
# imported, because the tests import less than a third of what is installed. setuptools warns of every editable installation.
define INSTALL_DEV
@$(1)/bin/python -m pip install --quiet --disable-pip-version-check $(CONSTRAINTS) pip
@PYTHONWARNINGS=ignore $(1)/bin/python -m pip install --quiet --disable-pip-version-check --no-compile $(CONSTRAINTS) \
	--editable . --group dev
endef
SHARED := ../shared
# The SAM CLI, checkov and the emulator have venvs of their own, because they need other versions than goldpan.
SAM_VENV := .venv-sam
SAM_INSTALLED := $(SAM_VENV)/.installed
SAM := SAM_CLI_TELEMETRY=0 $(SAM_VENV)/bin/sam
CHECKOV_VENV := .venv-checkov
CHECKOV_INSTALLED := $(CHECKOV_VENV)/.installed
REHEARSE_INSTALLED := .venv-rehearse/.installed
ASL_VALIDATOR := build/npm/node_modules/.bin/asl-validator
ARCHITECTURE ?= arm64
MACHINE := $(patsubst aarch64,arm64,$(shell uname -m))
DEPLOYED := template.yaml layers/goldpan/requirements.txt \
	$(shell find layers/goldpan goldpan-data/src functions statemachine api alarms -type f ! -path '*/__pycache__/*' ! -path '*.egg-info/*')
PYTEST := -m pytest --quiet --numprocesses
# Half of their time the tests wait, for deadlines, browsers and other processes, so three share two processors. Those of a
# file stay together, because they share servers and browsers.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print(max(2, 3 * (os.cpu_count() or 1) // 2))')
ALL_TESTS = $(PYTEST) $(WORKERS) --dist loadfile --no-loadscope-reorder -m "not slow"
# On Python 3.13 the whole suite would find little more than these: pass NEWER_TESTS=tests for all of it.
NEWER_TESTS ?= tests/unit
ANSWERS := samconfig.local.toml
FROM_BUILD = --template-file build/sam-$(ARCHITECTURE)/template.yaml --config-file $(CURDIR)/$(ANSWERS)
IN_REGION = $(addprefix --region ,$(if $(wildcard $(ANSWERS)),$(shell sed -n 's/^region *= *"\(.*\)"/\1/p' $(ANSWERS))))
HANDLER ?= scout
EVENT ?= events/scout.json
STACK ?= goldpan

# Compiled modules are kept even where the machine says otherwise: the tests start Python some hundred times.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help environments run serve soak test test-quick test-newer slow coverage lint types house template build builds deploy encoder-build deploy-encoder page-build deploy-page smoke rehearse invoke machine wheel alarms asl api events audit check quality quality-sample quality-judged quality-public reliability pictures benchmarks mutants clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

$(VENV)/.run: pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing goldpan into $(VENV) ..." >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check $(CONSTRAINTS) --editable .
	@touch $@

$(INSTALLED): pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing goldpan and its test tools into $(VENV) ..." >&2
	$(call INSTALL_DEV,$(VENV))
	@touch $@ $(VENV)/.run

$(NEWER_INSTALLED): pyproject.toml constraints.txt
	@test -x .venv-newer/bin/python || $(PYTHON_NEWER) -m venv .venv-newer
	$(call INSTALL_DEV,.venv-newer)
	@touch $@

# The environment of the newer Python is left out where that is not installed.
environments: $(INSTALLED) $(SAM_INSTALLED) $(CHECKOV_INSTALLED) $(if $(shell $(PYTHON_NEWER) --version 2>/dev/null),$(NEWER_INSTALLED)) ## set up what the tests, the checks of the template and the builds need

run: $(VENV)/.run ## answer QUESTION="..." (GitHub where it can be reached, else the sample catalogue)
	@$(BIN)/goldpan search "$(QUESTION)"

serve: $(VENV)/.run ## answer over HTTP on http://127.0.0.1:8080
	@$(BIN)/goldpan serve

# The environment of the newer Python is set up while the tests run, which saves about half a minute.
test: $(INSTALLED) ## run the tests, and the unit tests on Python 3.13 if it is installed
	@if command -v $(PYTHON_NEWER) >/dev/null && $(PYTHON_NEWER) --version >/dev/null 2>&1; \
	then $(MAKE) --no-print-directory $(NEWER_INSTALLED) >/dev/null 2>&1 & fi; \
	$(BIN)/python $(ALL_TESTS) && wait
	@if command -v $(PYTHON_NEWER) >/dev/null && $(PYTHON_NEWER) --version >/dev/null 2>&1; \
	then $(MAKE) --no-print-directory test-newer; \
	else echo "skipped: no $(PYTHON_NEWER) on the PATH, tested on $(PYTHON) alone"; fi

test-quick: $(INSTALLED) ## run the unit tests
	$(BIN)/python -m pytest --numprocesses 2 --quiet tests/unit

test-newer: $(NEWER_INSTALLED) ## run the unit tests on Python 3.13
	.venv-newer/bin/python $(PYTEST) auto -m "not slow" $(NEWER_TESTS)

slow: $(INSTALLED) ## run the long campaigns: fuzzing, all faults, killed processes, many callers, the built functions
	@if $(PYTHON_NEWER) --version >/dev/null 2>&1; \
	then $(MAKE) --no-print-directory build encoder-build ARCHITECTURE=$(MACHINE); \
	else echo "skipped: no $(PYTHON_NEWER), so the functions are not built and not tested"; fi
	FUZZ_EXAMPLES=150 $(BIN)/python $(PYTEST) auto tests/slow

coverage: $(INSTALLED) ## run the tests and report the lines that none of them executes
	$(BIN)/python $(ALL_TESTS) --cov

lint: $(INSTALLED) ## check style and form (ruff)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(INSTALLED) ## check the types (mypy, strict)
	$(BIN)/mypy

# HOUSE=--limits fails where a figure is above its limit.
house: $(INSTALLED) ## print how large and how entangled the code is, beside its limits
	@$(BIN)/python scripts/house.py $(HOUSE)

$(SAM_INSTALLED): constraints-sam.txt
	@test -x $(SAM_VENV)/bin/python || $(PYTHON) -m venv $(SAM_VENV)
	@echo "installing the SAM CLI into $(SAM_VENV) ..." >&2
	@$(SAM_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-compile --constraint $< aws-sam-cli
	@touch $@

$(CHECKOV_INSTALLED): constraints-checkov.txt
	@test -x $(CHECKOV_VENV)/bin/python || $(PYTHON) -m venv $(CHECKOV_VENV)
	@echo "installing checkov into $(CHECKOV_VENV) ..." >&2
	@$(CHECKOV_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-compile --constraint $< checkov
	@touch $@

$(ASL_VALIDATOR):
	@echo "installing asl-validator into build/npm ..." >&2
	@npm install --prefix build/npm --silent --no-audit --no-fund asl-validator@4.0.0

# SAM needs a region to read a template; it makes no difference which.
template: $(INSTALLED) $(SAM_INSTALLED) $(CHECKOV_INSTALLED) ## check the template and the state machines (sam validate, cfn-lint, checkov, asl-validator)
	$(SAM) validate --lint --region us-east-1
	$(BIN)/python -m tests.contract.stack.inlined build
	$(BIN)/cfn-lint build/template-inlined.json page/template.yaml encoder/template.yaml
	$(CHECKOV_VENV)/bin/checkov --file template.yaml page/template.yaml encoder/template.yaml --framework cloudformation --skip-download --quiet --compact
	@if command -v npm >/dev/null; \
	then $(MAKE) --silent --no-print-directory $(ASL_VALIDATOR) \
		&& $(ASL_VALIDATOR) --json-path build/search.asl.json --json-path build/accept.asl.json --json-path build/rounds.asl.json --json-path build/warm_up.asl.json; \
	else echo "skipped: no npm on the PATH, the state machines were checked by cfn-lint alone"; fi

# The layers are built by the Python that they run under. The requirements are complete, so pip resolves no dependencies.
define SAM_BUILD
@$(PYTHON_NEWER) --version >/dev/null 2>&1 || { echo "no $(PYTHON_NEWER): the layer needs it" >&2; exit 1; }
@echo "building $(1) for $* ..." >&2
@PATH="$$(dirname "$$(command -v $(PYTHON_NEWER))"):$$PATH" PIP_NO_DEPS=1 \
	$(SAM) build --template-file $(1) --build-dir $(@D) --parameter-overrides Architecture=$* >&2
endef

build/sam-%/template.yaml: $(DEPLOYED) $(SAM_INSTALLED)
	$(call SAM_BUILD,template.yaml)

build: build/sam-$(ARCHITECTURE)/template.yaml ## build the functions and their layers, for ARCHITECTURE=arm64 or x86_64
	@echo "built: build/sam-$(ARCHITECTURE)"

# One after the other, because they share a file in build: as it is deployed, and as the tests can run it.
builds: $(SAM_INSTALLED) ## build all of it, for its processor and for that of this machine
	@$(MAKE) --no-print-directory build
	@$(MAKE) --no-print-directory build ARCHITECTURE=$(MACHINE)
	@$(MAKE) --no-print-directory encoder-build ARCHITECTURE=$(MACHINE)

# SAM looks for its configuration beside the built template by default, and writes the answers into it.
deploy: build ## deploy to AWS; the first time it asks for the parameters and stores the answers
	@test -f $(ANSWERS) || cp samconfig.toml $(ANSWERS)
	@if ! grep -q ^parameter_overrides $(ANSWERS); \
	then $(SAM) deploy $(FROM_BUILD) --guided --parameter-overrides Architecture=$(ARCHITECTURE); \
	elif grep -q 'Architecture[^a-z]*$(ARCHITECTURE)' $(ANSWERS); then $(SAM) deploy $(FROM_BUILD); \
	else echo "the answers in $(ANSWERS) are for another processor than $(ARCHITECTURE)" >&2; exit 1; fi

build/encoder-%/template.yaml: encoder/template.yaml encoder/packages/requirements.txt $(SAM_INSTALLED)
	$(call SAM_BUILD,$<)

encoder-build: build/encoder-$(ARCHITECTURE)/template.yaml ## build the optional layer with the sentence encoder, for ARCHITECTURE=arm64 or x86_64
	@echo "built: build/encoder-$(ARCHITECTURE)"

# In the region of the stack of the API, if its answers are here: scout can have no layer of another one.
deploy-encoder: encoder-build ## deploy that layer as the stack goldpan-encoder, and print its ARN for the parameter EmbeddingModel
	$(SAM) deploy --template-file build/encoder-$(ARCHITECTURE)/template.yaml --stack-name goldpan-encoder $(IN_REGION) \
		--resolve-s3 --no-confirm-changeset --no-fail-on-empty-changeset --parameter-overrides Architecture=$(ARCHITECTURE)
	@$(SAM) list stack-outputs --stack-name goldpan-encoder --output json $(IN_REGION)

page-build: $(INSTALLED) ## write the page for AWS as files into build/page
	@rm -rf build/page
	@$(BIN)/python -m scripts.page.build build/page

deploy-page: page-build $(SAM_INSTALLED) ## put the page in front of the stack STACK=goldpan, as the stack goldpan-page
	@$(BIN)/python -m scripts.page.deploy --stack $(STACK) --files build/page

smoke: $(INSTALLED) ## check a running goldpan from outside: the stack STACK=goldpan, or a server with URL=http://127.0.0.1:8080
	@$(BIN)/python -m scripts.smoke $(if $(URL),--url $(URL),--stack $(STACK))

# The functions run in the emulator's own Python, which is that of Lambda.
$(REHEARSE_INSTALLED): constraints-rehearse.txt
	@test -x .venv-rehearse/bin/python || $(PYTHON_NEWER) -m venv .venv-rehearse
	@echo "installing the emulator into .venv-rehearse ..." >&2
	@.venv-rehearse/bin/python -m pip install --quiet --disable-pip-version-check --no-compile --constraint $< \
		airspeed-ext aws-sam-translator ministack snapshot-restore-py
	@touch $@

rehearse: $(INSTALLED) $(REHEARSE_INSTALLED) build/sam-$(MACHINE)/template.yaml build/encoder-$(MACHINE)/template.yaml ## deploy what was built to an emulator of AWS on this machine: change it, break it, delete it
	@$(BIN)/python -m scripts.rehearse --built build/sam-$(MACHINE)

# The keys are those of the environment, and of the file KEYS=... with lines such as GITHUB_TOKEN=...
invoke: $(INSTALLED) build/sam-$(MACHINE)/template.yaml ## call one built function, with HANDLER=scout EVENT=events/scout.json
	@$(BIN)/python -m scripts.invoke $(HANDLER) $(EVENT) $(if $(KEYS),--keys $(KEYS))

machine: $(INSTALLED) ## answer QUESTION="..." by the state machine with its handlers, simulated on this machine
	@$(BIN)/python -m scripts.machine "$(QUESTION)"

wheel: $(INSTALLED) ## build the wheel and the source distribution into dist
	@rm -rf dist
	$(BIN)/python -m build --quiet --dependency-constraints-txt constraints.txt

asl: $(INSTALLED) ## write statemachine/search.asl.json from search.asl.yaml and what Python defines
	$(BIN)/python statemachine/generate.py

alarms: $(INSTALLED) ## write alarms/alarms.json from alarms/alarms.yaml and topic.yaml
	$(BIN)/python alarms/generate.py

api: $(INSTALLED) ## write api/openapi.yaml and api/gateway.json from the models and the sources in YAML
	$(BIN)/python api/generate.py

events: $(INSTALLED) ## record the events in events/ from a run of the state machine
	$(BIN)/python -m scripts.record_events >/dev/null

audit: $(INSTALLED) ## check every pinned version against OSV (skipped if it cannot be reached)
	@$(BIN)/python -m scripts.audit

reliability: $(INSTALLED) ## run the fault campaign and write docs/reliability.md from it
	$(BIN)/python -m tests.slow.faults.page

pictures: $(INSTALLED) ## make the pictures of the documents, docs/*.png (needs a Chromium)
	$(BIN)/python -m scripts.pictures.make

quality: quality-judged quality-sample ## measure the answers to judged questions against their floors: the project's, and those of ../shared

quality-sample: $(INSTALLED) ## the first part of it, which needs no other data
	$(BIN)/python -m tests.benchmarks.judged

quality-judged: $(INSTALLED) ## the second part, which needs ../shared
	$(BIN)/python -m tests.benchmarks.quality --judged

quality-public: quality ## the same for the public questions (needs ../shared; some minutes)
	$(BIN)/python -m tests.benchmarks.quality
	$(BIN)/python -m tests.benchmarks.calibration
	$(BIN)/python -m tests.benchmarks.live
	$(BIN)/python -m tests.benchmarks.paper_ranking

check: lint types template quality test ## run lint, types, template, quality and test; a change must pass .ci/run

benchmarks: $(INSTALLED) build/sam-$(MACHINE)/template.yaml ## measure quality, latency and start-up (about six minutes)
	$(BIN)/python -m tests.benchmarks.quality
	$(BIN)/python -m tests.benchmarks.live
	$(BIN)/python -m tests.benchmarks.paper_ranking --sentence
	$(BIN)/python -m tests.benchmarks.latency
	$(BIN)/python -m tests.benchmarks.papers_latency
	$(BIN)/python -m tests.benchmarks.startup

soak: $(INSTALLED) ## run 5,000 different searches at the server, then cached ones beside a bare handler (long)
	$(BIN)/python -m tests.benchmarks.soak

# MUTANTS="--list" shows the mutants, "--sample 6" draws six, "--seed 3 4" others of two seeds, "--only payload.py:14" runs those whose line has that text.
mutants: $(INSTALLED) ## change the code in 60 ways, one at a time; the tests must notice 54 (several minutes)
	$(BIN)/python -m tests.mutation $(MUTANTS)

clean: ## remove all that was set up or built
	rm -rf .venv .venv-newer .venv-sam .venv-checkov .venv-rehearse .aws-sam build dist .coverage .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info
