"""What a dump looks like and what its parts are, shared by the formats."""
