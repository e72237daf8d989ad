"""Trace exports of the Agents SDK: spans in start order, and the conversations that some of them carry."""
