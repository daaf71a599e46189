"""SpaceToDepth; what it shares with DepthToSpace stands in ``operators/blocks*.py``."""
