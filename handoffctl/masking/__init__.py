"""What secrets look like: names, tokens, values."""
