"""Learn to imitate a level from a data set of “paddock data make”, with JAX or PyTorch.

python imitate.py FOLDER                # the moves of Works, with JAX: pip install '.[fast,lab]' jax optax
python imitate.py FOLDER --with torch   # the same with PyTorch: pip install '.[fast,lab]' torch
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from pyarrow import dataset

import paddock
from paddock.lab.data import replayed_rows, stored_games

WIDTH, RATE, DECAY, BATCH = 128, 1e-3, 1e-2, 256
TESTED = 5  # one in so many deals is not learned, but shows how well it imitates
Arrays = tuple[Any, Any, Any]  # features (rows, numbers), masks (rows, moves), moves (rows,)
Network = Callable[[Any, Any], Any]  # features and masks → the likeliest moves


def load(folder: Path, level: str, actions: int) -> tuple[Arrays, Arrays, set[int]]:
    """The decisions of a level to learn from, those to test with, and the numbers of their games."""
    columns = ["game", "deal", "features", "legal", "move"]
    table = dataset.dataset(folder).to_table(columns, filter=dataset.field("level") == level).combine_chunks()
    if not len(table):
        raise SystemExit(f"{folder} has no decision of {level}")
    features, legal = (table[name].chunk(0) for name in ("features", "legal"))
    rows = features.flatten().to_numpy().reshape(len(table), -1)
    masks = np.zeros((len(table), actions), np.bool_)
    lengths = np.diff(legal.offsets.to_numpy())
    masks[np.repeat(np.arange(len(table)), lengths), legal.flatten().to_numpy()] = True
    moves, games = table["move"].to_numpy().astype(np.int64), table["game"].to_numpy()
    tested = table["deal"].to_numpy() % TESTED == TESTED - 1
    learned, kept = ((rows[part], masks[part], moves[part]) for part in (~tested, tested))
    return learned, kept, set(games[tested].tolist())


def with_jax(learned: Arrays, epochs: int, seed: int) -> Network:
    """A network with a hidden layer that was trained with JAX."""
    import jax
    import jax.numpy as jnp
    import optax

    def logits(weights: Any, rows: Any, masks: Any) -> Any:
        hidden = jax.nn.relu(rows @ weights["in"] + weights["bias"])
        return jnp.where(masks, hidden @ weights["out"], -1e9)  # illegal moves get the chance 0

    def loss(weights: Any, rows: Any, masks: Any, moves: Any) -> Any:
        losses = optax.softmax_cross_entropy_with_integer_labels(logits(weights, rows, masks), moves)
        return losses.mean()

    rng = np.random.default_rng(seed)
    inputs, outputs = learned[0].shape[1], learned[1].shape[1]
    weights: Any = {
        "in": rng.normal(size=(inputs, WIDTH)) / inputs**0.5,
        "bias": np.zeros(WIDTH),
        "out": rng.normal(size=(WIDTH, outputs)) * 0.01,
    }
    optimizer = optax.adamw(RATE, weight_decay=DECAY)
    state = optimizer.init(weights)

    @jax.jit
    def step(weights: Any, state: Any, *batch: Any) -> Any:
        changes, state = optimizer.update(jax.grad(loss)(weights, *batch), state, weights)
        return optax.apply_updates(weights, changes), state

    for batch in batches(learned, epochs, rng):
        weights, state = step(weights, state, *batch)
    return lambda rows, masks: np.asarray(logits(weights, rows, masks)).argmax(1)


def with_torch(learned: Arrays, epochs: int, seed: int) -> Network:
    """The same with PyTorch."""
    import torch

    torch.manual_seed(seed)
    inputs, outputs = learned[0].shape[1], learned[1].shape[1]
    net = torch.nn.Sequential(
        torch.nn.Linear(inputs, WIDTH), torch.nn.ReLU(), torch.nn.Linear(WIDTH, outputs)
    )
    optimizer = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=DECAY)

    def logits(rows: Any, masks: Any) -> Any:
        return net(torch.tensor(rows)).masked_fill(~torch.tensor(masks), -1e9)

    for rows, masks, moves in batches(learned, epochs, np.random.default_rng(seed)):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(logits(rows, masks), torch.tensor(moves)).backward()
        optimizer.step()
    return lambda rows, masks: logits(rows, masks).argmax(1).numpy()


def batches(learned: Arrays, epochs: int, rng: np.random.Generator) -> Any:
    """All decisions in another order for each epoch, some at a time."""
    for _epoch in range(epochs):
        order = rng.permutation(len(learned[0]))
        for at in range(0, len(order) - BATCH + 1, BATCH):
            yield tuple(array[order[at : at + BATCH]] for array in learned)


def main() -> None:
    """Train, and say how many moves are foreseen: by the network, and by Club in the same decisions."""
    parser = argparse.ArgumentParser(description="Imitate a level from a data set.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--level", default="works")
    parser.add_argument("--with", dest="library", choices=("jax", "torch"), default="jax")
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    title = next(stored_games(given.folder)).plan.title
    learned, (rows, masks, moves), games = load(given.folder, given.level, title.rules.ACTIONS)
    train = with_jax if given.library == "jax" else with_torch
    network = train(learned, given.epochs, given.seed)
    say(f"a network that learned {len(learned[0])} decisions", network(rows, masks) == moves)
    club, lots = paddock.bots.bot(title, "club"), paddock.Seeded(given.seed)
    foreseen = [
        club.choose(seen, row["seat"], seen.legal(row["seat"]), lots) == row["move"]
        for row, seen in replayed_rows(given.folder, games)
        if row["level"] == given.level
    ]
    say("Club", np.array(foreseen))


def say(who: str, foreseen: Any) -> None:
    """Print the share of the moves, with half the width of its 95 % interval."""
    share = foreseen.mean()
    error = 1.96 * (share * (1 - share) / len(foreseen)) ** 0.5
    print(f"{who} foresees {share:.1%} ± {error:.1%} of {len(foreseen)} moves")


if __name__ == "__main__":
    main()
