"""Implementations of the contract core/format.py, one module each."""
