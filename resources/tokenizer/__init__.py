"""The vocabulary of a byte-pair tokenizer, packed: see pack.py for how, vocabulary.toml for which, NOTICE for whose."""
