"""Pages as HTML: templates, what each page's template is given, and the regions of a table's page."""
