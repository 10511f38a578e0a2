/**
 * A game for four on boardgame.io, as large as LACORSA, for scripts/load.py.
 *
 * Four hands of 13 cards. All play a card at the same time to line up. Then, from the back to the front, a car and
 * the one ahead of it play a card each at the same time, and the higher one is ahead; the leader plays one alone.
 * A race ends with the lap in which a hand is empty. Hands, and cards before they are revealed, are hidden.
 *
 * Everything that only costs is off: undo, turns with events of their own, views with labels. FLATFILE_DIR chooses
 * the store: boardgame.io reads it itself.
 */
const { INVALID_MOVE, PlayerView } = require("boardgame.io/core");
const { Server } = require("boardgame.io/server");

const SEATS = [0, 1, 2, 3];
const SUIT = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
const POINTS = [9, 6, 4, 3];

/** Deal the cards of a race; all four line up. */
function deal(G, random) {
  const deck = random.Shuffle(SEATS.flatMap(() => SUIT));
  G.players = {};
  for (const seat of SEATS) {
    G.players[seat] = { hand: deck.slice(13 * seat, 13 * seat + 13).sort((a, b) => a - b), card: null };
  }
  G.cars = SEATS.map((seat) => ({ seat, cards: 13, committed: false, revealed: null }));
  G.order = [];
  G.discard = SUIT.map(() => 0);
  Object.assign(G, { phase: "line-up", lap: 0, turn: null, defender: null, awaited: [...SEATS] });
}

/** Let the car at this place of the order have its turn, or the next one ahead that can. */
function turn(G, place, random) {
  for (; place >= 0; place -= 1) {
    const asked = G.order.slice(Math.max(0, place - 1), place + 1);
    if (!asked.every((seat) => G.cars[seat].cards)) continue;
    const [first, last] = [asked[0], asked.at(-1)];
    const phase = asked.length > 1 ? "challenge" : "discard";
    return Object.assign(G, { phase, turn: last, defender: asked.length > 1 ? first : null, awaited: asked });
  }
  return lap(G, random);
}

/** Begin a lap, a race or the end. */
function lap(G, random) {
  if (G.cars.every((car) => car.cards)) {
    G.lap += 1;
    return turn(G, G.order.length - 1, random);
  }
  G.order.forEach((seat, place) => {
    G.totals[seat] += POINTS[place];
  });
  G.rounds.push([...G.order]);
  if (G.rounds.length < G.races) deal(G, random);
  else Object.assign(G, { phase: "over", turn: null, defender: null, awaited: [] });
  return G;
}

/** Reveal the cards that all who were asked have played. */
function reveal(G, asked, random) {
  const played = asked.map((seat) => G.players[seat].card);
  asked.forEach((seat, at) => {
    G.players[seat].card = null;
    G.discard[played[at]] += 1;
    Object.assign(G.cars[seat], { committed: false, revealed: played[at] });
  });
  if (G.phase === "line-up") {
    G.order = [...asked].sort((a, b) => played[b] - played[a] || a - b);
    return lap(G, random);
  }
  const place = G.order.indexOf(G.turn);
  if (G.phase === "challenge" && played[1] > played[0]) {
    [G.order[place - 1], G.order[place]] = [G.turn, G.defender];
    return turn(G, place - 2, random);
  }
  return turn(G, place - 1, random);
}

function play({ G, playerID, random }, card) {
  const seat = Number(playerID);
  const at = G.players[seat].hand.indexOf(card);
  if (!G.awaited.includes(seat) || at < 0) return INVALID_MOVE;
  G.players[seat].hand.splice(at, 1);
  G.players[seat].card = card;
  Object.assign(G.cars[seat], { cards: G.cars[seat].cards - 1, committed: true });
  const left = G.awaited.filter((other) => other !== seat);
  if (left.length) G.awaited = left;
  else reveal(G, G.phase === "line-up" ? SEATS : [G.defender, G.turn].filter((one) => one !== null), random);
  return undefined;
}

const game = {
  name: "race",
  disableUndo: true,
  turn: { activePlayers: { all: "" } }, // play() itself knows who is asked
  setup: ({ random }, { races, open }) => {
    const G = { races, open, rounds: [], totals: [0, 0, 0, 0] };
    deal(G, random);
    return G;
  },
  moves: { play: { move: play, client: false, redact: true } },
  endIf: ({ G }) => (G.phase === "over" ? { totals: G.totals } : undefined),
  // An open table has one client, which plays all hands.
  playerView: (seen) => (seen.G.open ? seen.G : PlayerView.STRIP_SECRETS(seen)),
};

const server = Server({ games: [game], origins: [] });
const listen = server.app.listen.bind(server.app);
server.app.listen = (port, done) => listen(port, "127.0.0.1", done);
server.run({ port: 0 }).then(({ appServer }) => {
  // Every two minutes it looks for files that have expired, and dies where it meets one that is half written.
  if (process.env.FLATFILE_DIR) require("node-persist").stopExpiredKeysInterval();
  console.log(`boardgame.io is at http://127.0.0.1:${appServer.address().port}/`);
});
