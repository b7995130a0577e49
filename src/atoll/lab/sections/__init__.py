"""The sections of a report, a file each: `shapes` and `add` sum up, `figures` estimates, `pictures` draws.

`lab/report_builder.py` adds them up, `lab/report_page.py` gives each its heading.
"""
