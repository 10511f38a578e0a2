"""What the entry points with many parameters take: one record each.

They are named tuples: Numba compiles them as it does single arguments, and finds them in its cache, because
this module is not copied for a title. A call takes a microsecond longer, so ``advance`` of vector.py, which
steps a single game, keeps its parameters.

``ss`` and ``gg`` are arrays of ``State.dtype`` and ``Setup.dtype``, ``rng`` is a random stream, ``out`` a
buffer for legal moves; ``eyes`` has, for each seat, the bitmask of the seats that its player owns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:  # plain rollouts take lists, and need no NumPy
    import numpy as np
    import numpy.typing as npt

    Numbers: TypeAlias = npt.NDArray[np.int64]
    Floats: TypeAlias = npt.NDArray[np.float64]
    Features: TypeAlias = npt.NDArray[np.float32]
    Flags: TypeAlias = npt.NDArray[np.bool_]

Records: TypeAlias = Any  # a structured array, or one record of it


class Networks(NamedTuple):
    """Networks: their weights and biases, and how they play. There is room for the most hidden numbers."""

    w1: Features  # by network, input and hidden number
    b1: Features
    w2: Features
    b2: Features
    w3: Features  # by network, hidden number and output
    b3: Features
    prior: Floats  # by network: what is added to the output of the policy's move
    sharp: Floats  # by network: what the outputs are multiplied by
    inputs: Numbers  # by network: how many numbers of the short features it reads, from the first one on
    hidden: Numbers  # by network: the numbers of each hidden layer


class Thought(NamedTuple):
    """The buffers of a network that thinks."""

    inputs: Features  # with more room, as all buffers that a title's functions write to
    first: Features  # hidden numbers
    second: Features
    outputs: Features  # one for each kind of move, and the value
    chances: Floats  # by legal move
    moves: Numbers
    favoured: Numbers  # one: the move of the policy, −1 if it was not asked


class SelfPlay(NamedTuple):
    """For ``self_play``: games between networks and levels, with the decisions of network 0."""

    ss: Records  # two states
    gg: Records
    by: Numbers  # by game and player: a network, or below 0 a level: −1 − its ``thirds``
    owners: Numbers  # by seat
    eyes: Numbers
    nets: Networks
    thought: Thought
    seed: int
    first: int  # the first game
    rngs: Numbers  # two streams
    out: Numbers
    wins: float  # what a win is worth in the reward
    points: float  # what a point is worth
    fade: float  # λ of the advantages
    # Written, by decision
    inputs: Features
    offsets: Features  # by output: what is added to it
    chosen: Numbers  # the output of the move
    seats: Numbers
    values: Features
    advantages: Features
    returns: Features  # what the network should have expected
    ahead: Floats  # a buffer: two numbers by seat
    # Written, by game and player
    rewards: Features


class Compete(NamedTuple):
    """For ``compete``: the games of a deal of a match."""

    ss: Records  # two states
    gg: Records
    parts: Numbers  # by game and player: ``thirds``, or from NETWORK on a network
    nets: Networks
    thought: Thought
    owners: Numbers  # by seat
    eyes: Numbers  # by player
    deal_seed: int
    rounds: Numbers  # the streams of ``deal_seed``
    bot_seed: int
    bots: Numbers  # the streams of ``bot_seed``, by game and player
    rng: Numbers  # two streams
    out: Numbers
    own: Numbers  # a stream for each player
    moves: Numbers  # room for every seat
    scores: Numbers  # written, by game, round and seat
    places: Numbers


class NoteGames(NamedTuple):
    """For ``note_games``: games between networks and levels, with all their decisions."""

    ss: Records  # two states
    gg: Records
    parts: Numbers  # by game and player: ``thirds``, or from NETWORK on a network
    nets: Networks
    thought: Thought
    owners: Numbers  # by seat
    eyes: Numbers  # by player
    deal_seed: int
    deals: Numbers  # by game: the stream of ``deal_seed``
    bot_seed: int
    bots: Numbers  # the streams of ``bot_seed``, by game and player
    rng: Numbers  # two streams
    out: Numbers
    own: Numbers  # a stream for each player
    short: bool  # whether ``features`` are the short ones
    sight: Features  # a buffer for them, with room for FENCED more
    # Written, by decision
    features: Features
    masks: Flags  # by move
    seats: Numbers
    moves: Numbers
    # Written, by game
    ends: Numbers  # the number of decisions up to its end
    scores: Numbers  # by seat
    places: Numbers


class ContestCall(NamedTuple):
    """For ``contest``: games between bots."""

    ss: Records  # two states more than there are games: a buffer, the game, and the end of every game
    gg: Records
    thirds: Numbers  # by seat
    eyes: Numbers
    seed: int
    first: int  # the first game
    rng: Numbers
    out: Numbers
    begins: Records  # written: the first state of a game in which a seat decides
    scores: Numbers  # written, by game and seat
    places: Numbers
    event_counts: Numbers  # written, with events: how often each was told, by game and code
    made: Numbers  # written: the decisions, by game


class PlaysOn(NamedTuple):
    """Who plays on in ``rollouts``, at all seats."""

    nets: Networks
    thought: Thought
    network: int  # of ``nets``; below 0: the policy
    slips: int  # one in so many of its moves is random; 0: none


class Rollouts(NamedTuple):
    """For ``rollouts``: moves that are tried in many worlds."""

    ss: Records  # four states; the second is that from which the moves are tried, hidden for ``knows``
    gg: Records
    knows: int
    seat: int  # whose ``moves`` are tried; NOBODY: the second state is played on as it is
    moves: Numbers  # below 0: that of whoever plays on; one number that is not used, if there is nobody
    eyes: Numbers
    by: PlaysOn
    seed: int
    first: int  # the first world
    worlds: int  # how many
    limit: int  # decisions of a game; 0: no limit
    rng: Numbers
    out: Numbers
    expected: Floats  # a buffer, by seat
    scores: Floats  # written, by move, world and seat
    places: Floats


class LookAhead(NamedTuple):
    """For ``look_ahead``: moves that are tried in worlds in which networks play on."""

    ss: Records  # four states; the second is that from which the moves are tried, hidden for ``knows``
    gg: Records
    knows: int
    seat: int  # whose ``moves`` are tried
    moves: Numbers
    owners: Numbers  # by seat
    eyes: Numbers
    casts: Numbers  # by cast and seat: a network
    nets: Networks
    thought: Thought
    seed: int
    first: int  # the first world
    wins: float  # what a win is worth in the reward
    points: float  # what a point is worth
    rng: Numbers
    out: Numbers
    rewards: Floats  # a buffer, by player
    values: Floats  # written, by move and world


class Survey(NamedTuple):
    """For ``survey``: deals that are played several times and measured."""

    ss: Records  # two states
    gg: Records
    thirds: Numbers  # by game and seat; from NETWORK on a network
    eyes: Numbers
    seeds: Numbers
    first: int  # the first deal
    repeats: int
    round_code: int  # of the event that begins a round; below 0: there is none
    gives: int  # 1: chance gives items to the seats before the first decision
    rng: Numbers
    out: Numbers
    far: Numbers  # a buffer, by seat
    moves_by: Numbers  # a buffer, by decision
    leader_by: Numbers  # a buffer, by decision
    # Written, by game
    scores: Numbers  # by seat
    places: Numbers
    event_counts: Numbers  # how often each event was told, by code
    numbers: Numbers
    turns: Numbers  # the order in which the seats first decided, from 1
    grid: Numbers  # the places in the first standing; 0 if two were level
    leaders: Numbers  # 1 + seat, at the start and after every part
    moves: Numbers  # the legal moves and the decisions of every part
    laps: Numbers  # by round and seat: the place at its beginning; 0 without one
    items: Numbers  # by seat and item: how many chance gave to the seat before the first decision


class StepGames(NamedTuple):
    """For ``step_games``: many games that are stepped together."""

    ss: Records  # one state more than there are games, a buffer
    gg: Records
    parts: Numbers  # by seat: ``thirds``, from NETWORK on a network, or who is asked
    nets: Networks
    thought: Thought
    lots: Numbers  # a buffer: the stream of a network's decision
    eyes: Numbers
    owners: Numbers  # by seat
    by_win: bool
    short: bool  # whether observations are those of ``short_features.py``
    seed: int
    stride: int
    games: Numbers  # the number of each game
    rngs: Numbers  # of each game: for chance, and for the opponents
    out: Numbers
    actions: Numbers
    # Written, by game
    turns: Numbers  # the seat that must decide
    observations: Features  # with room for FENCED numbers more, as ``finals``
    masks: Flags
    seats: Numbers  # the seat that was asked last
    rewards: Features  # by player
    dones: Flags
    finals: Features  # empty, or what the seat that was asked last sees at the end
