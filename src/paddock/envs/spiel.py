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
from paddock.core.errors import BadMove, PaddockError, quoted
from paddock.core.i18n import _, mark
from paddock.core.options import Options
from paddock.core.title import Title, titles
from paddock.core.transcript import UNKNOWN
from paddock.core.words import CHANCE, HIDDEN
from paddock.envs.arguments import Reward, action_number, read, wins
from paddock.envs.play import PlayedSeries, kit_of
from paddock.envs.rewards import rewards
from paddock.kernel.source import Seeded
from paddock.kernel.vector import OUTSIDE, OVER

NONE, SINGLE = pyspiel.PrivateInfoType.NONE, pyspiel.PrivateInfoType.SINGLE_PLAYER
_registered: dict[str, pyspiel.GameType] = {}
PLAYER_IDS = {CHANCE: int(pyspiel.PlayerId.CHANCE), OVER: int(pyspiel.PlayerId.TERMINAL)}


def load(title: Title | str, options: Mapping[str, Any] | None, reward: Reward) -> pyspiel.Game:
    """Return the game of a title with these options."""
    found_title, chosen = read(title, options)
    wins(reward)
    register(found_title)
    return pyspiel.load_game(
        _registered[found_title.name].short_name, {"options": _text(chosen), "reward": reward}
    )


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
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"options": "", "reward": "points"},
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
        self.setup = title.setup_of(self.options)
        self.kit = kit_of(title, self.options)
        head = f"{title.name}/{title.revision} {self.options.text}"
        self.head, self.everybody = head, (1 << self.options.seats) - 1
        self.heads = [f"{head} {title.player_name}={player + 1}" for player in range(players)]
        self.first = [self.options.owners.index(player) for player in range(players)]
        self.begun = PlayedSeries(self.kit, np.full(self.options.seats, OUTSIDE), asks_chance=True)
        self.begun.begin(0, 0)
        self.begun.shared = True

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the title, its options and the reward."""
        return load, (self.title, self.options.model_dump(), "win" if self.by_win else "points")

    def new_initial_state(self, position: str | None = None) -> SpielState:
        """Return the state at the start, before any chance. Raises ``PaddockError`` if given a position."""
        if position is not None:
            raise PaddockError(_("games start at their beginning: use deserialize_state for another state"))
        return SpielState(self)

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


class GameHistory:
    """The entries of a game, and what each player saw of them.

    The entries of an open simultaneous decision are shown to others when it is over, in the order of seats.
    """

    __slots__ = ("dealt", "entries", "open")

    def __init__(self) -> None:
        self.entries: list[tuple[int, int, list[int]]] = []  # by, what, and what each player sees of it
        self.open = 0  # how many of the last entries belong to an open simultaneous decision
        self.dealt: list[
            tuple[int, int, PlayedSeries]
        ] = []  # each time it was dealt again: for whom, after how many
        # entries, and the state

    def append(self, by: int, id: int, shown: list[int], before: int, after: int) -> None:
        """Add an entry; ``before`` and ``after`` it, these seats must decide."""
        other_deciders = before & ~(1 << by)
        self.entries.append((by, id, shown))
        if by != CHANCE and other_deciders and after == other_deciders:
            self.open += 1
        elif self.open:
            last = len(self.entries) - self.open - 1
            block = sorted((by, id) for by, id, _shown in self.entries[last:])
            self.entries[last:] = [(by, id, [id] * len(shown)) for by, id in block]
            self.open = 0

    def text(self, player: int, since: int) -> str:
        """Return the entries from ``since`` on as a player saw them: ``seat:move``, and ``c:outcome``."""
        done = len(self.entries) - self.open
        return " ".join(
            f"{'c' if by == CHANCE else by}:{UNKNOWN if shown[player] == HIDDEN else shown[player]}"
            for i, (by, _what, shown) in enumerate(self.entries[since:], since)
            if i < done or shown[player] != HIDDEN
        )

    def __deepcopy__(self, memo: Any) -> GameHistory:
        copied = object.__new__(GameHistory)
        copied.entries, copied.open, copied.dealt = self.entries[:], self.open, self.dealt[:]
        return copied


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

        It does what pyspiel makes of ``_legal_actions``, with fewer calls.
        """
        return self._legal_actions(0) if player is None or player == self.current_player() else []

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """Return what a player sees now, by default the one who is asked.

        It does what pyspiel makes of the observer; but pyspiel also makes a new state, to learn the size.
        """
        row = np.zeros(self.play.kit.features, np.float32)
        self.write(self.current_player() if player is None else player, row)
        return row.tolist()

    def information_state_tensor(self, player: int | None = None) -> list[float]:
        """Raise ``PaddockError``: all that a player was shown has no bounded number of entries."""
        raise PaddockError(_(_NO_TENSOR))

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
        head, history = self.get_game().heads[player], self.told
        for who, since, play in reversed(history.dealt):
            if who != player:  # it was dealt again for another: this one knows the whole state of then
                views = play.kit.views
                return f"{head} state={_bytes(play, views[player])}\n{history.text(player, since)}"
        return f"{head}\n{history.text(player, 0)}"

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

    def write(self, player: int, row: npt.NDArray[np.float32], eyes: int | None = None) -> None:
        """Write what ``player`` sees now to ``row``: for its seat that is asked, or else for its first; or
        what ``eyes`` would see in its place."""
        play, game = self.play, self.get_game()
        _check(game, player)
        asked = play.asked
        asked_is_player = asked not in PLAYER_IDS and game.options.owners[asked] == player
        play.look(asked if asked_is_player else game.first[player], row, eyes)

    def __str__(self) -> str:
        """Return the entries so far, with all secrets; ``?`` for what was dealt again."""
        return " ".join(
            f"{'c' if by == CHANCE else by}:{UNKNOWN if id == HIDDEN else id}"
            for by, id, _shown in self.told.entries
        )


def _bytes(play: PlayedSeries, eyes: int) -> str:
    """Return the state as ``eyes`` see it, without the secret choices of others in an open decision: they are
    asked before it, or after it in a state that is drawn again."""
    play.ss[1] = play.ss[0]
    play.kit.kernel.one_undecide(play.ss[1:], play.kit.gg, int(eyes))
    return str(play.kit.title.rules.State().load(play.ss[1]).present().hex())


_NO_TENSOR = mark(
    "there is no tensor of all that a player was shown: take information_state_string, or observation_tensor "
    "for what it sees now"
)


class SpielObserver:
    """What can be seen, as ``open_spiel.python.observation`` asks for it: what all see (``public``), and what
    one player, all players or nobody sees besides (``private``).

    With ``recall`` it is a text of all that a player was shown since the start. A tensor is what a player, or
    a spectator in its place, sees now. What a player sees besides what all see has none, nor have all players
    together, nor all that was shown.
    """

    def __init__(self, game: SpielGame, public: bool, private: Any, recall: bool) -> None:
        self.public, self.private, self.recall = public, private, recall
        bounded = public and private in (NONE, SINGLE) and not recall
        self.tensor = np.zeros(game.kit.features, np.float32) if bounded else None
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what is seen to ``tensor``; raise ``PaddockError`` if there is none."""
        if self.tensor is None:
            raise PaddockError(_(_NO_TENSOR))
        state.write(player, self.tensor, 0 if self.private == NONE else None)

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
