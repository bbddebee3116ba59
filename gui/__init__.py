"""The window of Stratascope: every view is a projection of one State."""
