"""``python -m dmlviz code TEXT``: where elements go under code, or in an ONNX model."""

from __future__ import annotations

import json
import shlex
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from dmlviz.base.errors import Error, TooLarge
from dmlviz.base.spelling import read_whole
from dmlviz.base.words import _
from dmlviz.code import (
    LIBRARIES,
    ChainTrace,
    CodeRefused,
    Comparison,
    Model,
    ModelPart,
    compared,
    library_of,
    run_code,
    same_names,
)
from dmlviz.code.address import is_number_name
from dmlviz.code.calling import model
from dmlviz.code.code_parts import CodePart, computing_lines
from dmlviz.code.comparing import comparison_lines, result_words
from dmlviz.code.inputs import code_inputs
from dmlviz.code.libraries import library_beside
from dmlviz.code.model_groups import PartGroup, grouped, print_stated, typed_sizes
from dmlviz.code.python.numbers import NUMBER_LIMIT
from dmlviz.commands.states import save
from dmlviz.picture.formats import DATA, PICTURES, PictureLook, endings, format_of
from dmlviz.picture.scene import STAGE_LIMIT, scene
from dmlviz.states.links import link
from dmlviz.states.model_picture import model_picture
from dmlviz.tensors import (
    print_sizes,
    print_tensor,
    print_value,
    read_literal,
    read_sizes,
    short_text,
)
from dmlviz.tensors.numbering import located, print_element
from dmlviz.tensors.types import Array

ENDING = ".onnx"
"""What the name of a model's file ends with."""

_FORMATS = (*PICTURES, *DATA)


def add(parser: ArgumentParser) -> None:
    """The code, its tensors, and what to write."""
    parser.add_argument(
        "text", metavar="CODE", help=_("such as 'x[:, ::-1].T', or a file that ends in .onnx")
    )
    parser.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="NAME=SIZES",
        help=_(
            "a tensor that the code takes: its sizes, such as x=2,3, or its values, such as "
            "i='[[0, 1]]'; repeat it for each tensor"
        ),
    )
    parser.add_argument(
        "--number",
        action="append",
        default=[],
        metavar="NAME=NUMBER",
        help=_(
            "a number that the code leaves open, such as heads=4 or self.heads=4; repeat it for "
            "each number"
        ),
    )
    parser.add_argument(
        "--part",
        type=int,
        metavar="NUMBER",
        help=_("of a model, or of code that computes, the part to show (default: list all parts)"),
    )
    parser.add_argument(
        "--library", choices=list(LIBRARIES), help=_("the code's library (default: a guess)")
    )
    parser.add_argument(
        "--compare",
        metavar="CODE",
        help=_(
            "a second code, B, on the same tensors: where the two first differ, and what makes B "
            "of the first; exit code 0 if they are equal, 1 if not, 2 if one is refused"
        ),
    )
    parser.add_argument(
        "--compare-library",
        choices=list(LIBRARIES),
        help=_("the library of the second code (default: a guess)"),
    )
    parser.add_argument(
        "--engine", default="numpy", help=_("engine: numpy, onnxruntime or directml")
    )
    parser.add_argument("--json", action="store_true", help=_("print JSON instead of text"))
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help=_("save it; the file extension selects the format: {endings}").format(
            endings=endings(_FORMATS)
        ),
    )


def run(arguments: Namespace) -> int:
    """Print where elements come from; 2 if the code is refused.

    Of two codes, whether they are equal: 0, or 1 if they are not.
    """
    try:
        if arguments.compare is not None:
            return _compare(arguments)
        if arguments.compare_library is not None:
            raise Error(_("compare-library: it needs --compare."), "compare-library")
        if arguments.text.endswith(ENDING):
            read = model(Path(arguments.text), dict(map(_tensor, arguments.input)))
            if arguments.part is None:
                return _list(read, arguments)
            trace = _part(read, arguments.part).run(engine=arguments.engine)
        else:
            trace = _traced(arguments)
    except Error as error:
        if not arguments.json:
            if isinstance(error, CodeRefused) and error.computing:
                _print_around(error)
            raise _with_place(error) from None
        print(json.dumps({"error": _error(error)}))
        return 2
    if arguments.output:
        _save(trace, Path(arguments.output))
    elif arguments.json:
        is_guess = arguments.library is None and not arguments.text.endswith(ENDING)
        print(json.dumps({**_described(trace), "library_guessed": is_guess}))
    else:
        if arguments.library is None and trace.chain.library != library_of(arguments.text):
            title = LIBRARIES[trace.chain.library].title
            print(_("Read as code of {library}; --library chooses another.").format(library=title))
        _print(trace)
    return 0 if trace.agrees else 1


