"""Texts that people really have: what mutations begin with."""

from __future__ import annotations

import numpy as np

from dmlviz.engines.trace import run
from dmlviz.operators import OPERATORS
from dmlviz.teaching.presets import presets
from dmlviz.tensors import DATA_TYPES, PICTURES, print_literal, start
from dmlviz.verify import built_in, write_example
from tests.one_input import applied


def literals() -> tuple[str, ...]:
    own = [
        "[[1, 2, 3], [4, 5, 6]]",
        "[[1 2 3]\n [4 5 6]]",
        "{{1, 2}, {3, 4}}",
        "1 2 3; 4 5 6",
        "[1 2; 3 4]",
        "1, 2, 3\n4, 5, 6\n",
        "7",
        "np.array([[1.5, -0.0], [nan, inf]], dtype=np.float32)",
        "tensor([[0x1F, 1_000], [3u, 4L]], dtype=torch.int64)",
        "array([1, 2, 3], dtype='<i4')",
        "float32([[.5f, 1e-3], [1E5, -2.]])",
        "InputTensor: (Sizes:{1, 1, 2, 3}, DataType:FLOAT32)\n[[[[1, 2, 3], [4, 5, 6]]]]",
        "(Sizes:{2, 3}, DataType:INT8) 1 2 3 4 5 6",
        "[0.1, 0.10000000149, 16777217, 65504, 6e-8]",
        "[18446744073709551615, 0, -9223372036854775808]",
        "[[[[[[[[1, 2]]]]]]]]",
    ]
    printed = [
        print_literal(start("random", (2, 3), name, seed=5))
        for name in ("FLOAT64", "FLOAT16", "INT64")
    ]
    return (*own, *printed)


LITERAL_WORDS = (
    *("[", "]", "{", "}", "(", ")", "[[", "]]", "],", ",", ";", "\n", " "),
    *("array(", "np.float32(", "tensor(", "dtype=", "dtype=int8", "dtype='>u2'", "dtype=bool"),
    *(
        "Sizes:{",
        "DataType:",
        "InputTensor:",
        "(Sizes:{2, 3})",
        "FLOAT16",
        "UINT8",
        "1",
        "2.5",
        "-3",
    ),
)

NUMBERS = (
    *("1, 1, 2, 3", "Sizes:{1, 1, 2, 3}", "5 x 7", "(3,)", "3.5", "-0x1F", "1e-3f", "nan", "1,2"),
    *("FLOAT32", "DML_TENSOR_DATA_TYPE_INT8", "5_0", "DML_FEATURE_LEVEL_6_4", "REFLECTION", "4"),
    *("DEPTH_COLUMN_ROW", "1,1,3,3", "65536", "0,0,1,2"),
)
NUMBER_WORDS = (",", "x", "×", "[", ")", "Sizes:", "DML_", "_", "e", "1", "0", "FLOAT", " ")


def links() -> tuple[str, ...]:
    found = [preset.state.address() for preset in presets()]
    found += [f"http://localhost:8501/{cls.key}" for cls in OPERATORS]
    return (
        *found,
        "/gather?sizes=3,4&axis=1&index_dimensions=1&IndicesTensor.sizes=1,2&IndicesTensor.values=own"
        "&IndicesTensor.literal=1,0&IndicesTensor.data_type=INT64",
        "/gather?IndicesTensor=[[1,+0]]&InputTensor=[[1,2],[3,4]]&index_dimensions=1",
        "/join?sizes=2,3&axis=0&InputTensors[1].sizes=1,3&InputTensors%5B2%5D.sizes=4,3",
        "/join?InputTensors[0].sizes=2,3&axis=0",
        "/split?sizes=4,3&axis=0&parts=1,3&pinned=0:0,1;1:2,2",
        "/tile?sizes=2,3&data_type=FLOAT16&values=own&literal=1,2.5,-0,nan,inf,6&repeats=2,2&step=1.5",
        "/tile?sizes=2,3,2,2&values=random&seed=77&repeats=1,2,1,2&pinned=1,1,1,1;0,0,0,0"
        "&directions=0:across,1:down&colors=channel&moves=all&present=true",
        "/padding?sizes=1,3&values=count-1&padding_mode=WRAP&start_padding=0,2&end_padding=1,4"
        "&feature_level=6_4&engine=directml:1&compare=true&b_padding_mode=EDGE&predict=true",
        "/depth-to-space?sizes=1,8,2,2&values=picture&picture="
        + next(iter(PICTURES))
        + "&block_size=2",
        "/space-to-depth?sizes=1,1,4,4&values=count-0&block_size=2&order=COLUMN_ROW_DEPTH&embed=true",
        "/padding?padding_value=2.5&data_type=FLOAT32&b_padding_value=-1e30&step=3&pinned=0,0,0,0",
    )


