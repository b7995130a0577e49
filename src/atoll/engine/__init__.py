"""All that knows Numba or LLVM: compiling, chance, records of bytes."""
