"""Values that the server takes and gives, by feature."""
