"""The C++ is compiled, and fills in what DirectML has to be told."""

import json
import math
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

import dmlviz
from dmlviz.operators import OPERATORS
from dmlviz.operators.code.directml import buffer_bytes, float_text
from dmlviz.operators.slots import descs_of
from dmlviz.tensors import DATA_TYPES
from dmlviz.verify import built_in
from tests.operators.code import running
from tests.strategies import MODES, ORDERS

STUB = Path(__file__).with_name("directml_stub.h")
FIRST = (
    *("DML_OPERATOR_PADDING", "DML_OPERATOR_TILE"),
    *("DML_OPERATOR_DEPTH_TO_SPACE1", "DML_OPERATOR_SPACE_TO_DEPTH1"),
)
FURTHER = [cls for cls in OPERATORS if cls.operator_type not in FIRST]
TYPE_NAMES = (*FIRST, *(cls.operator_type for cls in FURTHER))
# enums by value, where operators offer their members in another order
ENUMS = {"DML_AXIS_DIRECTION": ("INCREASING", "DECREASING")}
# DML_TENSOR_DATA_TYPE by value
TYPES = [
    "UNKNOWN",
    "FLOAT32",
    "FLOAT16",
    "UINT32",
    "UINT16",
    "UINT8",
    "INT32",
    "INT16",
    "INT8",
    "FLOAT64",
    "UINT64",
    "INT64",
]


def enumerations(cls):
    """The members that are of an enumeration: its name and its own members, by theirs."""
    operator = cls.examples()[0].operator
    found = {}
    for parameter in cls.parameters():
        value = operator.settings[parameter.name]
        # a tensor's data type is no member
        if isinstance(value, str) and "." not in parameter.label:
            kind = operator.documented[parameter.label].removesuffix(f"_{value}")
            found[parameter.label] = kind, ENUMS.get(kind, parameter.options(()))
    return found


def header():
    """The stub with every operator: what it does not declare, the operator's page does."""
    text = STUB.read_text(encoding="utf-8")
    pages = {page.title: page.text for page in built_in()}
    enums, structures, cases = [], [], []
    for cls in FURTHER:
        [members] = re.findall(rf"struct {cls.structure} {{\n(.*?)}};", pages[cls.structure], re.S)
        enums.append(f"{cls.operator_type},")
        structures.append(f"struct {cls.structure} {{\n{members}}};\n")
        count = next(iter(re.findall(r"UINT (\w*Count);", members)), "")
        cases.append(f"case {cls.operator_type}: {{")
        cases.append(f"const auto* d = static_cast<const {cls.structure}*>(desc->Desc);")
        for kind, name in re.findall(r"const (\w+) \*(\w+);", members):
            if kind not in ("DML_TENSOR_DESC", "UINT", "INT", "FLOAT"):
                # it is never given
                cases.append(f'std::printf(d->{name} ? "" : ", \\"{name}\\": null");')
                continue
            one = kind == "DML_TENSOR_DESC" and not name.endswith("s")
            length = "" if one else f", d->{count}"
            cases.append(f'print("{name}", d->{name}{length});')
        for name in re.findall(r"^ *UINT (\w+);", members, re.M):
            cases.append(f'std::printf(", \\"{name}\\": %u", d->{name});')
        for name in re.findall(r"^ *INT (\w+);", members, re.M):
            cases.append(f'std::printf(", \\"{name}\\": %d", d->{name});')
        for name, (kind, members_of) in enumerations(cls).items():
            declared = ", ".join(f"{kind}_{member}" for member in members_of)
            if f"enum {kind} " not in text + "".join(structures):
                structures.insert(0, f"enum {kind} {{ {declared} }};\n")
            cases.append(f'std::printf(", \\"{name}\\": %d", d->{name});')
        for name in re.findall(r"^ *DML_SCALAR_UNION (\w+);", members, re.M):
            cases.append("for (int k = 0; k < 8; ++k)")
            told = 'k ? "%s%d" : ", \\"' + name + '\\": [%s%d", k ? ", " : ""'
            cases.append(f"std::printf({told}, d->{name}.Bytes[k]);")
            cases.append('std::printf("]");')
        cases.append("break; }")
    text = text.replace("// further operators", "\n".join(enums))
    text = text.replace("// further structures", "\n".join(structures))
    return text.replace("// further cases", "\n".join(cases))


