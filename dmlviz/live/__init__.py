"""Pages without a server that become live: Python runs in the reader's own browser."""
