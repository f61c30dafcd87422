"""Bit primitives: the only functions with two implementations, one compiled and one plain.

    popcount(x)   how many bits are set
    ctz(x)        index of the lowest set bit (x must not be 0)
    wrap(x)       x as a signed 64-bit number: what overflow does in compiled code

Masks never use bit 63, so that Python's unbounded integers and 64-bit machine words agree.
"""

from __future__ import annotations

from typing import Any

from atout.rules.jit import COMPILED, rule

if not COMPILED:

    def popcount(x: int) -> int:
        return int(x).bit_count()

    def ctz(x: int) -> int:
        x = int(x)
        return (x & -x).bit_length() - 1

    def wrap(x: int) -> int:
        return ((int(x) + (1 << 63)) & ((1 << 64) - 1)) - (1 << 63)

else:
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    @intrinsic
    def popcount(typingctx: Any, x: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word = ir.IntType(64)
            value = context.cast(builder, args[0], signature.args[0], types.int64)
            function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(word, [word]), "llvm.ctpop.i64")
            return builder.call(function, [value])

        return types.int64(types.int64), codegen

    @intrinsic
    def ctz(typingctx: Any, x: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word, flag = ir.IntType(64), ir.IntType(1)
            value = context.cast(builder, args[0], signature.args[0], types.int64)
            function = cgutils.get_or_insert_function(
                builder.module, ir.FunctionType(word, [word, flag]), "llvm.cttz.i64"
            )
            return builder.call(function, [value, ir.Constant(flag, 0)])

        return types.int64(types.int64), codegen

    @rule
    def wrap(x: int) -> int:
        return x


@rule
def nth_bit(mask: int, n: int) -> int:
    """Index of the n-th set bit, counted from 0 at the low end."""
    for _ in range(n):
        mask &= mask - 1
    return ctz(mask)
