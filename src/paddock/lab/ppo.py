"""A learner by proximal policy optimization (PPO), in NumPy alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paddock.bots.network import Network

Floats = NDArray[np.float32]
CLIP = 0.2  # by how much the chance of a move may change in an update
NORM = 0.5  # the most that the gradients of a step are, all together
VALUE = 0.5  # the weight of the error of the value in what is made small
BETA = 0.9, 0.999  # of Adam
TINY = 1e-5
DECAY = 0.3  # of imitation: each step multiplies the matrices by 1 − DECAY · rate


@dataclass(frozen=True)
class Decisions:
    """What one player saw, could do, did and got; arrays whose first index is the decision."""

    inputs: Floats
    offsets: Floats  # what is added to the outputs
    chosen: NDArray[np.int64]
    advantages: Floats
    returns: Floats

    def part(self, rows: NDArray[np.int64]) -> Decisions:
        """Return some of them."""
        return Decisions(
            self.inputs[rows],
            self.offsets[rows],
            self.chosen[rows],
            self.advantages[rows],
            self.returns[rows],
        )


def log_chances(outputs: Floats, offsets: Floats) -> Floats:
    """Return the logarithm of the chance of every output."""
    sums = outputs + offsets
    sums -= sums.max(1, keepdims=True)
    sums -= np.log(np.exp(sums).sum(1, keepdims=True))
    return sums


@dataclass(frozen=True)
class Report:
    """How an epoch went: means over its decisions."""

    entropy: float
    change: float  # of the logarithm of the chances: the divergence from before the update
    error: float  # of the value, squared


State = list[list[Floats]]  # the parts of the weights, then the means and squares of their gradients


def mean(states: Sequence[State]) -> State:
    """Return the mean of the states of several learners."""
    return [
        [np.mean(parts, axis=0, dtype=np.float32) for parts in zip(*kinds, strict=True)]
        for kinds in zip(*states, strict=True)
    ]


@contextmanager
def one_core() -> Iterator[None]:
    """Keep NumPy on one core: it would wait in a loop for a second one that is busy."""
    from threadpoolctl import threadpool_limits  # of the extra ``fast``

    with threadpool_limits(limits=1):
        yield


class Learner:
    """Weights that learn, and the memory of Adam."""

    def __init__(self, network: Network, seed: int | list[int]) -> None:
        self.parts: list[Floats] = [part.copy() for layer in network.layers for part in layer]
        self._network = network
        self._means = [np.zeros_like(part) for part in self.parts]
        self._squares = [np.zeros_like(part) for part in self.parts]
        self._steps = 0
        self._rng = np.random.default_rng(seed)

    @property
    def state(self) -> State:
        """Copies of the weights and of what Adam remembers."""
        return [[part.copy() for part in parts] for parts in (self.parts, self._means, self._squares)]

    def go_on(self, state: State) -> None:
        """Go on from the state of another learner, or from the mean of several."""
        self.parts, self._means, self._squares = ([part.copy() for part in parts] for parts in state)

    @property
    def network(self) -> Network:
        """A copy of the network as it is now."""
        parts = [part.copy() for part in self.parts]
        layers = tuple(zip(parts[::2], parts[1::2], strict=True))
        return Network(layers, self._network.prior, 1.0)

    def learn(self, decisions: Decisions, rate: float, curiosity: float, epochs: int, size: int) -> Report:
        """Learn from decisions of the present weights: some epochs of batches of ``size``; on one core."""
        with one_core():
            return self._learn(decisions, rate, curiosity, epochs, size)

    def _learn(self, decisions: Decisions, rate: float, curiosity: float, epochs: int, size: int) -> Report:
        """Go over the decisions so many times in batches; return the means of the last time."""
        count = len(decisions.chosen)
        before = np.concatenate([self._chances_before(decisions, i, i + size) for i in range(0, count, size)])
        gains = (decisions.advantages - decisions.advantages.mean()) / (decisions.advantages.std() + 1e-6)
        decisions = Decisions(decisions.inputs, decisions.offsets, decisions.chosen, gains, decisions.returns)
        reports = []
        for _ in range(epochs):
            order = self._rng.permutation(count)
            for batch in np.array_split(order, max(1, count // size)):
                reports.append(self._step(decisions.part(batch), before[batch], rate, curiosity))
        last = reports[-max(1, count // size) :]
        return Report(
            *(float(np.mean([getattr(r, name) for r in last])) for name in ("entropy", "change", "error"))
        )

    def imitate(
        self, inputs: Floats, offsets: Floats, chosen: NDArray[np.int64], rate: float, size: int
    ) -> None:
        """Learn to make these choices: one epoch of batches of ``size``, with weights that decay."""
        chances = np.zeros_like(offsets)
        chances[np.arange(len(chosen)), chosen] = 1
        self.approach(inputs, offsets, chances, rate, size, DECAY)

    def approach(
        self, inputs: Floats, offsets: Floats, chances: Floats, rate: float, size: int, decay: float = 0.0
    ) -> None:
        """Learn to play moves with these chances: one epoch of batches of ``size``."""
        count = len(chances)
        for batch in np.array_split(self._rng.permutation(count), max(1, count // size)):
            batch_inputs = inputs[batch]
            first, second, outputs = self._forward(batch_inputs)
            slopes_back = np.zeros_like(outputs)
            slopes_back[:, :-1] = np.exp(log_chances(outputs[:, :-1], offsets[batch]))
            slopes_back[:, :-1] -= chances[batch]
            slopes_back /= len(batch)
            self._descend(self._gradients(batch_inputs, first, second, slopes_back), rate)
            for matrix in self.parts[::2]:
                matrix *= 1 - decay * rate

    def likeness(
        self, inputs: Floats, offsets: Floats, chosen: NDArray[np.int64]
    ) -> tuple[float, float, float]:
        """Return the mean of −log of the chance of these choices, how often each is the likeliest, and the
        entropy."""
        logs = log_chances(self._forward(inputs)[2][:, :-1], offsets)
        right = float((logs.argmax(1) == chosen).mean())
        entropy = float(-(np.exp(logs) * np.maximum(logs, -50)).sum(1).mean())
        return -float(logs[np.arange(len(chosen)), chosen].mean()), right, entropy

    def _forward(self, inputs: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the outputs of the three layers; the first two are not negative."""
        w1, b1, w2, b2, w3, b3 = self.parts
        first: Floats = inputs @ w1
        first += b1
        np.maximum(first, 0, out=first)
        second: Floats = first @ w2
        second += b2
        np.maximum(second, 0, out=second)
        last: Floats = second @ w3
        last += b3
        return first, second, last

    def _chances_before(self, decisions: Decisions, begin: int, end: int) -> Floats:
        outputs = self._forward(decisions.inputs[begin:end])[2][:, :-1]
        logs = log_chances(outputs, decisions.offsets[begin:end])
        return logs[np.arange(len(logs)), decisions.chosen[begin:end]]

    def _step(self, decisions: Decisions, before: Floats, rate: float, curiosity: float) -> Report:
        """Take one step of Adam down the gradient of PPO's loss."""
        rows = np.arange(len(decisions.chosen))
        first, second, outputs = self._forward(decisions.inputs)
        values = outputs[:, -1]
        logs = log_chances(outputs[:, :-1], decisions.offsets)
        chances = np.exp(logs)
        np.maximum(logs, -50, out=logs)  # illegal moves have the chance 0
        entropy = -(chances * logs).sum(1)
        change = logs[rows, decisions.chosen] - before
        ratio = np.exp(change)
        clipped = np.where(
            decisions.advantages > 0, ratio > 1 + CLIP, ratio < 1 - CLIP
        )  # clipped: no gradient
        push = np.where(clipped, 0, ratio * decisions.advantages)
        # Of the loss −push·log p(chosen) − curiosity·entropy by the sums of outputs and offsets
        slopes = chances * (push + curiosity * entropy)[:, None] + curiosity * chances * logs
        slopes[rows, decisions.chosen] -= push
        error = values - decisions.returns
        last_gradient = np.concatenate([slopes, VALUE * error[:, None]], 1)
        last_gradient /= len(rows)
        self._descend(self._gradients(decisions.inputs, first, second, last_gradient), rate)
        return Report(float(entropy.mean()), float((ratio - 1 - change).mean()), float((error**2).mean()))

    def _gradients(
        self, inputs: Floats, first: Floats, second: Floats, last_gradient: Floats
    ) -> list[Floats]:
        """Return the gradient of every part; ``last_gradient`` is that of the last outputs."""
        _, _, w2, _, w3, _ = self.parts
        to_second = last_gradient @ w3.T
        to_second *= second > 0
        to_first = to_second @ w2.T
        to_first *= first > 0
        return [
            inputs.T @ to_first,
            to_first.sum(0),
            first.T @ to_second,
            to_second.sum(0),
            second.T @ last_gradient,
            last_gradient.sum(0),
        ]

    def _descend(self, gradients: list[Floats], rate: float) -> None:
        """Move all weights down their gradients: Adam (Kingma and Ba 2015), with a limit on the gradient."""
        self._steps += 1
        norm = float(np.sqrt(sum(float((part**2).sum()) for part in gradients)))
        scale = min(1.0, NORM / (norm + TINY))
        step = rate * (1 - BETA[1] ** self._steps) ** 0.5 / (1 - BETA[0] ** self._steps)
        for part, mean, square, slope in zip(self.parts, self._means, self._squares, gradients, strict=True):
            slope *= scale
            mean += (1 - BETA[0]) * (slope - mean)
            square += (1 - BETA[1]) * (slope**2 - square)
            part -= step * mean / (np.sqrt(square) + TINY)
