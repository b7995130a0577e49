"""What is said to people and read from files: messages, translations, errors; knows nothing of games."""
