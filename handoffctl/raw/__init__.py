"""JSON text and where things stand in it, below everything else."""
