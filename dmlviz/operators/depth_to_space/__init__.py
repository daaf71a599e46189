"""DepthToSpace; what it shares with SpaceToDepth stands in ``operators/blocks*.py``."""
