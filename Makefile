# `make demo` and `make test` are all that a fresh machine with python3 and make needs; both make their own virtual
# environment. A second call does not install again: the stamp in the environment is newer than what it depends on.

VENV = .venv
DEMO_VENV = .venv-demo
BIN = $(VENV)/bin
DEMO = $(DEMO_VENV)/bin/handoffctl
INSTALL = -m pip install -q --disable-pip-version-check
SAMPLE = sample_transcripts/handoff/refund.json
# What `pip install .` copies: the demo shows the sources as they are now, so it is installed again when they change.
PACKAGE := $(shell find handoffctl -type f ! -name '*.pyc')

.PHONY: demo test lint types pytest test-slow test-all bench clean

demo: $(DEMO_VENV)/.installed
	$(DEMO) filter $(SAMPLE) -f remove_all_tools --to next-agent
	PAGER=cat $(DEMO) diff $(SAMPLE) -f remove_all_tools

test: lint types
	$(BIN)/python -m pytest -n auto -m "not slow" --cov --cov-report=term

lint: $(VENV)/.installed
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --check --quiet .

types: $(VENV)/.installed
	$(BIN)/mypy

pytest: $(VENV)/.installed
	$(BIN)/python -m pytest -q -n auto -m "not slow"

test-slow: $(VENV)/.installed
	$(BIN)/python -m pytest -m slow

# Goes through every Python even when one fails, then says which did.
test-all:
	@pythons=$$(.ci/pythons) || exit 1; failed=; \
	for version in $$(echo "$$pythons" | cut -d ' ' -f 1); do \
		python=$$(echo "$$pythons" | sed -n "s/^$$version //p"); \
		echo "== Python $$version: $$python"; \
		$(MAKE) --no-print-directory pytest VENV=.venv-$$version PYTHON="$$python" || failed="$$failed $$version"; \
	done; \
	if [ -n "$$failed" ]; then echo "failed on Python$$failed" >&2; exit 1; fi; \
	echo "passed on Python" $$(echo "$$pythons" | cut -d ' ' -f 1)

bench: $(VENV)/.installed
	$(BIN)/python -m benchmarks.run

clean:
	rm -rf .venv .venv-* .coverage* .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist htmlcov
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Editable: the tests see the sources as they are without being installed again.
$(VENV)/.installed: pyproject.toml
	$(call new-venv,$(VENV))
	$(VENV)/bin/python $(INSTALL) --editable '.[dev]'
	@touch $@

$(DEMO_VENV)/.installed: pyproject.toml $(PACKAGE)
	$(call new-venv,$(DEMO_VENV))
	$(DEMO_VENV)/bin/python $(INSTALL) .
	@touch $@

# $(1): where. PYTHON=… names the interpreter; otherwise the first that .ci/pythons finds.
define new-venv
@python='$(PYTHON)'; \
[ -n "$$python" ] || { pythons=$$(.ci/pythons) || exit 1; python=$$(echo "$$pythons" | head -n 1 | cut -d ' ' -f 2-); }; \
echo "$$python -m venv $(1)"; "$$python" -m venv $(1)
endef
