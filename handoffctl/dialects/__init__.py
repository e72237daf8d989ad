"""How other APIs say an item: their entries to items, and back."""