WORD_NAMES = (
    *("IndicesTensor", "IndicesTensor.sizes", "IndicesTensor.values", "IndicesTensor.literal"),
    *("IndicesTensor.data_type", "InputTensor.sizes", "InputTensors[0].sizes", "InputTensors[1]"),
    *("InputTensors[1].sizes", "InputTensors[1].values", "InputTensors[2].sizes", "axis", "parts"),
    *("sizes", "data_type", "values", "literal", "seed", "picture", "repeats", "padding_mode"),
    *("start_padding", "end_padding", "padding_value", "block_size", "order", "feature_level"),
    *(
        "engine",
        "colors",
        "moves",
        "step",
        "pinned",
        "directions",
        "compare",
        "predict",
        "b_repeats",
    ),
    *(
        "b_padding_mode",
        "b_order",
        "present",
        "embed",
        "level",
        "operator",
        "number",
        "count",
        "kind",
    ),
    *("title", "lesson", "part", "term", "unknown", "", "<b>"),
)
VALUES = (
    *("1,1,2,3", "2,3", "FLOAT32", "UINT8", "own", "random", "picture", "example-1", "count-1"),
    *("[[1, 2, 3], [4, 5, 6]]", "1,2,3,4,5,6", "7", "checker", "1,2", "REFLECTION", "5_0", "1.5"),
    *("directml:1", "channel", "all", "2.5", "0,0;1,1", "0:across,1:down", "true", "2", "tile"),
    *("DEPTH_COLUMN_ROW", "padding", "source", "3", "2147483647", "glossary"),
)
LINK_WORDS = (
    *(f"&{name}=" for name in WORD_NAMES),
    *(
        "&",
        "=",
        "?",
        "#",
        "%2C",
        "%5B",
        "+",
        ",",
        ";",
        ":",
        "/tile?",
        "/padding?",
        "%F0%9F",
        "%ud800",
    ),
)


def documents() -> tuple[str, ...]:
    """Small pages: a mutated one is read in a few milliseconds."""
    found = []
    for cls in OPERATORS:
        for example in cls.examples()[:2]:
            trace = run(example.operator, example.x)
            found.append(write_example(example.operator, trace.inputs, trace.outputs))
    # one with tables of feature levels, sentences about sizes, several examples that share an input
    found += [page.text for page in built_in()]
    x = np.arange(4, dtype=np.float16).reshape(1, 4)
    tile = OPERATORS[0]((1, 2))
    found.append(
        "<pre>" + write_example(tile, x, applied(tile, x)).replace("[", "&#91;") + "</pre>"
    )
    return tuple(found)


DOCUMENT_WORDS = (
    *(
        "InputTensor:",
        "OutputTensor:",
        "InputTensor",
        "OutputTensor",
        "Sizes:{1, 4}",
        "DataType:INT8",
    ),
    *("IndicesTensor:", "InputTensors[0]:", "InputTensors[1]: ", "OutputTensors[1]:", "[0]", "[7]"),
    *("Axis: 0", "Axis = 1", "IndexDimensions: 1", "InputCount: 2", "OutputCount = 3", "// 1, 2]"),
    *("DML_SLICE_OPERATOR_DESC", "Sizes = {1, 2}", "Offsets: {0, 1}", "Strides = {1, -1}"),
    *("Repeats: {1, 2}", "BlockSize: 2", "PaddingMode: DML_PADDING_MODE_WRAP", "PaddingValue: 9"),
    *(
        "StartPadding: {0, 0, 1, 2}",
        "EndPadding: {0}",
        "Order: DML_DEPTH_SPACE_ORDER_COLUMN_ROW_DEPTH",
    ),
    *("Example 2\n", "## Example", "\n\n", "[", "]", "{", "}", "(", ")", ",", ":", "|", "# ", "* "),
    *("DML_TILE_OPERATOR_DESC", "DML_PADDING1_OPERATOR_DESC", "DML_CAST_OPERATOR_DESC", "struct "),
    *("DML_FEATURE_LEVEL_1_0", "OutputTensor.Sizes[i] = InputTensor.Sizes[i] * ", "/ 0", "** 9"),
    *(
        "<pre>",
        "<script>",
        "</p>",
        "<!--",
        "&#91;",
        "<table><tr><td>",
        "array(",
        *tuple(DATA_TYPES)[:3],
    ),
)


COMMANDS = (
    "engines",
    "run tile --sizes 2,3 --repeats 2,2",
    "run tile --literal [[1,2],[3,4]] --repeats 1,2 --json",
    "run /padding?padding_mode=EDGE --data-type INT8 --engine numpy",
    "run depth-to-space --sizes 1,8,2,2 --block-size 2 --feature-level 5_0",
    "example space-to-depth --unnamed",
    "example padding --padding-value 2.5 --start-padding 1,1,1,1 --end-padding 0,0,0,0",
    "export tile - --code numpy",
    "export tile out.npz --sizes 2,2 --repeats 2,1",
    "export padding out.npy --part source",
    "export tile out.svg --step 1.5 --width 300 --dark",
    "verify page.md --quiet --json",
    "verify page.md folder --engine directml-recorded",
    "verify - --engine all",
    "verify wrong.md",
    "verify wrong.md page.md --json",
    "worksheet --seed 7 --level 2 --operator tile --count 2 --title Monday",
    "worksheet --seed 3 --count 1 --kind source --address https://example.invalid/ -o out.html",
    "site page.md",
)
ARGUMENTS = (
    *(
        "--sizes",
        "--literal",
        "--data-type",
        "--values",
        "--seed",
        "--json",
        "--step",
        "--width",
        "-",
    ),
    *("--engine", "--code", "--kind", "--title", "--address", "-o", "--", "-h", "--help", "--part"),
    *(
        "verify",
        "run",
        "export",
        "worksheet",
        "tile",
        "padding",
        "nan",
        "inf",
        "1e400",
        "-5",
        "out.gif",
    ),
    *(
        "out.npy",
        "folder",
        "folder/none/out.npy",
        "no.md",
        "page.md",
        "http://[::1",
        "https://a/?b",
        ".",
    ),
)
