"""What every game shares: the contract, compiling, components, records and the catalogue."""