@pytest.fixture(scope="module")
def created(compiler_tool, tmp_path_factory):
    """Every state beside what the device was asked to create."""
    states = running.examples() + running.recorded() + running.corners()[::7]
    folder = tmp_path_factory.mktemp("directml")
    (folder / "DirectML.h").write_text(header(), encoding="utf-8")
    pieces = [running.snippet(operator, x, "directml") for operator, x in states]
    lines = ["#include <cmath>", "#include <DirectML.h>"]
    lines += [f"namespace n{k} {{\n{piece.body}\n}}" for k, piece in enumerate(pieces)]
    lines += ["int main() {", "IDMLDevice device; IDMLOperator* created = nullptr;"]
    lines += [f"n{k}::CreateOperator(&device, &created);" for k in range(len(pieces))]
    (folder / "main.cpp").write_text("\n".join([*lines, "}"]), encoding="utf-8")
    strict = ("-std=c++17", "-Wall", "-Wextra", "-Werror", "-pedantic", f"-I{folder}")
    done = subprocess.run(
        [compiler_tool, *strict, "-o", folder / "main", folder / "main.cpp"],
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    printed = subprocess.run([folder / "main"], capture_output=True, encoding="utf-8", check=True)
    told = [json.loads(line) for line in printed.stdout.splitlines()]
    return list(zip(states, told, strict=True))


def test_tensors(created):
    for (operator, x), told in created:
        descs = descs_of(running.inputs_of(operator, x))
        assert TYPE_NAMES[told["Type"]] == operator.operator_type
        for name, due in (descs | operator.output_descs(descs)).items():
            exact = math.prod(due.sizes) * DATA_TYPES[due.data_type].dtype.itemsize
            tensor, buffer = told[name], operator.buffers.get(name)
            assert tensor["Sizes"] == list(buffer.sizes if buffer else due.sizes)
            assert TYPES[tensor["DataType"]] == due.data_type
            assert (tensor["Type"], tensor["Flags"], tensor["Alignment"]) == (1, 0, 0)
            assert tensor["Strides"] == (list(buffer.strides) if buffer else None)
            assert tensor["Bytes"] % 4 == 0
            assert 0 <= tensor["Bytes"] - exact < 4


def test_settings(created):
    asked = set()
    for (operator, x), told in created:
        for name, value in operator.desc.items():
            if name == "PaddingMode":
                assert MODES[told[name]] == value
            elif name == "Order":
                assert ORDERS[told[name]] == value
            elif name == "PaddingValue":
                found = np.uint32(told["PaddingValueBits"]).view(np.float32)
                np.testing.assert_array_equal(found, np.float32(value))
                assert np.signbit(found) == np.signbit(np.float32(value))
            elif name == "ValueDataType":
                assert TYPES[told[name]] == value
            elif name in enumerations(type(operator)):
                assert enumerations(type(operator))[name][1][told[name]] == value
            elif isinstance(value, list) and any(isinstance(number, float) for number in value):
                np.testing.assert_array_equal(np.float32(told[name]), np.float32(value))
            elif isinstance(told.get(name), list) and not isinstance(value, list):
                if operator.input_slots:
                    scalar = operator.padding(operator.values_type(running.inputs_of(operator, x)))
                else:
                    names = {kind.label: own for own, kind in operator.declared.items()}
                    scalar = operator.number(names[name])
                assert bytes(told[name]) == scalar.tobytes().ljust(8, b"\0")
            elif name in (*operator.free_tensors, *operator.typed_tensors):
                # compared with the other tensors
                continue
            else:
                assert told[name] == value
            asked.add(name)
    assert asked >= {
        *("Repeats", "BlockSize", "Order"),
        *("PaddingMode", "PaddingValue", "StartPadding", "EndPadding"),
    }
    assert {type(operator) for (operator, _x), _told in created} == set(OPERATORS)


def test_one_piece_alone_compiles(compiler_tool, tmp_path):
    (tmp_path / "DirectML.h").write_text(header(), encoding="utf-8")
    for operator, x in running.examples()[::3]:
        (tmp_path / "piece.cpp").write_text(running.snippet(operator, x, "directml").text)
        done = subprocess.run(
            [compiler_tool, "-fsyntax-only", f"-I{tmp_path}", tmp_path / "piece.cpp"],
            capture_output=True,
            encoding="utf-8",
        )
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("data_type", DATA_TYPES)
def test_the_elements_are_those_of_the_input(compiler_tool, tmp_path, data_type):
    """As C++ reads them: a program that prints their bytes."""
    dtype = DATA_TYPES[data_type].dtype
    if dtype.kind == "f":
        limits = np.finfo(dtype)
        corners = [limits.max, limits.min, np.inf, -np.inf, -0.0, 0.1, limits.smallest_subnormal]
    else:
        corners = [np.iinfo(dtype).max, np.iinfo(dtype).min, 0, 7]
    x = np.array(corners, dtype)
    piece = running.snippet(dmlviz.Tile((2,)), x, "directml", values=True)
    (tmp_path / "DirectML.h").write_text(header(), encoding="utf-8")
    main = "#include <cstdio>\nint main() { fwrite(inputElements, 1, sizeof inputElements, stdout); }\n"
    (tmp_path / "piece.cpp").write_text(f"{piece.text}\n{main}")
    built = [compiler_tool, "-Wall", "-Werror", f"-I{tmp_path}", tmp_path / "piece.cpp"]
    subprocess.run([*built, "-o", tmp_path / "piece"], check=True)
    printed = subprocess.run([tmp_path / "piece"], check=True, capture_output=True).stdout
    assert printed == x.tobytes()


def test_every_field_is_filled_in_in_the_order_of_the_header():
    declared = header()
    for operator, x in running.examples():
        text = running.snippet(operator, x, "directml").text
        buffers = re.findall(r"DML_BUFFER_TENSOR_DESC (\w+) =", text)
        assert len(buffers) >= 1 + bool(operator.input_slots)
        for structure, variable in (
            *(("DML_BUFFER_TENSOR_DESC", buffer) for buffer in buffers),
            (operator.structure, "operatorDesc"),
        ):
            [members] = re.findall(rf"struct {structure} {{\n(.*?)}};", declared, re.S)
            due = re.findall(r"(\w+);", members)
            # a member of a union is that of one type
            assert re.findall(rf"{variable}\.(\w+)(?:\.\w+)? =", text) == due


@pytest.mark.parametrize(
    ("sizes", "data_type", "bytes_"),
    [((5,), "UINT8", 8), ((3,), "FLOAT16", 8), ((2, 2), "INT8", 4), ((1,), "FLOAT64", 8)],
)
def test_sizes_in_bytes_are_multiples_of_four(sizes, data_type, bytes_):
    assert buffer_bytes(sizes, data_type) == bytes_


@pytest.mark.parametrize("value", [0.1, 1e-40, 16777217, 3.4028235e38, -10.6, 1e9, 123456.7])
def test_floats_read_back(value):
    text = float_text(value)
    assert text.endswith("f")
    assert np.float32(text[:-1]) == np.float32(value)
