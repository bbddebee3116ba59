"""One verb of the command line each; the contract is `core/verb.py`."""
