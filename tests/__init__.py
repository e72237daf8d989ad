"""Tests of handoffctl."""
