"""handoffctl."""
