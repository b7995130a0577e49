"""The site: tables, their store, live updates and pages. Importing it does not import Numba."""
