"""What a chain is made of: specs, options, functions from elsewhere."""
