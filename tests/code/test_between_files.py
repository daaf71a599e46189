"""What lies between two files of tensors, each written by its own package or byte by byte."""

import contextlib
import io
import json
import struct
import zipfile

import einops
import numpy as np
import pytest

import dmlviz
from dmlviz.__main__ import main
from dmlviz.code.tensor_files import read_tensors
from tests.thorough import tries

RNG = np.random.default_rng(7)
NAMES = {"np": np, "rearrange": einops.rearrange, "repeat": einops.repeat}
KINDS = {
    "bool": "BOOL",
    "complex64": "C64",
    **{f"float{n}": f"F{n}" for n in (16, 32, 64)},
    **{f"int{n}": f"I{n}" for n in (8, 16, 32, 64)},
    **{f"uint{n}": f"U{n}" for n in (8, 16, 32, 64)},
}


def weights(*sizes, dtype=np.float32):
    return RNG.standard_normal(sizes).astype(dtype)


def safetensors(path, tensors, kinds=None, **header):
    """A file of tensors, and of more entries of its header."""
    entries, data = dict(header), b""
    for name, x in tensors.items():
        kind = (kinds or {}).get(name) or KINDS[x.dtype.name]
        end = len(data) + x.nbytes
        entries[name] = {"dtype": kind, "shape": list(x.shape), "data_offsets": [len(data), end]}
        data += np.ascontiguousarray(x).tobytes()
    text = json.dumps(entries).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)
    return path


def run_lines(tensor, before, after):
    """The texts of the lines of a tensor, those of NumPy run on its origins."""
    given = [before[name] for name in tensor.origins]
    names = ["x"] if len(given) == 1 else [f"x{k}" for k in range(1, len(given) + 1)]
    for one in tensor.same_as:
        if one.library in ("numpy", "einops"):
            made = eval(one.text, {**NAMES, **dict(zip(names, given, strict=True))})
            assert np.ascontiguousarray(made).tobytes() == np.ascontiguousarray(after).tobytes()
            assert made.shape == after.shape
    return [str(one) for one in tensor.same_as]


def command(*words):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(["between", *map(str, words)])
    return code, out.getvalue(), err.getvalue()


def model(dtype):
    """A small model, and what a converter makes of it."""
    parts = {name: weights(n, 16, dtype=dtype) for name, n in (("k", 8), ("q", 32), ("v", 8))}
    groups = [parts[name].reshape(4, -1, 16) for name in "qkv"]
    before = {
        **{f"attn.{name}.weight": x for name, x in parts.items()},
        "mlp.up.0": weights(24, 16, dtype=dtype),
        "mlp.up.1": weights(24, 16, dtype=dtype),
        "norm": weights(16, dtype=dtype),
        "out.weight": weights(16, 32, dtype=dtype),
        "rotary": weights(64, dtype=dtype),
    }
    after = {
        "norm": before["norm"],
        "out": np.ascontiguousarray(before["out.weight"].T),
        "qkv": np.concatenate(groups, axis=1).reshape(48, 16),
        "up": np.concatenate([before["mlp.up.0"], before["mlp.up.1"]], axis=1),
        "q": parts["q"].reshape(4, 2, 4, 16).swapaxes(1, 2).reshape(32, 16),
        "half": before["mlp.up.0"][:12],
    }
    origins = {
        "norm": ("norm",),
        "out": ("out.weight",),
        "qkv": ("attn.k.weight", "attn.q.weight", "attn.v.weight"),
        "up": ("mlp.up.0", "mlp.up.1"),
        "q": ("attn.q.weight",),
        "half": ("mlp.up.0",),
    }
    return before, after, origins


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_a_converted_model(tmp_path, dtype):
    before, after, origins = model(dtype)
    both = dmlviz.between_files(
        safetensors(tmp_path / "a.safetensors", before), safetensors(tmp_path / "b.safetensors", after)
    )  # fmt: skip
    assert {tensor.name: tensor.origins for tensor in both.tensors} == origins
    assert both.left_over == ("rotary",)
    for tensor in both.tensors:
        assert tensor.missing == 0
        assert run_lines(tensor, before, after[tensor.name]), tensor.name


