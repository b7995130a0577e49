"""What is drawn: templates, the pages, and the parts of a table's page."""
