"""Implementations of the contract core/counter.py, one module each."""
