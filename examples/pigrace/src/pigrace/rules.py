"""Pig race: what may happen now, and what follows."""

from typing import Annotated

from paddock.kernel import CHANCE, Row, i8, record, rule, tell

MAX_SEATS, ACTIONS, OUTCOMES, MIN_SCORE, MAX_SCORE = 4, 2, 36, 0, 100
ROUNDS = 30
MAX_DECISIONS = ROUNDS * MAX_SEATS * 26  # PR-2.2 a roll that counts is 4 steps or more
ROLL, HOLD = range(2)  # moves
ROLLED, STANDS = 1, 2  # events


@record
class Setup:
    """PR-1.1 the options."""

    players: i8
    track: i8


@record
class State:
    """PR-1.1 a race. At the start, all numbers are 0."""

    round: i8
    turn: i8  # whose turn it is
    steps: i8  # of this turn
    rolling: i8  # 1 while the dice roll
    over: i8
    at: Annotated[Row, i8, MAX_SEATS]


@rule
def who(s: State, g: Setup) -> int:
    """PR-2.1 the pig whose turn it is, or the dice; PR-3.1 nobody after the race."""
    return 0 if s.over else 1 << (CHANCE if s.rolling else s.turn)


@rule
def legal(s: State, g: Setup, seat: int, out: Row) -> int:
    """PR-2.1 roll, or hold what has been rolled."""
    out[0], out[1] = ROLL, HOLD
    return 1 + int(s.steps > 0)


@rule
def apply(s: State, g: Setup, seat: int, move: int) -> None:
    """PR-2.1 roll or hold, or what the dice show."""
    s.rolling = int(seat != CHANCE and move == ROLL)
    if seat == CHANCE:
        one, other = move // 6 + 1, move % 6 + 1
        tell(s, ROLLED, s.turn, one, other)
        s.steps = s.steps + one + other if one > 1 and other > 1 else 0  # PR-2.2, PR-2.3
        s.over = int(s.at[s.turn] + s.steps >= g.track)  # PR-3.1
    if s.rolling or (seat == CHANCE and s.steps and not s.over):
        return
    s.at[s.turn] = min(g.track, s.at[s.turn] + s.steps)  # PR-2.4
    tell(s, STANDS, s.turn, s.at[s.turn])
    s.steps = 0
    s.turn = (s.turn + 1) % g.players
    s.round += int(s.turn == 0)
    s.over = int(s.over or s.round == ROUNDS)  # PR-3.2


@rule
def scores(s: State, g: Setup, out: Row) -> None:
    """PR-3.3 a pig scores its steps."""
    for seat in range(g.players):
        out[seat] = s.at[seat]
