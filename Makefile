# `make demo` and `make test` are all that a newcomer needs. PYTHON chooses the interpreter: make test PYTHON=python3.12
PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed

.PHONY: demo test lint bench docs clean
.DEFAULT_GOAL := help

help: ## what there is
	@sed -n 's/^\([a-z]*\):.*## /  make \1: /p' $(MAKEFILE_LIST)

demo: $(INSTALLED) ## a dictionary and raw text become a model, beside the alternatives
	$(BIN)/gleanner demo

test: $(INSTALLED) ## the tests
	$(BIN)/pytest --numprocesses auto --maxprocesses 4

lint: $(INSTALLED) ## formatting, lint and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(INSTALLED) ## speed and memory, side by side
	$(BIN)/python -m benchmarks.speed

docs: $(INSTALLED) ## the documentation, into site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

clean: ## removes what make made
	rm -rf .venv site build dist

$(INSTALLED): pyproject.toml constraints.txt scripts/install.sh
	PYTHON=$(PYTHON) sh scripts/install.sh
	@touch $@
