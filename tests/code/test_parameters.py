"""A parameter that a function takes is used, or listed as one that cannot change the result."""

import dis
import inspect

import numpy as np
import onnx
import pytest

from dmlviz.code import CodeRefused
from dmlviz.code.library import WITHOUT_EFFECT
from dmlviz.code.model_file import FileNode
from dmlviz.code.model_nodes import moves, newest
from tests.code import signatures

KNOWN = signatures.WITH_FUNCTIONS

WITHOUT_SIGNATURE = {
    # classes, and what PyTorch declares in no file
    "torch": [
        "torch.device",
        "torch.nn.Parameter",
        "torch.nn.Buffer",
        *(f"torch.{kind}Tensor" for kind in ("", "Float", "Long", "Bool")),
        "torch.meshgrid",
        "torch.fft.fftshift",
        "torch.fft.ifftshift",
    ],
    # objects that are called
    "jax": [
        f"jax.numpy.{name}"
        for name in (
            *("add", "subtract", "multiply", "maximum", "minimum"),
            *(f"{kind}_{of}" for kind in ("bitwise", "logical") for of in ("and", "or", "xor")),
        )
    ],
    # attributes and methods of tensors that TensorFlow makes while it runs
    "tensorflow": [".numpy", ".get_shape"],
    "einops": ["einops.layers.torch.Rearrange"],
}

OTHER_NAMES = {"torch": {"axis": "dim"}}
"""What a library's own parser takes in place of a parameter's name."""


def read_names(function):
    """The names whose values the code of a function reads."""
    names = set()
    while function is not None:
        for of in dis.get_instructions(function.__code__):
            names |= {of.argval} if of.opname.startswith("LOAD_") else set()
        # the name of a parameter that is only checked
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        names |= {of for of in cells if isinstance(of, str)}
        function = getattr(function, "__wrapped__", None)
    return names


def functions(library):
    """Each function that is read: its name, our parameters, the names read, and its signatures."""
    for name, function in signatures.read_functions(library).items():
        ours, skipped = signatures.taken(function)
        own = [*inspect.signature(ours).parameters.values()][skipped:]
        if name not in WITHOUT_SIGNATURE.get(library, ()):
            of = signatures.parameters(library, name)
            # a method's tensor is not among its parameters
            yield name, own[1:] if name.startswith(".") else own, read_names(ours), of


