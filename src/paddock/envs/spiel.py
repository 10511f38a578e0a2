"""The games for OpenSpiel. Importing this module registers ``paddock_lacorsa`` and so on, one for each title.

Chance is explicit. Seats that decide at the same time are asked one after another, and none sees what the
others have chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any
from urllib.parse import quote, unquote

import numpy as np
import numpy.typing as npt
import pyspiel

from paddock.core import state_text
from paddock.core.errors import BadMove, PaddockError, quoted, whole
from paddock.core.i18n import _, mark
from paddock.core.options import Options
from paddock.core.title import Title, titles
from paddock.core.told import Told, head_of
from paddock.core.transcript import UNKNOWN
from paddock.core.words import CHANCE, HIDDEN
from paddock.envs import structs
from paddock.envs.arguments import Reward, action_number, read, wins
from paddock.envs.play import PlayedSeries, kit_of
from paddock.envs.rewards import rewards
from paddock.kernel.source import Seeded
from paddock.kernel.vector import OVER

NONE, SINGLE = pyspiel.PrivateInfoType.NONE, pyspiel.PrivateInfoType.SINGLE_PLAYER
_registered: dict[str, pyspiel.GameType] = {}
USUAL_RECALL = 2048  # entries at most in the tensor of an information state, where nobody says how many
MOST_RECALL = 1 << 20
PLAYER_IDS = {CHANCE: int(pyspiel.PlayerId.CHANCE), OVER: int(pyspiel.PlayerId.TERMINAL)}


def load(
    title: Title | str, options: Mapping[str, Any] | None, reward: Reward, recall: int | None = None
) -> pyspiel.Game:
    """Return the game of a title with these options."""
    found_title, chosen = read(title, options)
    wins(reward)
    register(found_title)
    values: dict[str, Any] = {"options": _text(chosen), "reward": reward}
    if recall is not None:
        values["recall"] = _room(recall)
    return pyspiel.load_game(_registered[found_title.name].short_name, values)


def _room(recall: object) -> int:
    """Return how many entries a tensor has room for; raise ``PaddockError`` for what is no such number."""
    if (number := whole(recall)) is None or not 1 <= number <= MOST_RECALL:
        sentence = _("recall={recall}: give a whole number from 1 to {most}")
        raise PaddockError(sentence.format(recall=quoted(recall), most=MOST_RECALL))
    return number


def register(title: Title) -> None:
    """Register the game of a title in OpenSpiel, unless it is registered."""
    if title.name in _registered:
        return
    players = title.options.row_of(title.players_option).numbers
    game_type = pyspiel.GameType(
        short_name=f"paddock_{title.name}",
        long_name=f"{title.label} (Paddock)",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=players[-1],
        min_num_players=players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=title.rules.MAX_DECISIONS <= USUAL_RECALL,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"options": "", "reward": "points", "recall": 0},
    )
    game = type(f"{title.name}_game", (SpielGame,), {"title": title, "kind": game_type})
    pyspiel.register_game(game_type, game)  # a class: pyspiel would crash at exit when it releases a function
    _registered[title.name] = game_type


def _text(options: Options) -> str:
    """Return the options as one parameter: OpenSpiel does not allow commas, brackets and «=» in it."""
    return quote(options.text, safe=" /=").replace("=", ":")


def _values(text: str) -> dict[str, str]:
    words = (unquote(word.replace(":", "=")) for word in text.split())
    return {name: value for name, _equals, value in (word.partition("=") for word in words)}


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """A title with its options, for OpenSpiel. ``paddock.envs.open_spiel`` makes one."""

    title: Title
    kind: pyspiel.GameType

    def __init__(self, params: Mapping[str, Any]) -> None:
        title, self.options = read(self.title, _values(str(params.get("options", ""))))
        self.by_win = wins(str(params.get("reward", "points")))
        players, rounds, rules = self.options.players, self.options.rounds, title.rules
        seats = max(self.options.owners.count(player) for player in range(players))
        span = 1 if self.by_win else rounds * seats * (rules.MAX_SCORE - rules.MIN_SCORE)
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.ACTIONS,
            max_chance_outcomes=rules.OUTCOMES,
            num_players=players,
            min_utility=-span * (1 - 1 / players),
            max_utility=span * (1 - 1 / players),
            utility_sum=0.0,
            max_game_length=rules.MAX_DECISIONS * rounds,
        )
        super().__init__(self.kind, info, dict(params))
        self.asked_recall = params.get("recall", 0) or None  # None: as usual
        self.recall = (
            _room(self.asked_recall) if self.asked_recall else min(rules.MAX_DECISIONS * rounds, USUAL_RECALL)
        )
        # Of a row for an entry: whose it is, and the bits of what it is
        self.width = self.options.seats + 1 + max(rules.ACTIONS, rules.OUTCOMES).bit_length()
        self.setup = title.setup_of(self.options)
        self.kit = kit_of(title, self.options)
        self.head, self.everybody = head_of(title, self.options), (1 << self.options.seats) - 1
        self.heads = [head_of(title, self.options, player) for player in range(players)]
        self.first = [self.options.owners.index(player) for player in range(players)]
        self.begun = PlayedSeries(self.kit, asks_chance=True)
        self.begun.begin(0, 0)
        self.begun.shared = True

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the title, its options, the reward and the recall."""
        reward = "win" if self.by_win else "points"
        return load, (self.title, self.options.model_dump(), reward, self.asked_recall)

    def new_initial_state(self, struct: Mapping[str, Any] | str | None = None) -> SpielState:
        """Return the state at the start, before any chance; or that of which ``struct`` is the ``to_json()``.

        Raises ``PaddockError`` for what is no such struct, and ``BadMove`` for a history that cannot be.
        """
        state = SpielState(self)
        for action in structs.history(struct) if struct is not None else ():
            state.apply_action(action)
        return state

    def action_struct_spec(self) -> tuple[str, str]:
        """Return how an action is written as JSON, and an example: tools for language models ask for it."""
        return '{"move": string}', '{"move": "…"}'

    def ActionStruct(self, text: str) -> pyspiel.ActionStruct:  # the name that tools of OpenSpiel call
        """Return the struct of an action that is written as JSON."""
        state = _StructOfText(self)
        state.struct = structs.parsed(text)
        return state.action_to_struct(0, 0)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """Return an observer of what a player sees now, by default: see ``SpielObserver``.

        Raises ``PaddockError`` for all that was shown to others than one player.
        """
        if iig_obs_type is None:
            return SpielObserver(self, public=True, private=SINGLE, recall=False)
        public, private = iig_obs_type.public_info, iig_obs_type.private_info
        if iig_obs_type.perfect_recall and not (public and private == SINGLE):
            raise PaddockError(
                _("with perfect recall, an observer sees what one player was shown: set private_info to "
                  "SINGLE_PLAYER and public_info to True")
            )  # fmt: skip
        return SpielObserver(self, public, private, iig_obs_type.perfect_recall)


