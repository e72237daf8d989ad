"""Messages of the Anthropic API as items, and items as such messages."""
