"""The values that a renderer gets, one file for each thing that is reported, and what they are made of."""
