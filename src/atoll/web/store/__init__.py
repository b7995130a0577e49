"""The database of tables, and what is done when it fails."""
