"""The libraries whose code is read, and which one a text is written for."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from dmlviz.base.deferred import regex
from dmlviz.base.words import _
from dmlviz.code.arguments import NAME_LIMIT
from dmlviz.code.einops import EINOPS
from dmlviz.code.jax import JAX
from dmlviz.code.keras import KERAS
from dmlviz.code.keras_ops import KERAS_OPS
from dmlviz.code.layout_text import layout_of
from dmlviz.code.layouts import LAYOUTS
from dmlviz.code.library import Function, Library
from dmlviz.code.mlx import MLX
from dmlviz.code.numpy import NUMPY
from dmlviz.code.onnx import ONNX
from dmlviz.code.refusals import CodeRefused
from dmlviz.code.rules import REFUSING, by_values, computes
from dmlviz.code.source import MAKERS
from dmlviz.code.structure import STRUCTURE
from dmlviz.code.tensorflow import TENSORFLOW
from dmlviz.code.torch import TORCH
from dmlviz.tensors import short_text

LIBRARIES: Mapping[str, Library] = MappingProxyType(
    {
        library.key: library
        for library in (NUMPY, TORCH, TENSORFLOW, JAX, MLX, KERAS_OPS, EINOPS, ONNX, LAYOUTS)
    }
)
"""By the name in links and on the command line, in the order of menus."""

TABLES = (*LIBRARIES.values(), KERAS, STRUCTURE)
"""Everything that code can import."""

TENSOR_MAKERS = MAKERS | {of.of_list.rpartition(".")[2] for of in TABLES if of.of_list}
"""Functions that make a tensor, by their last names: those that libraries alone have, too."""

NEAR_LIMIT = 3
"""The limit of near names in a refusal."""


def library_of(text: str) -> str:
    """The key of the library that a text is written for; a guess from the names in it.

    What means different things in several libraries, such as ``x.transpose(0, 1)``, is read as
    NumPy's.

    >>> library_of("x.permute(1, 0)"), library_of("x.T"), library_of("rearrange(x, 'h w -> w h')")
    ('torch', 'numpy', 'einops')
    """
    if layout_of(text) is not None:
        return LAYOUTS.key
    library = _signed(text)
    names_numpy = _has_signs(NUMPY, text)
    # where code goes from NumPy to PyTorch, it ends with PyTorch's tensors
    if library is TORCH and names_numpy and "from_numpy(" not in text:
        library = NUMPY
    if library is NUMPY and not names_numpy:
        without_tensors = (of for of in LIBRARIES.values() if not of.has_tensors)
        library = next((of for of in without_tensors if _has_signs(of, text)), NUMPY)
    return library.key


def _signed(text: str) -> Library:
    """The library with tensors whose signs are in a text, the last of the menu first; or NumPy."""
    signed = (of for of in LIBRARIES.values() if of.has_tensors and _has_signs(of, text))
    return [NUMPY, *signed][-1]


def _has_signs(library: Library, text: str) -> bool:
    return library.signs is not None and library.signs.search(text) is not None


_TENSORS = (NUMPY, TORCH, JAX, TENSORFLOW)
"""The libraries whose tensors have methods, in the order in which they are tried."""

_MODULES = regex(
    rf"\b({'|'.join(name for of in TABLES if of is not STRUCTURE for name in of.names)})\."
)


def libraries_of(text: str) -> tuple[str, ...]:
    """The keys of the libraries that a text may be written for, the likeliest first.

    Where no module in it says whose tensors it has, what one library refuses may be another's.

    >>> libraries_of("q.transpose(1, 2)"), libraries_of("np.tile(x, 2)")
    (('numpy', 'torch', 'jax', 'tensorflow'), ('numpy',))
    >>> libraries_of("x.flip(0)")
    ('torch', 'numpy', 'jax', 'tensorflow')
    """
    key = library_of(text)
    if _MODULES.search(text):
        return (key,)
    likely = tensors_of(key, text)
    return (key, *(of.key for of in _TENSORS if of is not likely))


def read_as_another(refusal: str, key: str) -> str:
    """A refusal of code of a chosen library, with the one as whose code it is read."""
    return _("{refusal} As code of {library} it is read: choose {library} for it.").format(
        refusal=refusal, library=LIBRARIES[key].title
    )


def library_beside(text: str, other: str) -> str:
    """The key of the library of code that is compared with code of another one.

    It is the other's where the text has no name that only one library has.

    >>> library_beside("x.repeat(3, 1)", "torch"), library_beside("np.repeat(x, 3)", "torch")
    ('torch', 'numpy')
    """
    key = library_of(text)
    return other if key == NUMPY.key and not _has_signs(NUMPY, text) else key


def tensors_of(key: str, text: str) -> Library:
    """The library whose tensors have the methods of a text, as einops has none."""
    return LIBRARIES[key] if LIBRARIES[key].has_tensors else _signed(text)


def library_named(name: str) -> str:
    """The key of the library with this name.

    Raises:
        CodeRefused: there is none.

    >>> library_named("PyTorch")
    'torch'
    """
    key = name.strip().lower() if isinstance(name, str) else ""
    key = next((of.key for of in LIBRARIES.values() if key in of.other_names), key)
    if key not in LIBRARIES:
        raise CodeRefused(
            "argument",
            _("library: {name} is not one of {names}.").format(
                name=short_text(name), names=", ".join(LIBRARIES)
            ),
        )
    return key


def _others(library: Library, name: str, attributes: bool = False) -> Library | None:
    """A library whose tensors have a method or an attribute that the tensors of one do not have.

    What computes is refused in any library, so its tables do not say which libraries have it.
    """
    tables = [(of, of.attributes if attributes else of.methods) for of in LIBRARIES.values()]
    others = (of for of, table in tables if table.get(name, computes) not in REFUSING)
    return None if name in library.unread else next(others, None)


def in_words(titles: Collection[str] = ()) -> dict[str, str]:
    """The titles of libraries in a sentence: its placeholders ``libraries``, and ``last``.

    Args:
        titles: those that are named; without any, those of the libraries that code of an operator
            is written in.

    >>> in_words()["last"], in_words(["ONNX", "NumPy"])
    ('einops', {'libraries': 'NumPy', 'last': 'ONNX'})
    """
    every = LIBRARIES.values()
    named = [of.title for of in every if (of.title in titles if titles else of.has_dialect)]
    return {"libraries": ", ".join(named[:-1]), "last": named[-1]}


def table_of(key: str) -> Library:
    """The library with a key, whatever is in menus."""
    return next(of for of in TABLES if of.key == key)


def library_of_module(name: str) -> Library | None:
    """The library that code means by the name of a module, such as ``np``; None if none does."""
    return next((of for of in TABLES if name in of.names), None)


def maker_of_lists(module: str) -> str:
    """The function that makes a tensor of a list, in the library of a module.

    >>> maker_of_lists("F"), maker_of_lists("np"), maker_of_lists("einops")
    ('torch.tensor', 'np.array', 'np.array')
    """
    library = library_of_module(module)
    return (library.of_list if library is not None else "") or "np.array"


def library_with_method(name: str) -> Library | None:
    """A library whose tensors have a method; None if none has."""
    return next((of for of in LIBRARIES.values() if name in of.methods), None)


def function_named(text: str) -> str:
    """The full name of a function that is read and moves elements, by its last name.

    Args:
        text: such as ``lax.dynamic_update_slice(x, y, (1, 2))``.

    Returns:
        An empty text if there is none.

    >>> function_named("lax.dynamic_update_slice"), function_named("softmax")
    ('jax.lax.dynamic_update_slice', '')
    """
    last = "." + text.partition("(")[0].strip().rpartition(".")[2]
    every = (pair for of in TABLES for pair in of.functions.items())
    moving = (full for full, of in every if of not in (computes, by_values))
    return next((full for full in moving if full.endswith(last)), "")


def without_method(library: Library, name: str) -> str:
    """Why a tensor's method is refused that its library does not have here."""
    other = _others(library, name)
    message = _("{library} tensors have no movement .{name}() that is read here.")
    if other is not None:
        message = _("{library} tensors have no .{name}(); those of {other} have.")
    other_title = other.title if other is not None else ""
    refusal = message.format(library=library.title, name=name, other=other_title)
    near = [f".{one}()" for one in near_names(name, library.methods)]
    return refusal if other is not None else with_near(refusal, near)