def _traced(arguments: Namespace) -> ChainTrace:
    """The run of code, or of the part of it that is asked for."""
    tensors = _inputs(arguments)
    try:
        trace = run_code(arguments.text, tensors, arguments.library, arguments.engine)
    except CodeRefused as refused:
        if arguments.part is None or not refused.computing:
            raise
        return _part(refused, arguments.part).run(engine=arguments.engine)
    if arguments.part is not None:
        message = _(
            "part: only a model, a file that ends in {ending}, and code that computes have parts."
        )
        raise Error(message.format(ending=ENDING), "part")
    return trace


def _compare(arguments: Namespace) -> int:
    """Print where two codes differ; 1 if they do."""
    for field in ("part", "output"):
        if getattr(arguments, field) is not None or arguments.text.endswith(ENDING):
            raise Error(
                _("{field}: --compare takes two codes, and prints text or JSON.").format(
                    field=field
                ),
                field,
            )
    tensors = _inputs(arguments)
    one = run_code(arguments.text, tensors, arguments.library, arguments.engine)
    library = arguments.compare_library or library_beside(arguments.compare, one.chain.library)
    try:
        second = {
            n: x for n, x in tensors.items() if not _unused(n, one, arguments.compare, library)
        }
        two = run_code(arguments.compare, second, library, arguments.engine)
    except CodeRefused as refused:
        # the place is in B
        message = _("{run}: {told}").format(run="B", told=refused)
        raise CodeRefused(refused.kind, message, refused.place) from None
    both = compared(one.chain, two.chain)
    if arguments.json:
        print(json.dumps(_described_comparison(one, two, both)))
    else:
        _print_comparison(one, two, both)
    return 0 if both.same else 1


def _unused(name: str, one: ChainTrace, text: str, library: str) -> bool:
    """Whether a tensor only chooses elements of the first code, and the second does not use it."""
    return name in one.chain.controls and name not in {x.name for x in code_inputs(text, library)}


def _print_comparison(one: ChainTrace, two: ChainTrace, both: Comparison) -> None:
    for letter, trace in (("A", one), ("B", two)):
        for name, array in trace.outputs.items():
            print(f"{letter}: {' '.join(trace.chain.text.split())}")
            print(_listed(name, array))
    print(f"\n{_difference(one, two, both)}")
    if both.same:
        return
    for line in comparison_lines(both):
        print(line)
    if both.second_of_first:
        print(result_words(both))
    for same in both.second_of_first:
        print("   " + same.text.replace("\n", "; "))


def _difference(one: ChainTrace, two: ChainTrace, both: Comparison) -> str:
    if both.first_sizes != both.second_sizes:
        a, b = (", ".join(map(print_sizes, of)) for of in (both.first_sizes, both.second_sizes))
        return _("The outputs have different sizes: A {a}, B {b}.").format(a=a, b=b)
    count = sum(output.size for output in one.outputs.values())
    if both.difference is None or both.sources is None:
        return _("A and B give the same output, all {n} elements.").format(n=count)
    place = list(one.outputs).index(both.difference.output)
    a, b = (
        _value_of(trace, place, both.difference.at, source)
        for trace, source in zip((one, two), both.sources, strict=True)
    )
    return _("{wrong} of {n} elements differ, first at {cell}: A has {a}, B has {b}.").format(
        wrong=both.difference.count,
        n=count,
        cell=print_element(both.difference.output, both.difference.at),
        a=a,
        b=b,
    )


def _value_of(trace: ChainTrace, place: int, at: tuple[int, ...], source: int) -> str:
    value = print_value(list(trace.outputs.values())[place][at])
    if source < 0:
        return value
    name, index = located(source, trace.inputs)
    return _("{value} from {cell}").format(value=value, cell=print_element(name, index))


