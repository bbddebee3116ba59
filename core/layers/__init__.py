"""Implementations of the contract core/layer.py, one module each."""
