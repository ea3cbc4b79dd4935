"""SIMD vectors for numba-compiled loops; the vectors are values that stay in registers.

A `Vector` is an LLVM vector. LLVM divides the vector among the registers of the processor, so the code is portable.
Operators work elementwise. Scalars are broadcast. Numba supplies the argument ``typing`` of the functions below:
compiled code calls ``root(a)``, for example, and not ``root(typing, a)``.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import extending
from numba.core import cgutils, types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature

__all__ = [
    "Vector", "any_of", "as_float", "as_int", "as_word", "double", "fused", "put", "reader", "real",
    "root", "single", "spreader", "total", "where", "whole", "widened",
]  # fmt: skip

_intrinsic: Any = extending.intrinsic
_LLVM = {
    types.boolean: ir.IntType(1), types.int32: ir.IntType(32), types.uint32: ir.IntType(32),
    types.float32: ir.FloatType(), types.float64: ir.DoubleType(),
}  # fmt: skip


class Vector(types.Type):
    """Numba type of a SIMD vector with ``lanes`` numbers.

    All numbers have the type ``scalar``; a vector of booleans is a mask.
    """

    def __init__(self, scalar: Any, lanes: int) -> None:
        self.scalar, self.lanes = scalar, lanes
        super().__init__(name=f"Vector({scalar}, {lanes})")

    @property
    def key(self) -> Any:
        """Return the key that numba compares to decide whether two types are equal."""
        return self.scalar, self.lanes

    @property
    def llvm(self) -> Any:
        """Return the LLVM type of the vector."""
        return ir.VectorType(_LLVM[self.scalar], self.lanes)

    def of(self, scalar: Any) -> Vector:
        """Return the vector type with the same number of lanes but another scalar type."""
        return Vector(scalar, self.lanes)


@extending.register_model(Vector)
class _Model(extending.models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Vector) -> None:
        super().__init__(manager, kind, kind.llvm)


def _spread(builder: Any, value: Any, kind: Vector) -> Any:
    empty = ir.Constant(kind.llvm, ir.Undefined)
    first = builder.insert_element(empty, value, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), kind.lanes), [0] * kind.lanes)
    return builder.shuffle_vector(first, empty, zeros)


_FLOAT: dict[Any, Callable[..., Any]] = {
    operator.add: ir.IRBuilder.fadd,
    operator.sub: ir.IRBuilder.fsub,
    operator.mul: ir.IRBuilder.fmul,
    operator.truediv: ir.IRBuilder.fdiv,
    operator.lt: lambda builder, a, b: builder.fcmp_ordered("<", a, b),
}
_SIGNED: dict[Any, Callable[..., Any]] = {
    operator.add: ir.IRBuilder.add,
    operator.sub: ir.IRBuilder.sub,
    operator.and_: ir.IRBuilder.and_,
    operator.or_: ir.IRBuilder.or_,
    operator.xor: ir.IRBuilder.xor,
    operator.lshift: ir.IRBuilder.shl,
    operator.rshift: ir.IRBuilder.ashr,
    operator.lt: lambda builder, a, b: builder.icmp_signed("<", a, b),
    operator.eq: lambda builder, a, b: builder.icmp_signed("==", a, b),
}
_UNSIGNED = _SIGNED | {
    operator.rshift: ir.IRBuilder.lshr,
    operator.lt: lambda builder, a, b: builder.icmp_unsigned("<", a, b),
}
_TABLES = {
    types.float32: _FLOAT, types.float64: _FLOAT, types.int32: _SIGNED, types.uint32: _UNSIGNED,
}  # fmt: skip


def _vector(args: Any) -> Vector:
    return next(arg for arg in args if isinstance(arg, Vector))


def _add_operator(op: Any) -> None:
    @infer_global(op)
    class _Typing(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            if not any(isinstance(arg, Vector) for arg in args):
                return None
            kind = _vector(args)
            if op not in _TABLES[kind.scalar]:
                return None
            return_type = kind.of(types.boolean) if op in (operator.lt, operator.eq) else kind
            given = [arg if isinstance(arg, Vector) else kind.scalar for arg in args]
            return signature(return_type, *given)

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind = _vector(sig.args)
        pair = (
            value if isinstance(given, Vector) else _spread(builder, value, kind)
            for value, given in zip(args, sig.args, strict=True)
        )
        return _TABLES[kind.scalar][op](builder, *pair)

    for pair in ((Vector, Vector), (Vector, types.Any), (types.Any, Vector)):
        extending.lower_builtin(op, *pair)(lower)


for _op in _FLOAT | _SIGNED:
    _add_operator(_op)


def _pointer(context: Any, builder: Any, array: Any, kind: Vector, args: Any) -> Any:
    start = context.make_array(array)(context, builder, args[0]).data
    return builder.bitcast(builder.gep(start, [args[1]]), kind.llvm.as_pointer())


def reader(lanes: int) -> Any:
    """Return a compiled function ``read(array, at)`` that loads ``lanes`` numbers, starting at index ``at``.

    The array must be contiguous; bounds are not checked.
    """

    @_intrinsic
    def read(typing, array, at):
        kind = Vector(array.dtype, lanes)

        def make(context, builder, sig, args):
            vector = builder.load(_pointer(context, builder, sig.args[0], kind, args))
            vector.align = array.dtype.bitwidth // 8
            return vector

        return kind(array, types.intp), make

    return read


@_intrinsic
def put(typing, array, at, value):
    """Write a vector into a contiguous array, starting at index ``at``; bounds are not checked."""

    def make(context, builder, sig, args):
        done = builder.store(args[2], _pointer(context, builder, sig.args[0], value, args))
        done.align = array.dtype.bitwidth // 8
        return context.get_dummy_value()

    return types.void(array, types.intp, value), make


def spreader(lanes: int) -> Any:
    """Return a compiled function ``every(number)`` that returns a vector with ``number`` in all lanes."""

    @_intrinsic
    def every(typing, value):
        kind = Vector(value, lanes)
        return kind(value), lambda context, builder, sig, args: _spread(builder, args[0], kind)

    return every


@_intrinsic
def where(typing, mask, a, b):
    """Return a vector with the numbers of ``a`` where the mask is True, and the numbers of ``b`` elsewhere."""
    return a(mask, a, a), lambda context, builder, sig, args: builder.select(*args)


@_intrinsic
def any_of(typing, mask):
    """Return whether a mask is True in any lane."""

    def make(context, builder, sig, args):
        bits = builder.bitcast(args[0], ir.IntType(mask.lanes))
        return builder.icmp_unsigned("!=", bits, ir.Constant(bits.type, 0))

    return types.boolean(mask), make


@_intrinsic
def root(typing, a):
    """Return the square roots of the numbers in a vector."""

    def make(context, builder, sig, args):
        name = f"llvm.sqrt.v{a.lanes}f{a.scalar.bitwidth}"
        kind = ir.FunctionType(a.llvm, [a.llvm])
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), args)

    return a(a), make


@_intrinsic
def fused(typing, a, b, c):
    """Return a b + c for three vectors, with each element rounded only once (fused multiply-add).

    IEEE 754 defines every bit of the result, so the result does not depend on how the compiler optimises.
    """

    def make(context, builder, sig, args):
        name = f"llvm.fma.v{a.lanes}f{a.scalar.bitwidth}"
        kind = ir.FunctionType(a.llvm, [a.llvm] * 3)
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), args)

    return a(a, a, a), make


@_intrinsic
def total(typing, a):
    """Return the sum of the numbers in a vector, computed by repeatedly adding the two halves of the vector."""

    def make(context, builder, sig, args):
        value, lanes, index = args[0], a.lanes, ir.IntType(32)
        while lanes > 1:
            lanes //= 2
            empty, kind = ir.Constant(value.type, ir.Undefined), ir.VectorType(index, lanes)
            low, high = (
                builder.shuffle_vector(value, empty, ir.Constant(kind, list(range(at, at + lanes))))
                for at in (0, lanes)
            )
            value = builder.fadd(low, high)
        return builder.extract_element(value, ir.Constant(index, 0))

    return a.scalar(a), make


def _conversion(scalar: Any, signed: str, unsigned: str | None = None) -> Any:
    @_intrinsic
    def convert(typing, a):
        kind = a.of(scalar)
        name = unsigned if unsigned and a.scalar == types.uint32 else signed
        return kind(a), lambda context, builder, sig, args: getattr(builder, name)(
            args[0], kind.llvm
        )

    return convert


whole = _conversion(types.int32, "fptosi")  # towards 0
real = _conversion(types.float32, "sitofp", "uitofp")
double = _conversion(types.float64, "sitofp", "uitofp")
single = _conversion(types.float32, "fptrunc")
widened = _conversion(types.float64, "fpext")
as_float, as_int, as_word = (
    _conversion(scalar, "bitcast") for scalar in (types.float32, types.int32, types.uint32)
)
