"""``python -m dmlviz between BEFORE AFTER``: which tensors a file's tensors were made of."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from typing import Any

from dmlviz.base.words import _
from dmlviz.code.between_files import FilesBetween, between_files

NAME = "between"


def add(parser: ArgumentParser) -> None:
    """The two files, and how to print."""
    words = _(
        "a file that ends in .npy, .npz, .safetensors or .onnx, or one of its tensors, as in "
        "model.safetensors:layer.weight"
    )
    parser.add_argument("before", metavar="BEFORE", help=words)
    parser.add_argument(
        "after",
        metavar="AFTER",
        help=_("the other file; exit code 1 if an element of it is missing in the first"),
    )
    parser.add_argument("--json", action="store_true", help=_("print JSON instead of text"))


def run(arguments: Namespace) -> int:
    """Print where each tensor comes from; 1 if an element of one is missing."""
    both = between_files(arguments.before, arguments.after)
    print(json.dumps(_described(both))) if arguments.json else _print(both)
    return 1 if any(tensor.missing for tensor in both.tensors) else 0


def _print(both: FilesBetween) -> None:
    for tensor in both.tensors:
        origins = ", ".join(tensor.origins) or _("nothing")
        print(_("{name} of {origins}").format(name=tensor.name, origins=origins))
        for same in tensor.same_as:
            print(f"   {same}")
        if not tensor.same_as and not tensor.missing:
            print("   " + _("No short line makes it."))
        if tensor.missing:
            print("   " + _("{count} elements are missing.").format(count=f"{tensor.missing:,}"))
    if both.left_over:
        print(_("Left over: {names}").format(names=", ".join(both.left_over)))


def _described(both: FilesBetween) -> dict[str, Any]:
    """What lies between the files, as JSON has it."""
    return {
        "tensors": [
            {
                "name": tensor.name,
                "from": list(tensor.origins),
                "same_as": [{"text": one.text, "library": one.library} for one in tensor.same_as],
                "missing": tensor.missing,
                "ambiguous": tensor.ambiguous,
            }
            for tensor in both.tensors
        ],
        "left_over": list(both.left_over),
    }
