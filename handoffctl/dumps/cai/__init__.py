"""What a CAI session log holds: requests, completions and events, put together into conversations."""
