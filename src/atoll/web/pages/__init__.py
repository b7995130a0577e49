"""What is drawn: templates, the pages, and the regions of a table's page."""