def test_bits_of_types_that_numpy_does_not_have(tmp_path):
    before = {"a": RNG.integers(0, 1 << 16, (16, 8)).astype(np.uint16)}
    before["b"] = RNG.integers(0, 256, (16, 16)).astype(np.uint8)
    kinds = {"a": "BF16", "b": "F8_E4M3"}
    after = {name: np.ascontiguousarray(x.T) for name, x in before.items()}
    paths = [
        safetensors(tmp_path / f"{name}.safetensors", x, kinds, __metadata__={"format": "pt"})
        for name, x in (("one", before), ("two", after))
    ]
    both = dmlviz.between_files(*paths)
    assert [tensor.origins for tensor in both.tensors] == [("a",), ("b",)]
    assert all("x.T" in run_lines(t, before, after[t.name]) for t in both.tensors)
    # bits of another type are no origin
    safetensors(paths[0], before, {"a": "U16", "b": "F8_E5M2"})
    both = dmlviz.between_files(*paths)
    assert [(t.origins, t.missing, t.same_as) for t in both.tensors] == [
        ((), 128, ()),
        ((), 256, ()),
    ]
    assert both.left_over == ("a", "b")


def test_origins_by_sums_over_all_elements(tmp_path):
    # bytes in another order: no value and no run of them is at one place
    before = {
        name: RNG.integers(0, 256, (40, n)).astype(np.uint8)
        for name, n in (("a", 8), ("b", 12), ("c", 8), ("d", 20))
    }
    after = {
        "two": np.concatenate([before["b"].T, before["d"].T]),
        "three": np.concatenate([before["a"].T, before["c"].T, before["d"].T]),
        "one": np.ascontiguousarray(before["d"][::-1, ::-1]),
        "four": np.concatenate([x.T for x in before.values()])[::-1],
    }
    paths = (tmp_path / "a.npz", tmp_path / "b.npz")
    np.savez(paths[0], **before)
    np.savez(paths[1], **after)
    both = dmlviz.between_files(*paths)
    assert {tensor.name: tensor.origins for tensor in both.tensors} == {
        "two": ("b", "d"),
        "three": ("a", "c", "d"),
        "one": ("d",),
        "four": ("a", "b", "c", "d"),
    }
    assert all(tensor.missing == 0 for tensor in both.tensors)


def test_every_kind_of_file(tmp_path):
    x = weights(6, 4)
    np.save(tmp_path / "x.npy", x)
    np.save(tmp_path / "columns.npy", np.asfortranarray(x))
    np.savez(tmp_path / "x.npz", w=x, ids=np.arange(3))
    np.savez_compressed(tmp_path / "packed.npz", w=x)
    safetensors(tmp_path / "x.safetensors", {"w": x, "ids": np.arange(3)})
    files = ["x.npy", "columns.npy", "x.npz:w", "packed.npz", "x.safetensors:w"]
    onnx = pytest.importorskip("onnx")
    helper = onnx.helper
    raw = onnx.numpy_helper.from_array(x, "w")
    listed = helper.make_tensor("listed", onnx.TensorProto.FLOAT, (6, 4), x.ravel().tolist())
    graph = helper.make_graph([], "g", [], [], [raw, listed])
    onnx.save(helper.make_model(graph), tmp_path / "x.onnx")
    files += ["x.onnx:w", "x.onnx:listed"]
    for file in files:
        (stored,) = read_tensors("before", tmp_path / file)
        assert (stored.sizes, stored.type) == ((6, 4), "float32")
        np.testing.assert_array_equal(stored.load(), x)
    np.save(tmp_path / "y.npy", x.T)
    for file in files:
        both = dmlviz.between_files(tmp_path / file, tmp_path / "y.npy")
        assert [(t.name, len(t.origins), t.missing) for t in both.tensors] == [("y", 1, 0)]
        assert "x.T" in [str(one) for one in both.tensors[0].same_as]


