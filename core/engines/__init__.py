"""Implementations of the contract core/engine.py, one module each."""
