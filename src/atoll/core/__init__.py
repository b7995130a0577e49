"""What a game is: declarations, contract, positions and views, components, records and the catalogue."""
