"""A network chooses a move, compiled. It sees what its player sees, in the title's short features.

A network has two hidden layers. ``Networks`` has several, for the players of a game. Most inputs are 0, and
half of the hidden numbers: the loops skip them, which is faster than products of whole matrices.
"""

# ruff: noqa: F403, F405

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, Any

from paddock.core.errors import OutOfBounds
from paddock.kernel.calls import Networks, Thought
from paddock.kernel.chance import by_chances
from paddock.kernel.mode import rule

if TYPE_CHECKING:  # globals that the loader adds
    from paddock.kernel.contract import *
    from paddock.kernel.loops import fence, written

ILLEGAL = -1e9  # in place of the offset of an output


@rule
def add_rows(inputs: Any, weights: Any, biases: Any, out: Any) -> None:
    """Write the products of the inputs with their rows of ``weights`` and the biases to ``out``."""
    size = out.shape[0]
    for j in range(size):
        out[j] = biases[j]
    for i in range(inputs.shape[0]):
        x = inputs[i]
        if x != 0:
            row = weights[i]
            for j in range(size):
                out[j] += x * row[j]


@rule
def rectify(row: Any) -> None:
    """Set what is below 0 to 0."""
    for j in range(row.shape[0]):
        if row[j] < 0:
            row[j] = 0


@rule
def think(nets: Networks, k: int, t: Thought) -> None:
    """Write the outputs of network ``k`` for ``t.inputs`` to ``t.outputs``; the last is the value."""
    hidden = nets.hidden[k]
    first = t.first[:hidden]
    second = t.second[:hidden]
    add_rows(t.inputs[: nets.inputs[k]], nets.w1[k], nets.b1[k], first)
    rectify(first)
    add_rows(first, nets.w2[k], nets.b2[k], second)
    rectify(second)
    add_rows(second, nets.w3[k], nets.b3[k], t.outputs)


@rule
def output_of(s: Any, g: Any, seat: int, move: int) -> int:
    """Return which output stands for a move: one of OUTPUTS."""
    k = output(s, g, seat, move)
    if k < 0 or k >= OUTPUTS:
        raise OutOfBounds("OUTPUTS", k + 1, OUTPUTS)
    return k


@rule
def short_look(s: Any, g: Any, seat: int, row: Any) -> None:
    """Write the observation of ``short_features.py`` to the first SHORT_FEATURES numbers of a buffer."""
    row[:] = 0
    fence(row, SHORT_FEATURES)
    observe_short(s, g, seat, row)
    n = written(row, SHORT_FEATURES)
    if n > SHORT_FEATURES:
        raise OutOfBounds("SHORT_FEATURES", n, SHORT_FEATURES)


@rule
def network_move(
    s: Any, g: Any, seat: int, out: Any, n: int, nets: Networks, k: int, t: Thought, rng: Any
) -> int:
    """Return which of the ``n`` legal moves in ``out`` network ``k`` plays, as an index; ``s`` is hidden.

    A move has the chance exp(output + offset); the offset is the network's ``prior`` for the move of the
    title's policy, 0 for others. ``sharp`` multiplies the sums: 1 samples the policy as it was learned, a
    large number plays its best move. Leaves inputs, outputs and the chance of each move in ``t``.
    """
    short_look(s, g, seat, t.inputs)
    think(nets, k, t)
    favoured = -1
    if nets.prior[k] != 0:
        for i in range(n):
            t.moves[i] = out[i]
        favoured = policy(s, g, seat, out, n, rng)
        for i in range(n):
            out[i] = t.moves[i]
    t.favoured[0] = favoured
    best = ILLEGAL
    for i in range(n):
        x = float(t.outputs[output_of(s, g, seat, out[i])])
        if out[i] == favoured:
            x += nets.prior[k]
        t.chances[i] = x
        best = max(best, x)
    for i in range(n):
        t.chances[i] = exp((t.chances[i] - best) * nets.sharp[k])
    return by_chances(rng, t.chances, n)