def _described_comparison(one: ChainTrace, two: ChainTrace, both: Comparison) -> dict[str, Any]:
    """Where two codes differ, as JSON has it."""
    described: dict[str, Any] = {
        name: {
            "code": trace.chain.text,
            "library": trace.chain.library,
            "outputs": [
                {"name": output, "sizes": list(source.shape)}
                for output, source in trace.sources.items()
            ],
        }
        for name, trace in (("a", one), ("b", two))
    }
    address = None
    # values that fit in no address
    with suppress(TooLarge):
        address = link(one, compare=two)
    difference = None
    if both.difference is not None and both.sources is not None:
        difference = {
            "output": both.difference.output,
            "index": list(both.difference.at),
            "count": both.difference.count,
            "a": _source_of(one, both.sources[0]),
            "b": _source_of(two, both.sources[1]),
        }
    return {
        "same": both.same,
        **described,
        "difference": difference,
        "agreeing_calls": both.agreeing,
        "only_in_a": both.first_only,
        "only_in_b": both.second_only,
        "b_of_a": [asdict(same) for same in both.second_of_first],
        "link": address,
    }


def _source_of(trace: ChainTrace, source: int) -> dict[str, Any] | None:
    """The input element that an output element copies; None for a constant."""
    if source < 0:
        return None
    name, index = located(source, trace.inputs)
    return {"input": name, "index": list(index)}


def _list(read: Model, arguments: Namespace) -> int:
    """Print the parts of a model, and why the other nodes are none; or save a picture of them."""
    groups = grouped(read.parts)
    if arguments.output:
        path = Path(arguments.output)
        if path.suffix.lower() != ".svg":
            raise Error(
                _("file: choose one part to save with --part, or a file that ends in .svg."), "file"
            )
        # text that is written for one ending alone
        from dmlviz.picture.svg import svg_file

        save(path, svg_file(model_picture(read, groups)).encode())
        return 0
    checks: dict[int, str] = {}
    agree = True
    if arguments.engine != "numpy":
        traces = [part.run(engine=arguments.engine) for part in read.parts]
        checks = {number: trace.check() for number, trace in enumerate(traces)}
        agree = all(trace.agrees for trace in traces)
    if arguments.json:
        print(json.dumps(_described_model(read, groups)))
        return 0 if agree else 1
    print(
        _("{file}: {nodes} nodes, {folded} of them calculated from constants").format(
            file=Path(arguments.text).name, nodes=f"{read.nodes:,}", folded=f"{read.folded:,}"
        )
    )
    _print_open(read)
    for group in groups:
        _print_group(group, checks)
    if read.refused:
        print("\n" + _("Not in a part:"))
    reasons = Counter((refusal.op_type, refusal.message) for refusal in read.refused)
    for (op_type, message), count in reasons.most_common():
        print(f"   {op_type} ({count:,}): {message}")
    return 0 if agree else 1


def _print_open(read: Model) -> None:
    """Print which sizes the file leaves open, and what was chosen, as it is given."""
    if read.open_inputs:
        inputs = (f"{name} {print_stated(of)}" for name, of in read.open_inputs.items())
        print(_("Sizes that the file leaves open: {inputs}").format(inputs=", ".join(inputs)))
    if read.chosen_sizes:
        typed = typed_sizes(read.chosen_sizes).items()
        words = " ".join(f"--input {shlex.quote(f'{name}={sizes}')}" for name, sizes in typed)
        print(_("Chosen; give others in the same way: {arguments}").format(arguments=words))


def _print_group(group: PartGroup, checks: Mapping[int, str]) -> None:
    """Print equal parts: their numbers, sizes, operations, and what an engine did with them."""
    part, numbers = group.first, [number + 1 for number in group.parts]
    sizes = [
        ", ".join(f"{name} {print_sizes(of)}" for name, of in tensors.items())
        for tensors in (part.input_sizes, part.output_sizes)
    ]
    count = f"  × {len(numbers)}" if len(numbers) > 1 else ""
    print(f"\n{', '.join(map(str, numbers))}. {' -> '.join(sizes)}{count}")
    if group.name:
        print("   " + _("The same as {text}").format(text=group.title))
    for node, operation in zip(part.nodes, part.chain.operations, strict=False):
        print(f"   {operation.text}  # {node}")
    for check in dict.fromkeys(checks[number] for number in group.parts if number in checks):
        print(f"   {check}")


