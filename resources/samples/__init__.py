"""Sample sessions, and the generator that wrote them (`python -m resources.samples.generate`)."""
