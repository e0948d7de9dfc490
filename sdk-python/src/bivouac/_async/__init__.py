"""The asynchronous form, from which the synchronous one is made."""