def _described_model(read: Model, groups: Sequence[PartGroup]) -> dict[str, Any]:
    names = {number: group.name for group in groups for number in group.parts}
    return {
        "nodes": read.nodes,
        "folded": read.folded,
        "open_inputs": [
            {"name": name, "sizes": None if stated is None else list(stated)}
            for name, stated in read.open_inputs.items()
        ],
        "chosen_sizes": {name: list(sizes) for name, sizes in read.chosen_sizes.items()},
        "parts": [
            {
                "code": part.text,
                "nodes": list(part.nodes),
                "operators": list(part.op_types),
                "inputs": _file_tensors(part, part.inputs),
                "outputs": _file_tensors(part, part.outputs),
                "same_as": names[number] or None,
            }
            for number, part in enumerate(read.parts)
        ],
        "refused": [
            {
                "node": refusal.node,
                "operator": refusal.op_type,
                "kind": refusal.kind,
                "message": refusal.message,
            }
            for refusal in read.refused
        ],
    }


def _file_tensors(part: ModelPart, names: Mapping[str, str]) -> list[dict[str, Any]]:
    sizes = {**part.input_sizes, **part.output_sizes}
    return [
        {
            "name": name,
            "tensor": tensor,
            "sizes": list(sizes[name]),
        }
        for name, tensor in names.items()
    ]


def _part(read: Model | CodeRefused, number: int) -> ModelPart | CodePart:
    if not 1 <= number <= len(read.parts):
        message = _("part: {number} is not a part of the code; it has {count}.")
        if isinstance(read, Model):
            message = _("part: {number} is not a part of the model; it has {count}.")
        raise Error(message.format(number=number, count=len(read.parts)), "part")
    return read.parts[number - 1]


def _inputs(arguments: Namespace) -> dict[str, Any]:
    """The tensors and numbers of the code, by name."""
    tensors = dict(map(_named_tensor, arguments.input))
    return tensors | dict(map(_named_number, arguments.number))


def _named_number(text: str) -> tuple[str, int]:
    """A number's name, and the number."""
    name, _equals, rest = text.partition("=")
    number = read_whole(rest, -NUMBER_LIMIT, NUMBER_LIMIT)
    if number is None or not is_number_name(name):
        message = _("number: {text} is not a name and a whole number, such as heads=4.")
        raise Error(message.format(text=short_text(text)), "number")
    return name, number


def _named_tensor(text: str) -> tuple[str, Any]:
    """A tensor whose name code can have."""
    name, value = _tensor(text)
    if not name.isidentifier():
        raise _no_input(text)
    return name, value


def _no_input(text: str) -> Error:
    return Error(
        _("input: {text} is not a name and sizes, such as x=2,3.").format(text=short_text(text)),
        "input",
    )


def _tensor(text: str) -> tuple[str, Any]:
    """A tensor's name, and its sizes or its values, which have brackets."""
    name, equals, rest = text.partition("=")
    if not equals or not name:
        raise _no_input(text)
    if rest.strip() == "{}":
        return name, ()
    if rest.lstrip()[:1] not in ("[", "{"):
        return name, read_sizes(rest)
    words = rest.replace("True", "1").replace("False", "0")
    try:
        values = read_literal(words, "INT64").values
    except Error:
        values = read_literal(words, "FLOAT32").values
    return name, values.astype(bool) if words != rest else values


def _with_place(error: Error) -> Error:
    """The same error with line and column in front, if it has a place."""
    if not isinstance(error, CodeRefused) or error.place is None:
        return error
    return Error(
        _("line {line}, column {column}: {message}").format(
            line=error.line, column=error.column, message=error
        ),
        error.field,
    )


def _error(error: Error) -> dict[str, Any]:
    data: dict[str, Any] = {"message": str(error), "field": error.field}
    if isinstance(error, CodeRefused):
        data |= {"kind": error.kind, "line": error.line, "column": error.column}
        data |= _described_around(error)
    return data


def _print_around(refused: CodeRefused) -> None:
    """Print what moves around the calls that compute, and what these are, where errors go."""
    say = partial(print, file=sys.stderr)
    for number, part in enumerate(refused.parts, 1):
        sizes = [
            ", ".join(f"{name} {print_sizes(of)}" for name, of in tensors.items())
            for tensors in (part.input_sizes, part.output_sizes)
        ]
        say(f"{number}. {' -> '.join(sizes)}")
        for line in part.text.split("\n"):
            say(f"   {line}")
    say("\n" + _("Calls that compute:"))
    for line in computing_lines(refused.computing):
        say(f"   {line}")