def without_module(name: str) -> str:
    """Why a module is refused that is in no library here."""
    return _("{name} is not read; modules are {names}.").format(
        name=short_text(name),
        names=", ".join(dict.fromkeys(m for of in TABLES for m in of.modules if "." not in m)),
    )


def without_function(name: str) -> str:
    """Why a function is refused that is in no table, such as ``torch.transpos``."""
    module, _dot, last = name.rpartition(".")
    if ".random." in name:
        return _(
            "Random numbers are not read here, even with a seed. Write the numbers, or begin with "
            "a line such as x = np.arange(6).reshape(2, 3) or x = np.random.rand(2, 3)."
        )
    every = (pair for of in TABLES for pair in of.functions.items())
    parts = ((*full.rpartition("."), function) for full, function in every)
    # a module's name in all of them would make them alike
    everywhere = list(parts)
    library = name.partition(".")[0]
    # the same name in another module, such as tf.nn.space_to_depth for tf.space_to_depth
    same = [f"{of}.{n}" for of, _d, n, _f in everywhere if n == last and of.startswith(library)]
    near = near_names(last, {n: f for of, _d, n, f in everywhere if of == module})
    refusal = _("{name} is not supported here.").format(name=short_text(name))
    return with_near(refusal, same[:NEAR_LIMIT] or [f"{module}.{one}" for one in near])


def near_names(name: str, functions: Mapping[str, Function]) -> list[str]:
    """Up to three names that look like this one, of functions that move elements.

    >>> near_names("transpos", TORCH.methods)
    ['transpose', 'transpose_']
    """
    moving = [n for n, function in functions.items() if function not in (computes, by_values)]
    return difflib.get_close_matches(name[:NAME_LIMIT], moving, NEAR_LIMIT)


def with_near(refusal: str, names: Sequence[str]) -> str:
    """A refusal with the names that are near; unchanged if there are none."""
    if not names:
        return refusal
    return _("{refusal} Similar names that are read: {names}.").format(
        refusal=refusal, names=", ".join(names)
    )


def without_attribute(library: Library, name: str) -> str:
    """Why a tensor's attribute is refused that its library does not have here."""
    if name in library.methods:
        return _(".{name} is a method; call it: .{name}(…).").format(name=name)
    other = _others(library, name, attributes=True)
    message = _("{library} tensors have no attribute .{name} that is read here.")
    if other is not None:
        message = _("{library} tensors have no .{name}; those of {other} have.")
    elif _others(library, name) is not None:
        return without_method(library, name)
    other_title = other.title if other is not None else ""
    return message.format(library=library.title, name=name, other=other_title)
