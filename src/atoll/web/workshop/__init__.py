"""The workshop: components files opened, changed, compared and tried out in the browser."""
