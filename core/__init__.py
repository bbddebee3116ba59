"""The pure, immutable, Qt-free core of Stratascope: from a session file to what the model saw."""
