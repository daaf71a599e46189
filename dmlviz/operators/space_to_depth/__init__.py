"""SpaceToDepth; the code shared with DepthToSpace is in ``operators/blocks*.py``."""
