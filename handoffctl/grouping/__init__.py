"""What groups are made of: calls with their outputs, messages, cuts between them."""