@pytest.mark.parametrize("package", ["safetensors.numpy", "ml_dtypes"])
def test_the_package_writes_the_same_files(tmp_path, package):
    library = pytest.importorskip(package)
    if package == "ml_dtypes":
        pytest.importorskip("safetensors.numpy")
        library = pytest.importorskip("safetensors.numpy")
    before = {"a": weights(4, 6), "b": RNG.integers(0, 9, (3, 5)).astype(np.int32)}
    library.save_file(before, tmp_path / "a.safetensors")
    for stored in read_tensors("before", tmp_path / "a.safetensors"):
        np.testing.assert_array_equal(stored.load(), before[stored.name])


def random_file(rng):
    """Tensors, and others that random ones of them were joined to."""
    width = int(rng.integers(2, 6))
    before = {
        f"t{k}": rng.standard_normal((int(n), width)).astype(np.float32)
        for k, n in enumerate(rng.integers(2, 9, int(rng.integers(3, 7))))
    }
    names, after, origins = list(before), {}, {}
    for k in range(int(rng.integers(1, 5))):
        chosen = sorted(rng.choice(len(names), int(rng.integers(1, 4)), replace=False).tolist())
        parts = [before[names[i]] for i in rng.permutation(chosen)]
        after[f"u{k}"] = np.concatenate(parts)
        origins[f"u{k}"] = tuple(names[i] for i in chosen)
    return before, after, origins


def test_random_files(tmp_path):
    for _turn in range(tries(40)):
        before, after, origins = random_file(RNG)
        both = dmlviz.between_files(
            safetensors(tmp_path / "a.safetensors", before),
            safetensors(tmp_path / "b.safetensors", after),
        )
        assert {tensor.name: tensor.origins for tensor in both.tensors} == origins
        for tensor in both.tensors:
            assert run_lines(tensor, before, after[tensor.name])
        used = {name for each in origins.values() for name in each}
        assert both.left_over == tuple(name for name in before if name not in used)


def test_the_command(tmp_path):
    before, after, origins = model(np.float32)
    np.savez(tmp_path / "a.npz", **before)
    np.savez(tmp_path / "b.npz", **after)
    code, out, err = command(tmp_path / "a.npz", tmp_path / "b.npz", "--json")
    data = json.loads(out)
    assert (code, err, list(data)) == (0, "", ["tensors", "left_over"])
    assert data["left_over"] == ["rotary"]
    assert {one["name"]: tuple(one["from"]) for one in data["tensors"]} == origins
    assert all(
        list(t) == ["name", "from", "same_as", "missing", "ambiguous"] for t in data["tensors"]
    )
    assert {key for t in data["tensors"] for one in t["same_as"] for key in one} == {
        "text",
        "library",
    }
    code, out, err = command(tmp_path / "a.npz", tmp_path / "b.npz")
    assert (code, err) == (0, "")
    assert "out of out.weight\n" in out
    assert "   x.T\n" in out
    assert out.endswith("Left over: rotary\n")
    code, out, _err = command(f"{tmp_path}/a.npz:norm", f"{tmp_path}/b.npz:norm", "--json")
    assert [one["from"] for one in json.loads(out)["tensors"]] == [["norm"]]