def _described_around(refused: CodeRefused) -> dict[str, Any]:
    """What moves around the calls that compute, as JSON has it; nothing if none computes."""
    if not refused.computing:
        return {}
    names = same_names([part.chain for part in refused.parts])
    return {
        "parts": [
            {
                "code": part.text,
                "library": part.library,
                "calls": list(part.calls),
                "inputs": _named_sizes(part.input_sizes),
                "outputs": _named_sizes(part.output_sizes),
                "computed": dict(part.computed),
                "same_as": names.get(number),
            }
            for number, part in enumerate(refused.parts)
        ],
        "computing": [
            {
                "name": each.name,
                "text": each.text,
                "line": each.place.line,
                "column": each.place.column,
                "outputs": _named_sizes(each.gives),
                "sizes_follow": each.sizes_follow,
            }
            for each in refused.computing
        ],
    }


def _named_sizes(tensors: Mapping[str, Sequence[int]]) -> list[dict[str, Any]]:
    return [{"name": name, "sizes": list(sizes)} for name, sizes in tensors.items()]


def _ran(trace: ChainTrace) -> dict[str, Any]:
    """Of code of ONNX, the nodes that ran, and whether they are those of the code."""
    own = trace.ran_nodes_of_code
    return {} if own is None else {"ran": {"of_code": own, "nodes": list(trace.ran.nodes)}}


def _described(trace: ChainTrace) -> dict[str, Any]:
    """Everything about a run, as JSON has it."""
    differing = [asdict(each) for each in trace.disagreements]
    return {
        "code": trace.chain.text,
        "library": trace.chain.library,
        "engine": trace.engine,
        "agrees": trace.agrees,
        **({"disagreements": differing} if differing else {}),
        **_ran(trace),
        "inputs": [
            {"name": name, "sizes": list(sizes)} for name, sizes in trace.chain.inputs.items()
        ],
        "outputs": _tensors(trace.sources),
        "formula": trace.formula,
        "same_as": [asdict(same) for same in trace.same_as],
        "steps": [
            {
                "name": step.name,
                "text": step.text,
                "line": step.line,
                "columns": list(step.columns),
                "inputs": list(step.operation.inputs),
                "outputs": _tensors(step.sources),
            }
            for step in trace.steps
        ],
    }


def _tensors(sources: Any) -> list[dict[str, Any]]:
    """Tensors with the source of each element; None for those that are too large to list."""
    return [
        {
            "name": name,
            "sizes": list(source.shape),
            "source": source.ravel().tolist() if source.size <= STAGE_LIMIT else None,
        }
        for name, source in sources.items()
    ]


def _listed(name: str, array: Array) -> str:
    """A tensor's elements, or how many it has if they are too many to list."""
    if array.size <= STAGE_LIMIT:
        return print_tensor(name, array)
    return _("{name} {sizes}: {count} elements; more than {most} are not listed.").format(
        name=name,
        sizes=print_sizes(array.shape),
        count=f"{array.size:,}",
        most=f"{STAGE_LIMIT:,}",
    )


def _print(trace: ChainTrace) -> None:
    for name, array in trace.inputs.items():
        print(_listed(name, array))
    for step in trace.steps:
        sizes = ", ".join(f"{name} {print_sizes(of)}" for name, of in step.sizes.items())
        print(f"{step.text}  ->  {sizes}")
    for name, array in trace.outputs.items():
        print(_listed(name, array))
    if trace.formula:
        print(f"\n{trace.formula}")
    choosing = ", ".join(trace.chain.arrays)
    for same in trace.same_as:
        words = _("The same as {text}")
        if same.any_sizes is False:
            words = _("Only with these sizes the same as {text}")
        elif choosing and not same.any_indices:
            words = _("Only with these values of {names} the same as {text}")
        print(words.format(names=choosing, text=same.text.replace("\n", "; ")))
    print(f"\n{trace.check()}")


def _save(trace: ChainTrace, path: Path) -> None:
    ending = format_of(path, _FORMATS)
    if ending in PICTURES:
        save(path, PICTURES[ending](scene(trace), PictureLook()))
    else:
        # a model has all tensors of the chain as outputs
        save(path, DATA[ending](trace.every if ending == "onnx" else trace))
