"""The parameters of the libraries' functions: asked of NumPy, einops and ONNX, recorded for three others.

``python -m tests.code.signatures`` records those of PyTorch, TensorFlow and others from the files of
the packages that are installed; it imports none of them. A folder can be given in which they are. What
is known of another one stays.
"""

import ast
import functools
import importlib
import importlib.util
import inspect
import json
import re
import sys
from pathlib import Path

import numpy as np
import onnx

from dmlviz.code import LIBRARIES, einops, rules, torch
from dmlviz.code.library import layer

FILE = Path(__file__).with_name("signatures.json")
WITH_FUNCTIONS = [key for key, of in LIBRARIES.items() if of.has_dialect or key == "onnx"]
"""The libraries whose functions code calls by name; the name of a layout is a whole text."""

RECORDED = ("torch", *(key for key in WITH_FUNCTIONS if not LIBRARIES[key].tested))
_REFUSING = (*rules.REFUSING, torch._randperm, einops._parse_shape)
"""Functions that take any arguments, and refuse them all."""

_LAYER = layer("", rules.computes).__code__


def read_functions(library):
    """By name, the functions and the methods of a library that are read: ``torch.cat``, ``.permute``."""
    of = LIBRARIES[library]
    every = {**of.functions, **{f".{name}": method for name, method in of.methods.items()}}
    return {name: function for name, function in every.items() if function not in _REFUSING}


def taken(function):
    """What a function of ours takes: that of a layer, without the tensor that comes later."""
    if getattr(function, "__code__", None) is _LAYER:
        cells = dict(zip(function.__code__.co_freevars, function.__closure__, strict=True))
        return cells["function"].cell_contents, 2
    return function, 1


def _text(arguments, skip=0):
    """The parameters of a definition, every default as ``...``, without the first ones."""
    for of in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        of.annotation = None
    for of in (arguments.vararg, arguments.kwarg):
        if of is not None:
            of.annotation = None
    arguments.defaults = [ast.Constant(...) for _ in arguments.defaults]
    arguments.kw_defaults = [of and ast.Constant(...) for of in arguments.kw_defaults]
    parameters = [*parsed(ast.unparse(arguments)).parameters.values()][skip:]
    return str(inspect.Signature(parameters))[1:-1].replace("Ellipsis", "...")


def parsed(text):
    """The signature that a text of parameters stands for."""
    namespace = {}
    exec(f"def function({text}): ...", namespace)
    return inspect.signature(namespace["function"])


@functools.cache
def _tree(path):
    return ast.parse(path.read_text(encoding="utf-8"))


@functools.cache
def _definitions(path, of=""):
    """By name, the definitions of a file, or of a class in it: overloads have several."""
    body = _tree(path).body
    if of:
        body = next(
            node.body for node in body if isinstance(node, ast.ClassDef) and node.name == of
        )
    found = {}
    for node in body:
        if isinstance(node, ast.FunctionDef):
            found.setdefault(node.name, []).append(node)
        if isinstance(node, ast.ClassDef):
            found.setdefault(node.name, []).append(node)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    found[target.id] = found.get(node.value.id, [])
    return found


def _parameters(nodes, skip=0):
    return sorted({_text(node.args, skip) for node in nodes if isinstance(node, ast.FunctionDef)})


def _torch(root, name):
    if name.startswith("."):
        for path, of in (("_tensor.py", "Tensor"), ("_C/__init__.pyi", "TensorBase")):
            if nodes := _definitions(root / path, of).get(name[1:]):
                return _parameters(nodes, 1)
        return []
    room, _dot, last = name.rpartition(".")
    if room == "torch.nn":
        for path in sorted((root / "nn/modules").glob("*.py")):
            if last in _definitions(path):
                return _initial(path, last)
        return []
    files = ["functional.py", "_C/_VariableFunctions.pyi"]
    if room == "torch.nn.utils.rnn":
        files = ["nn/utils/rnn.py"]
    if room == "torch.nn.functional":
        files = ["nn/functional.py", "nn/functional.pyi", "_C/_nn.pyi", *files]
    for path in files:
        nodes = _definitions(root / path).get(last, [])
        # overloads, and the definition behind them that takes anything
        if made := [text for text in _parameters(nodes) if "kwargs" not in text]:
            return made
    return []


def _initial(path, name):
    """The parameters of a layer; of the class that it is made of, if it has no own ones."""
    (node,) = _definitions(path)[name]
    own = [of for of in node.body if isinstance(of, ast.FunctionDef) and of.name == "__init__"]
    if own:
        return _parameters(own, 1)
    bases = [of.id for of in node.bases if isinstance(of, ast.Name) and of.id in _definitions(path)]
    return _initial(path, bases[0]) if bases else [""]


def _jax(root, name):
    if name.startswith("."):
        nodes = _definitions(root / "_src/basearray.pyi", "Array").get(name[1:], [])
        return _parameters(nodes, 1)
    room, _dot, last = name.rpartition(".")
    files = {
        "jax": ["_src/api.py"],
        "jax.numpy": ["numpy/__init__.pyi"],
        "jax.numpy.linalg": ["_src/numpy/linalg.py"],
        "jax.image": ["_src/image/scale.py"],
        "jax.lax": [str(of.relative_to(root)) for of in sorted((root / "_src/lax").glob("*.py"))],
    }[room]
    for path in files:
        if made := _parameters(_definitions(root / path).get(last, [])):
            return made
    return []