def test_what_is_missing_is_exit_code_1(tmp_path):
    x = weights(5, 4)
    changed = x.T.copy()
    changed[1, 2] += 1
    np.save(tmp_path / "before.npy", x)
    np.save(tmp_path / "after.npy", changed)
    code, out, err = command(tmp_path / "before.npy", tmp_path / "after.npy", "--json")
    (tensor,) = json.loads(out)["tensors"]
    assert (code, err, tensor["name"], tensor["from"]) == (1, "", "after", ["before"])
    assert (tensor["missing"], tensor["same_as"]) == (1, [])
    np.save(tmp_path / "after.npy", weights(5, 4))
    code, out, _err = command(tmp_path / "before.npy", tmp_path / "after.npy", "--json")
    data = json.loads(out)
    assert (code, data["tensors"][0]["from"], data["left_over"]) == (1, [], ["before"])
    # what is left over is no fault
    np.savez(tmp_path / "two.npz", x=x, y=x + 1)
    np.save(tmp_path / "after.npy", x)
    assert command(tmp_path / "two.npz", tmp_path / "after.npy")[0] == 0


def npy(header, data=b"", version=(1, 0)):
    text = header.encode()
    return b"\x93NUMPY" + bytes(version) + struct.pack("<H", len(text)) + text + data


def tensors_file(entry, data=b"\0" * 8):
    text = json.dumps(entry).encode() if not isinstance(entry, bytes) else entry
    return struct.pack("<Q", len(text)) + text + data


def entry(dtype="F32", shape=(2,), offsets=(0, 8)):
    return {"w": {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets)}}


