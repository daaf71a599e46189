"""DirectML on a stand-in that loses its device, for a process of its own."""

from dmlviz.engines.directml import DirectMLEngine
from tests.engines.standins import Machine, Runtime

# a device that is lost stays lost as long as the process lasts
RUNTIME = Runtime(lose=lambda m: "887A0006" if m.graph.node[0].op_type == "Tile" else "")


class Losing(DirectMLEngine):
    """Tile is too much for its device."""

    def __init__(self, installed=None, adapter=None):
        super().__init__(installed or Machine(RUNTIME), adapter)
