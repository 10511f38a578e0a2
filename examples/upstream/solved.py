"""Paddock and OpenSpiel find the same exploitability of the equilibrium of the tiny task, and of levels."""

from open_spiel.python.algorithms import exploitability
from open_spiel.python.policy import Policy

from paddock.bots import bot
from paddock.envs import open_spiel
from paddock.lab import solve
from paddock.lab.equilibrium import bot_mixes
from paddock.tasks import task

tiny = task("rasant-tiny-2-v1")
solved = solve(tiny.title, tiny.test_set_up)
tree, game = solved.tree, open_spiel(tiny.title, tiny.test_set_up)


class OfTable(Policy):
    """A policy of OpenSpiel from a table: the text of an information state → action → chance."""

    def __init__(self, table):
        super().__init__(game, [0, 1])
        self.table = table

    def action_probabilities(self, state, player_id=None):
        return self.table[state.information_state_string(state.current_player())]


levels = {
    name: [bot_mixes(tree, player, bot(tiny.title, name), "1", 4).mean(0) for player in (0, 1)]
    for name in ("rookie", "club")
}
for name, mixes in {"equilibrium": solved.equilibrium.mixes, **levels}.items():
    here = tree.exploitability(*mixes)
    there = exploitability.exploitability(game, OfTable(tree.policy(*mixes)))
    print(f"{name}: {here:.9f} here, {there:.9f} by OpenSpiel")
    assert abs(here - there) < 1e-9
