"""Tests mirror core/ and gui/; each states its rule in its docstring."""
