"""Summarizers: one module each, by the contract of `core.summarizer`."""
