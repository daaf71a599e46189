"""DepthToSpace; the code shared with SpaceToDepth is in ``operators/blocks*.py``."""
