# Made by scripts/unasync.py from src/bivouac/_async/__init__.py; do not edit.
"""The asynchronous form, from which the synchronous one is made."""
