"""The words of items for a person: what is shown, safely, and how it changed."""
