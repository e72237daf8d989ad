"""How long outputs and found tools are cut short."""