def zipped(name, data, kind=zipfile.ZIP_STORED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", kind) as archive:
        archive.writestr(name, data)
    return file.getvalue()


def saved(x, **more):
    file = io.BytesIO()
    np.save(file, x, **more)
    return file.getvalue()


HEADER = "{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }\n"
REFUSED = {
    "no.npy": None,
    "empty.npy": b"",
    "text.npy": b"hello",
    "objects.npy": saved(np.array([{}, []], object), allow_pickle=True),
    "texts.npy": saved(np.array(["a", "b"])),
    "records.npy": saved(np.zeros(2, [("a", "f4")])),
    "nothing.npy": saved(np.zeros((0, 3))),
    "short.npy": saved(np.arange(100))[:-8],
    "huge.npy": npy(HEADER % "9999999999999999999999,"),
    "negative.npy": npy(HEADER % "-1,", b"\0" * 8),
    "ranks.npy": npy(HEADER % ("1, " * 100), b"\0" * 4),
    "code.npy": npy("__import__('os').system('true')"),
    "long.npy": npy(HEADER % "2," + " " * 60_000, b"\0" * 8),
    "version.npy": npy(HEADER % "2,", b"\0" * 8, version=(9, 9)),
    "objects.npz": zipped("w.npy", saved(np.array([None]), allow_pickle=True)),
    "short.npz": zipped("w.npy", saved(np.arange(10))[:-8]),
    "none.npz": zipped("readme.txt", b"hello"),
    "cut.npz": zipped("w.npy", saved(np.arange(10)))[:-30],
    "damaged.npz": zipped("w.npy", saved(np.arange(10))).replace(b"\x05\0\0\0", b"\x06\0\0\0", 1),
    "short.safetensors": b"\x08\0\0",
    "length.safetensors": struct.pack("<Q", 1 << 62) + b"{}",
    "json.safetensors": tensors_file(b"{'w': 1}"),
    "list.safetensors": tensors_file([]),
    "deep.safetensors": tensors_file(b"[" * 100_000),
    "number.safetensors": tensors_file(b'{"w": ' + b"9" * 10_000 + b"}"),
    "entry.safetensors": tensors_file({"w": 3}),
    "type.safetensors": tensors_file(entry(dtype="F31")),
    "types.safetensors": tensors_file(entry(dtype=["F32"])),
    "sizes.safetensors": tensors_file(entry(shape=(3,))),
    "negative.safetensors": tensors_file(entry(shape=(-1, -2))),
    "float.safetensors": tensors_file(entry(shape=(2.0,))),
    "true.safetensors": tensors_file(entry(shape=(True, 2))),
    "end.safetensors": tensors_file(entry(offsets=(8, 16))),
    "back.safetensors": tensors_file(entry(offsets=(8, 0))),
    "absurd.safetensors": tensors_file(entry(shape=(1 << 62, 1 << 62))),
    "none.safetensors": tensors_file({}),
    "text.onnx": b"hello",
    "empty.onnx": b"",
    "cut.onnx": b"\x3a\xff\xff\xff\xff\x0f",
    "model.pt": b"PK",
    "pickle.pkl": b"cos\nsystem\n(S'true'\ntR.",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(tmp_path, name):
    np.save(tmp_path / "good.npy", np.arange(2, dtype=np.float32))
    if REFUSED[name] is not None:
        (tmp_path / name).write_bytes(REFUSED[name])
    for words in ((name, "good.npy"), ("good.npy", name)):
        code, out, err = command(*(tmp_path / word for word in words), "--json")
        assert (code, out) == (2, ""), (err, out)
        assert err.count("\n") == 1
        assert err.startswith("dmlviz: ")
        assert "usage" not in err
        assert len(err) < 600
        with pytest.raises(ValueError):
            dmlviz.between_files(*(tmp_path / word for word in words))


def test_other_refusals(tmp_path):
    for name, x in (("a", np.arange(4)), ("b", np.arange(4.0))):
        np.save(tmp_path / f"{name}.npy", x)
    code, _out, err = command(tmp_path / "a.npy", tmp_path / "b.npy")
    assert (code, err) == (2, "dmlviz: after: it has the type float64, and before has int64.\n")
    np.savez(tmp_path / "c.npz", w=np.arange(4))
    code, _out, err = command(f"{tmp_path}/c.npz:v", tmp_path / "a.npy")
    assert (code, "has no tensor" in err) == (2, True)


def test_a_tensor_outside_the_file_is_refused(tmp_path):
    onnx = pytest.importorskip("onnx")
    helper = onnx.helper
    x = onnx.numpy_helper.from_array(weights(40, 40), "w")
    path = tmp_path / "x.onnx"
    onnx.save(
        helper.make_model(helper.make_graph([], "g", [], [], [x])),
        path,
        save_as_external_data=True,
        location="data.bin",
    )
    code, _out, err = command(path, path)
    assert (code, "is in another file" in err) == (2, True)


@pytest.mark.parametrize("kind", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])
def test_damage_after_a_header(tmp_path, kind):
    data = bytearray(zipped("w.npy", saved(weights(200, 100)), kind))
    data[len(data) // 2] ^= 1
    (tmp_path / "a.npz").write_bytes(data)
    code, out, err = command(tmp_path / "a.npz", tmp_path / "a.npz")
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_a_compressed_file_that_says_it_is_huge_is_not_unpacked(tmp_path):
    data = npy(HEADER % f"{1 << 40},")
    packed = zipped("w.npy", data, zipfile.ZIP_DEFLATED)
    (tmp_path / "a.npz").write_bytes(packed)
    with pytest.raises(ValueError, match="does not have"):
        read_tensors("before", tmp_path / "a.npz")


def test_tensors_that_have_nothing_of_another_are_not_searched(tmp_path, monkeypatch):
    from dmlviz.code import between_files

    before = {f"t{k:02}": weights(300, 40) for k in range(12)}
    after = {f"u{k:02}": x[20:200] for k, x in enumerate(before.values())}
    paths = (tmp_path / "a.npz", tmp_path / "b.npz")
    np.savez(paths[0], **before)
    np.savez(paths[1], **after)
    searched = []
    is_in = between_files._is_in
    monkeypatch.setattr(between_files, "_is_in", lambda *a: searched.append(a[1].name) or is_in(*a))
    both = dmlviz.between_files(*paths)
    assert [tensor.origins for tensor in both.tensors] == [(name,) for name in before]
    assert all("x[20:200]" in map(str, tensor.same_as) for tensor in both.tensors)
    # values that two tensors have by chance are few
    assert len(searched) < 60
    # small tensors, of which too few hashes are kept, are searched
    np.savez(paths[1], part=before["t03"][7:9])
    assert dmlviz.between_files(*paths).tensors[0].origins == ("t03",)
