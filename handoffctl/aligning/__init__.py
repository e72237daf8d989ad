"""How before and after are matched, piece by piece."""
