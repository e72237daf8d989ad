"""What the SDK's runner does to items before a model sees them."""
