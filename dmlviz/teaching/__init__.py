"""What presets and lessons say: facts that the engine fills in."""
