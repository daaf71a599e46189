"""A parameter that a function takes is used, or listed as one that cannot change the result."""

import dis
import inspect

import pytest

from dmlviz.code import LIBRARIES
from dmlviz.code.library import WITHOUT_EFFECT
from tests.code import signatures

KNOWN = [library for library in LIBRARIES if library != "onnx"]

WITHOUT_SIGNATURE = {
    # classes, and what PyTorch declares in no file
    "torch": ["torch.device", "torch.LongTensor", "torch.BoolTensor", "torch.meshgrid"],
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


@pytest.mark.parametrize("library", signatures.RECORDED)
def test_the_parameters_are_still_those_of_the_library(library):
    files = signatures.files_of(library)
    if files is None:
        pytest.skip(f"{library} is not installed")
    assert signatures.asked(library, files) == signatures.recorded()[library]