def named(parameters):
    return [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


@pytest.mark.parametrize("library", KNOWN)
def test_every_parameter_that_is_taken_is_used_or_changes_nothing(library):
    faults = []
    for name, own, read, _of in functions(library):
        last = name.rpartition(".")[2]
        faults += [
            f"{name}: {p.name}"
            for p in own
            if p.name not in read and not {p.name, f"{last}.{p.name}"} & WITHOUT_EFFECT.keys()
        ]
    assert not faults


@pytest.mark.parametrize("library", KNOWN)
def test_a_function_takes_no_parameters_that_its_library_does_not_have(library):
    faults = []
    for name, own, _read, of in functions(library):
        kinds = {p.kind for one in of for p in one.parameters.values()}
        theirs = {p.name for one in of for p in one.parameters.values()}
        others = OTHER_NAMES.get(library, {})
        # any name is taken only where the library takes any
        if not of or any(p.kind is p.VAR_KEYWORD and p.kind not in kinds for p in own):
            faults.append(f"{name}: any")
        faults += [
            f"{name}: {p.name}"
            for p in named(own)
            if p.kind is not p.POSITIONAL_ONLY
            and p.kind is not p.VAR_KEYWORD
            and p.VAR_KEYWORD not in kinds
            and not {p.name, others.get(p.name)} & theirs
        ]
    assert not faults


@pytest.mark.parametrize("library", KNOWN)
def test_parameters_are_taken_in_the_order_of_the_library(library):
    faults = []
    for name, own, _read, of in functions(library):
        due = [p.name for p in own if p.kind is p.POSITIONAL_OR_KEYWORD]
        every = [*own, *(p for one in of for p in one.parameters.values())]
        if any(p.kind is p.VAR_POSITIONAL for p in every):
            continue
        orders = [
            [p.name for p in one.parameters.values() if p.kind is not p.KEYWORD_ONLY] for one in of
        ]
        if not any(due == order[-len(due) :] or due == order[: len(due)] for order in orders):
            faults.append(f"{name}: {due}, not {orders}")
    assert not faults


@pytest.mark.parametrize("library", KNOWN)
def test_what_a_library_requires_is_taken(library):
    faults = []
    for name, own, _read, of in functions(library):
        ours = inspect.Signature(own)
        for one in of:
            due = [p for p in named(one.parameters.values()) if p.default is p.empty]
            args = [None for p in due if p.kind is not p.KEYWORD_ONLY]
            args = args or [None for p in one.parameters.values() if p.kind is p.VAR_POSITIONAL]
            kwargs = {p.name: None for p in due if p.kind is p.KEYWORD_ONLY}
            try:
                ours.bind(*args, **kwargs)
            except TypeError:
                continue
            break
        else:
            faults.append(f"{name}: {of}")
    assert not faults


@pytest.mark.parametrize("library", KNOWN)
def test_what_a_function_takes_only_by_name_is_that_in_the_library(library):
    faults = []
    for name, own, _read, of in functions(library):
        named_only = {p.name for p in own if p.kind is p.KEYWORD_ONLY}
        by_place = {p.name for p in own if p.kind is p.POSITIONAL_OR_KEYWORD}
        for one in of if library == "onnx" else ():
            kinds = {p.name: p.kind for p in one.parameters.values()}
            due = {n for n, kind in kinds.items() if kind is inspect.Parameter.KEYWORD_ONLY}
            faults += [f"{name}: {n}" for n in sorted((by_place & due) | (named_only - due))]
    assert not faults


def every_attribute():
    """Each attribute of each version of an operator that moves elements, with a value of its type."""
    types = onnx.defs.OpSchema.AttrType
    values = {types.INT: 77, types.INTS: [77, 78], types.FLOAT: 7.5, types.FLOATS: [7.5, 8.5]}
    for schema in onnx.defs.get_all_schemas_with_history():
        if schema.domain or schema.deprecated or not moves(schema.name):
            continue
        for name, of in schema.attributes.items():
            yield schema, name, values.get(of.type, "text")


def outcome(schema, attributes):
    """What a node of the least inputs is in the newest form, or why it is refused."""
    inputs = tuple(f"i{k}" for k in range(schema.min_input))
    node = FileNode("", schema.name, "", inputs, ("o",), attributes, has_graphs=False)
    try:
        move = newest(node, schema.since_version)
    except CodeRefused as refused:
        return str(refused)
    items = [x.tolist() if isinstance(x, np.ndarray) else x for x in move.inputs]
    return repr((move.op_type, items, dict(move.attributes)))


def test_every_attribute_of_a_node_is_read_or_refused_or_changes_nothing():
    faults, count = [], 0
    for schema, name, value in every_attribute():
        count += 1
        # before opset 7 a Dropout is one of training if nothing else is said
        usual = {"is_test": 1} if "is_test" in schema.attributes and name != "is_test" else {}
        without, made = outcome(schema, usual), outcome(schema, {**usual, name: value})
        listed = {name, f"{schema.name}.{name}"} & WITHOUT_EFFECT.keys()
        if made == without and not listed:
            faults.append(f"{schema.name}-{schema.since_version}: {name}")
    assert count > 100
    assert not faults


@pytest.mark.parametrize("library", signatures.RECORDED)
def test_the_parameters_are_still_those_of_the_library(library):
    files = signatures.files_of(library)
    if files is None:
        pytest.skip(f"{library} is not installed")
    assert signatures.asked(library, files) == signatures.recorded()[library]
