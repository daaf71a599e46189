"""What holds code together: Python's modules, and decorators, contexts and models of libraries."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from dmlviz.base.budget import spend
from dmlviz.base.words import _
from dmlviz.code.builder import Builder
from dmlviz.code.library import Function, Library, MappedFunction, Sequential, unchanged
from dmlviz.code.numpy import MATH
from dmlviz.code.python.numbers import LIST_LIMIT
from dmlviz.code.python.values import Partial
from dmlviz.code.refusals import CodeRefused


def _partial(b: Builder, func: Any, /, *args: Any, **kwargs: Any) -> Partial:
    return Partial(func, args, kwargs)


def _chain(b: Builder, *iterables: Any) -> list[Any]:
    spend("items", sum(map(len, iterables)))
    return [item for each in iterables for item in each]


def _product(b: Builder, *iterables: Any) -> list[Any]:
    count = 1
    for each in iterables:
        count *= len(each)
    if count > LIST_LIMIT:
        raise CodeRefused("limit", _("A list is too long."))
    spend("items", count * max(1, len(iterables)))
    return list(product(*iterables))


def _mapped(b: Builder, fun: Any, in_axes: Any = 0, out_axes: Any = 0) -> MappedFunction:
    return MappedFunction(fun, in_axes, out_axes)


def _mapped_in_torch(b: Builder, func: Any, in_dims: Any = 0, out_dims: Any = 0) -> MappedFunction:
    return MappedFunction(func, in_dims, out_dims)


def _sequential(b: Builder, *args: Any) -> Sequential:
    return Sequential(args)


def _of_list(b: Builder, layers: Any = ()) -> Sequential:
    return Sequential(tuple(layers))


def _module_list(b: Builder, modules: Any = ()) -> list[Any]:
    return list(modules)


_UNCHANGED: Mapping[str, str] = {
    "functools.cache": "user_function",
    "functools.lru_cache": "maxsize typed",
    "functools.wraps": "wrapped assigned updated",
    "torch.no_grad": "orig_func",
    "torch.enable_grad": "orig_func",
    "torch.inference_mode": "mode",
    "torch.set_grad_enabled": "mode",
    "torch.compile": "model * fullgraph dynamic backend mode options disable",
    "torch.jit.script": "obj optimize",
    "torch.jit.ignore": "drop",
    "torch.jit.export": "fn",
    "torch.jit.unused": "fn",
    "jax.jit": (
        "fun * in_shardings out_shardings static_argnums static_argnames donate_argnums "
        "donate_argnames keep_unused device backend inline"
    ),
    "jax.named_scope": "name",
    "jax.checkpoint": "fun * prevent_cse policy static_argnums",
    "tensorflow.function": "func input_signature autograph jit_compile reduce_retracing",
    "tensorflow.name_scope": "name",
    "tensorflow.device": "device_name",
}
"""Decorators and contexts that change no movement, with their parameters."""

FUNCTIONS: dict[str, Function] = {
    **MATH,
    "functools.partial": _partial,
    "itertools.chain": _chain,
    "itertools.chain.from_iterable": lambda b, iterable: _chain(b, *iterable),
    "itertools.product": _product,
    "jax.vmap": _mapped,
    "torch.vmap": _mapped_in_torch,
    "torch.func.vmap": _mapped_in_torch,
    "torch.nn.Sequential": _sequential,
    "torch.nn.ModuleList": _module_list,
    "tensorflow.keras.Sequential": _of_list,
    "keras.Sequential": _of_list,
    **{name: unchanged(parameters) for name, parameters in _UNCHANGED.items()},
}

STRUCTURE = Library(
    "python",
    "Python",
    names={name: name for name in ("math", "itertools", "functools")},
    modules={name: name for name in ("math", "itertools", "functools", "typing", "__future__")},
    functions=FUNCTIONS,
)
"""What is read in code of every library."""
