"""Rollouts of Codex: their lines, the conversation in them, and how it is put back."""
