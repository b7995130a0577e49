"""What pages of figures are drawn with: numbers, plots as SVG that obeys the look of the page, tables."""
