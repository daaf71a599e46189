"""Tensors: data types, sizes, reading and printing, starting values.

This is the lowest layer: it uses NumPy and the messages, and does not know operators.
"""

from dmlviz.base.excerpts import one_line, short_text, visible
from dmlviz.tensors.cells import read_number
from dmlviz.tensors.data_types import DATA_TYPES, DataType, data_type, data_type_of
from dmlviz.tensors.literals import Literal, read_literal
from dmlviz.tensors.numbering import differing_bits
from dmlviz.tensors.own_picture import OWN, OwnPicture, own_picture_full
from dmlviz.tensors.printing import (
    print_compact,
    print_label,
    print_literal,
    print_tensor,
    print_value,
)
from dmlviz.tensors.sizes import (
    DIMENSION_MAX,
    MAX_RANK,
    check_element_count,
    element_count,
    print_sizes,
    read_sizes,
    sizes_of,
)
from dmlviz.tensors.starting import (
    GO_ON,
    MOST_SEED,
    PICTURES,
    STARTING_VALUES,
    draw,
    picture,
    start,
)

__all__ = [
    "DATA_TYPES",
    "DIMENSION_MAX",
    "GO_ON",
    "MAX_RANK",
    "MOST_SEED",
    "OWN",
    "PICTURES",
    "STARTING_VALUES",
    "DataType",
    "Literal",
    "OwnPicture",
    "check_element_count",
    "data_type",
    "data_type_of",
    "differing_bits",
    "draw",
    "element_count",
    "one_line",
    "own_picture_full",
    "picture",
    "print_compact",
    "print_label",
    "print_literal",
    "print_sizes",
    "print_tensor",
    "print_value",
    "read_literal",
    "read_number",
    "read_sizes",
    "short_text",
    "sizes_of",
    "start",
    "visible",
]
