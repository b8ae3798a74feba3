"""One LSP method a file: params → snapshot → task → convert."""