def _tensorflow(root, name):
    room, _dot, last = name.rpartition(".")
    api = root / "_api/v2" / room.removeprefix("tensorflow").strip(".") / "__init__.py"
    text = (root / "__init__.py" if room == "tensorflow" else api).read_text(encoding="utf-8")
    pattern = rf"^from tensorflow\.(\S+) import (\w+ as )?{last}(?: #|$)"
    match = re.search(pattern, text, re.MULTILINE)
    if match is None:
        return []
    path = root / f"{match[1].replace('.', '/')}.py"
    return _parameters(_definitions(path).get((match[2] or last).removesuffix(" as "), []))


def _mlx(root, name):
    path = root / "core/__init__.pyi"
    if name.startswith("."):
        return _parameters(_definitions(path, "array").get(name[1:], []), 1)
    if name == "mlx.core.array":
        return _parameters(_definitions(path, "array").get("__init__", []), 1)
    room, _dot, last = name.rpartition(".")
    path = path if room == "mlx.core" else root / "core" / f"{room.rpartition('.')[2]}.pyi"
    return _parameters(_definitions(path).get(last, []))


def _keras(root, name):
    room, _dot, last = name.rpartition(".")
    files = ("image",) if room.endswith("image") else ("numpy", "core", "nn", "math", "einops")
    for file in files:
        if made := _parameters(_definitions(root / f"src/ops/{file}.py").get(last, [])):
            return made
    return []


def _installed(name):
    of = importlib
    for part in name.split("."):
        of = getattr(of, part) if of is not importlib else importlib.import_module(part)
    return of


def _members(library, root):
    """The methods and attributes of a library's tensors, of those that any library has here."""
    places = {
        "torch": [("_tensor.py", "Tensor"), ("_C/__init__.pyi", "TensorBase")],
        "jax": [("_src/basearray.pyi", "Array")],
        "mlx": [("core/__init__.pyi", "array")],
        # others make them while they run
    }.get(library, [])
    found = set()
    for path, of in places:
        (node,) = _definitions(root / path)[of]
        for member in node.body:
            found |= {
                getattr(member, "name", ""),
                getattr(getattr(member, "target", None), "id", ""),
            }
            found |= {getattr(target, "id", "") for target in getattr(member, "targets", ())}
    return sorted(found & members())


def members():
    """The methods and attributes of tensors that are read of any library."""
    return {name for of in LIBRARIES.values() for name in (*of.methods, *of.attributes)}


def members_of(library):
    """Those that the tensors of a library have."""
    if library in RECORDED:
        return {*recorded()[library]["members"]}
    return {*dir(np.ndarray)} & members()


@functools.cache
def recorded():
    """By library and name, the parameters of each overload of its functions and methods."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def _onnx(name):
    """The signature of an ONNX operator as onnxscript writes it, from the newest schema."""
    kinds, options = inspect.Parameter, onnx.defs.OpSchema.FormalParameterOption
    schema = onnx.defs.get_schema(name.removeprefix("onnx."))
    made = []
    for of in schema.inputs:
        variadic = of.option is options.Variadic
        kind = kinds.VAR_POSITIONAL if variadic else kinds.POSITIONAL_OR_KEYWORD
        default = None if of.option is options.Optional else kinds.empty
        made.append(kinds(of.name, kind, default=default))
    for of in schema.attributes.values():
        default = kinds.empty if of.required else None
        made.append(kinds(of.name, kinds.KEYWORD_ONLY, default=default))
    return inspect.Signature(made)


def parameters(library, name):
    """The signatures of a library's function or method, one or more; none if it has no such one."""
    if library == "onnx":
        return [_onnx(name)]
    if library in RECORDED:
        return [parsed(text) for text in recorded()[library].get(name, ())]
    owner = f"numpy.ndarray{name}" if name.startswith(".") else name
    try:
        signature = inspect.signature(_installed(owner))
    except (AttributeError, ModuleNotFoundError):
        return []
    own = [*signature.parameters.values()]
    return [inspect.Signature(own[1:] if name.startswith(".") else own)]


def files_of(library, folder=None):
    """The folder of a library's package, or None if it is not installed."""
    if folder is not None:
        return Path(folder) / library
    spec = importlib.util.find_spec(library)
    return Path(spec.origin).parent if spec is not None else None


def asked(library, root):
    """The parameters of a library's functions, from the files of its package."""
    ask = globals()[f"_{library}"]
    found = {name: ask(root, name) for name in read_functions(library)}
    read = {name: of for name, of in sorted(found.items()) if of}
    return {**read, "members": _members(library, root)}


def record(folder=None):
    """Write the file anew."""
    files = {library: files_of(library, folder) for library in RECORDED}
    installed = {library: root for library, root in files.items() if root and root.is_dir()}
    answers = recorded() | {library: asked(library, root) for library, root in installed.items()}
    FILE.write_text(json.dumps(answers, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    record(*sys.argv[1:2])