def _check(game: SpielGame, player: int) -> None:
    """Raise ``PaddockError`` if there is no such player."""
    if not 0 <= player < game.options.players:
        sentence = _("there is no player {player}: they are 0 to {last}")
        raise PaddockError(sentence.format(player=quoted(player), last=game.options.players - 1))


class GameHistory(Told):
    """What was told, and each time that the game was dealt again for a player."""

    __slots__ = ("dealt",)

    def __init__(self) -> None:
        super().__init__()
        self.dealt: list[tuple[int, int, PlayedSeries]] = []  # for whom, after how many entries, the state

    def __deepcopy__(self, memo: Any) -> GameHistory:
        copied = self.copy()
        copied.dealt = self.dealt[:]
        return copied

    def dealt_for_others(self, player: int) -> tuple[int, PlayedSeries] | None:
        """Return after how many entries it was last dealt again for another player, and the state: then
        ``player`` knows the whole state of then, and not what it was shown before."""
        return next(((since, play) for who, since, play in reversed(self.dealt) if who != player), None)


class SpielState(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    """A state of a game, for OpenSpiel. ``play`` has the rules' state; an action is the id of a move."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.play: PlayedSeries = game.begun
        self.told = GameHistory()

    def current_player(self) -> int:
        """Return the player who is asked, or the id of chance or of the end."""
        asked = self.play.asked
        return PLAYER_IDS[asked] if asked in PLAYER_IDS else self.play.kit.options.owners[asked]

    def is_chance_node(self) -> bool:
        """Return whether chance is asked."""
        return self.play.asked == CHANCE

    def is_terminal(self) -> bool:
        """Return whether the series is over."""
        return self.play.asked == OVER

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.play.choices)

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal actions of a player, by default of the one who is asked; or the chance outcomes.

        pyspiel's own method returns the same from ``_legal_actions``, with more calls.
        """
        return self._legal_actions(0) if player is None or player == self.current_player() else []

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """Return what a player sees now, by default the one who is asked.

        pyspiel's own method returns the same from the observer, but makes a new state to learn the size.
        """
        row = np.zeros(self.play.kit.features, np.float32)
        self.write(self.current_player() if player is None else player, row)
        return row.tolist()

    def information_state_tensor(self, player: int | None = None) -> list[float]:
        """Return what a player sees now, and every entry that it was shown; by default the one who is asked.

        Raises ``PaddockError`` if it was shown more entries than the game's ``recall``.
        """
        game, features = self.get_game(), self.play.kit.features
        row = np.zeros(features + game.recall * game.width, np.float32)
        player = self.current_player() if player is None else player
        self.write(player, row[:features], recall=True)
        self.write_entries(player, row[features:].reshape(game.recall, game.width))
        numbers: list[float] = row.tolist()
        return numbers

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the possible outcomes and their probabilities."""
        play = self.play
        weights = play.weights[: play.count].tolist()
        total = sum(weights)
        return sorted(
            [(id, weight / total) for id, weight in zip(play.choices, weights, strict=True) if weight]
        )

    def apply_action(self, action: Any) -> None:
        """Apply an integer of any type; raise ``BadMove`` for anything else, which pyspiel rounds."""
        super().apply_action(action_number(action))

    def child(self, action: Any) -> SpielState:
        """Return the state after an action."""
        copied: SpielState = self.clone()
        copied.apply_action(action)
        return copied

    def _apply_action(self, action: int) -> None:
        """Play an action of whoever is asked; first copy the series, if another state shares it."""
        if self.play.shared:
            self.play = deepcopy(self.play)
        play, by, before = self.play, self.play.asked, self.play.waiting
        if not play.take(by, action):
            raise BadMove(_("{action} is not possible here").format(action=action))
        self.told.append(by, action, play.shown.tolist(), before, play.waiting)

    def _action_to_string(self, player: int, action: int) -> str:
        game = self.get_game()
        text = game.title.text
        return str((text.outcome if player < 0 else text.move)(game.setup, action))

    def returns(self) -> list[float]:
        """Return the reward of every player; 0 before the end."""
        game, play = self.get_game(), self.play
        if play.asked != OVER:
            return [0.0] * game.options.players
        return rewards(game.options, play.rounds(), 0, game.by_win)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """Return a state that ``player`` cannot tell from this one; chance deals again what it cannot know.

        ``sampler`` returns a random number from 0 to 1. In the new state, the information states of the other
        players begin with what they see there. ``history()``, which pyspiel keeps, stays that of this state:
        a search that reads it knows all cards.
        """
        _check(self.get_game(), player)
        copied: SpielState = self.clone()
        play, history = copied.play, copied.told
        if play.asked == OVER:
            return copied
        play.deal_again(int(play.kit.views[player]), Seeded(int(sampler() * (1 << 53))))
        done = len(history.entries) - history.open
        seen_entries = [entry for entry in history.entries[done:] if entry[2][player] != HIDDEN]
        history.entries[done:], history.open = seen_entries, len(seen_entries)
        history.entries[:done] = [
            (by, HIDDEN if shown[player] == HIDDEN else id, shown) for by, id, shown in history.entries[:done]
        ]
        history.dealt.append((player, done, deepcopy(play)))
        return copied

    def information(self, player: int) -> str:
        """Return all that ``player`` was shown since the start, as text."""
        _check(self.get_game(), player)
        head = self.get_game().heads[player]
        if again := self.told.dealt_for_others(player):
            since, play = again
            return f"{head} state={_bytes(play, play.kit.views[player])}\n{self.told.text(player, since)}"
        return f"{head}\n{self.told.text(player)}"

    def observation(self, player: int) -> str:
        """Return what ``player`` sees now, as text: the seat that is asked, and the hidden state as bytes."""
        _check(self.get_game(), player)
        return self.seen_by(self.get_game().heads[player], self.play.kit.views[player])

    def seen_by(self, head: str, eyes: int) -> str:
        """Return the seat that is asked, and the state as ``eyes`` see it."""
        return f"{head} asked={self.play.asked} state={_bytes(self.play, eyes)}"

    def secrets(self, player: int) -> str:
        """Return the fields of the state of which ``player`` sees more than a spectator does."""
        _check(self.get_game(), player)
        shown, known = (
            state_text.values(self.play.seen(eyes).state) for eyes in (0, int(self.play.kit.views[player]))
        )
        return state_text.written({name: known[name] for name in known if known[name] != shown[name]})

    def write(
        self, player: int, row: npt.NDArray[np.float32], eyes: int | None = None, recall: bool = False
    ) -> None:
        """Write what ``player`` sees now to ``row``: for its seat that is asked, or else for its first; or
        what ``eyes`` would see in its place. With ``recall``, it leaves out who has chosen already in an open
        decision: nobody is told before its end."""
        play, game = self.play, self.get_game()
        _check(game, player)
        asked = play.asked
        asked_is_player = asked not in PLAYER_IDS and game.options.owners[asked] == player
        if recall and self.told.open:
            play = deepcopy(play)
            play.kit.kernel.one_undecide(play.ss, play.kit.gg, int(play.kit.views[player]))
        play.look(asked if asked_is_player else game.first[player], row, eyes)

    def write_entries(self, player: int, rows: npt.NDArray[np.float32]) -> None:
        """Write the entries that ``player`` was shown to ``rows``, one to a row: see ``SpielObserver``."""
        game, again = self.get_game(), self.told.dealt_for_others(player)
        entries = np.array(self.told.seen(player, again[0] if again else 0), np.int64).reshape(-1, 2)
        if len(entries) > len(rows):
            sentence = _("a player was shown {n} entries: load the game with recall={n} or more")
            raise PaddockError(sentence.format(n=len(entries)))
        seats, (by, what) = game.options.seats, entries.T
        rows[np.arange(len(entries)), np.where(by == CHANCE, seats, by)] = 1
        numbers = np.where(what == HIDDEN, 0, what + 1)
        bits = np.arange(game.width - seats - 1)
        rows[: len(entries), seats + 1 :] = numbers[:, None] >> bits & 1

    def _to_struct(self) -> dict[str, Any]:
        """Return the whole state, with all secrets: OpenSpiel makes ``to_struct`` and ``to_json`` of it."""
        game = self.get_game()
        return structs.state(
            game.title, self.play.seen(game.everybody), self.current_player(), self.history()
        )

    def _to_observation_struct(self, player: int) -> dict[str, Any]:
        """Return what a player sees now, in numbers and in words, and its moves if it is asked."""
        _check(self.get_game(), player)
        asked = self.play.asked if player == self.current_player() else None
        return structs.observation(self.play.seen(int(self.play.kit.views[player])), player, asked)

    def _action_to_struct(self, player: int, action: int) -> dict[str, str]:
        return {"outcome" if player < 0 else "move": self._action_to_string(player, action)}

    def _struct_to_actions(self, struct: Mapping[str, Any]) -> list[int]:
        """Return the action that a struct names, alone in a list; raise ``BadMove`` for what is none."""
        game, chance = self.get_game(), self.is_chance_node()
        return [structs.action(game.title, game.setup, struct, self.play.choices if chance else None)]

    def __str__(self) -> str:
        """Return the entries so far, with all secrets; ``?`` for what was dealt again."""
        return " ".join(
            f"{'c' if by == CHANCE else by}:{UNKNOWN if id == HIDDEN else id}"
            for by, id, _shown in self.told.entries
        )


class _StructOfText(SpielState):
    """A state that makes one struct, which was written elsewhere: OpenSpiel makes structs only in states."""

    struct: dict[str, Any]

    def _action_to_struct(self, player: int, action: int) -> dict[str, Any]:
        return self.struct


def _bytes(play: PlayedSeries, eyes: int) -> str:
    """Return the state as ``eyes`` see it, without the secret choices of others in an open decision.

    Nobody can know whether the others have chosen yet: a state that is dealt again asks them later.
    """
    play.ss[1] = play.ss[0]
    play.kit.kernel.one_undecide(play.ss[1:], play.kit.gg, int(eyes))
    return str(play.kit.title.rules.State().load(play.ss[1]).present().hex())


_NO_TENSOR = mark(
    "there is no tensor of this: take string_from, or an observer of what all see, or of what one player sees"
)


class SpielObserver:
    """What can be seen, as ``open_spiel.python.observation`` asks for it: what all see (``public``), and what
    one player, all players or nobody sees besides (``private``).

    With ``recall`` it is all that a player was shown since the start. A tensor is what a player, or a
    spectator in its place, sees now; with ``recall`` also every entry that the player was shown, in a row of
    zeros and ones: which seat moved, or chance; and the bits of one more than the number of the move or
    outcome, the lowest first, 0 for what is hidden. There is no tensor of what a player sees besides what all
    see, and none of all players together.
    """

    def __init__(self, game: SpielGame, public: bool, private: Any, recall: bool) -> None:
        self.public, self.private, self.recall = public, private, recall
        self.tensor: npt.NDArray[np.float32] | None = None
        self.dict: dict[str, npt.NDArray[np.float32]] = {}
        if public and private in (NONE, SINGLE):
            features = game.kit.features
            self.tensor = np.zeros(features + game.recall * game.width * recall, np.float32)
            self.dict = {"observation": self.tensor[:features]}
            if recall:
                self.dict["entries"] = self.tensor[features:].reshape(game.recall, game.width)

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what is seen to ``tensor``; raise ``PaddockError`` if there is none, or no room."""
        if self.tensor is None:
            raise PaddockError(_(_NO_TENSOR))
        state.write(player, self.dict["observation"], 0 if self.private == NONE else None, self.recall)
        if self.recall:
            self.dict["entries"][:] = 0
            state.write_entries(player, self.dict["entries"])

    def string_from(self, state: SpielState, player: int) -> str:
        """Return what is seen as text."""
        if self.recall:
            return state.information(player)
        game = state.get_game()
        if self.private == NONE:
            return state.seen_by(game.head, 0) if self.public else ""
        if self.private == SINGLE:
            return state.observation(player) if self.public else state.secrets(player)
        return state.seen_by(game.head, game.everybody)


for _title in titles().values():
    register(_title)
