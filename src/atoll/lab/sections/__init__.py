"""The sections of a report, a file each: definition, sums, estimates and pictures of its figures."""
