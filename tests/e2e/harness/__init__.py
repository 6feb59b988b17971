"""Drives real agents against a model that follows a script."""
