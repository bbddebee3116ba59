"""Data that is not code: phrases, prices, samples, icons, tokenizer ranks. Open with importlib.resources."""
