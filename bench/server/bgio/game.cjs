// Plain tricks for boardgame.io: 4 players, 52 cards, follow suit, the highest card of the led suit wins and leads next.
// After 52 cards they are dealt again, so that a connection can go on for the whole measurement.
const { INVALID_MOVE, PlayerView } = require("boardgame.io/core");

const suit = (card) => Math.floor(card / 13);

/** The cards of a hand that may be played; `led` is the suit of the trick, or null for its first card. */
function legal(hand, led) {
  const following = led === null ? [] : hand.filter((card) => suit(card) === led);
  return following.length ? following : hand;
}

function deal(G, random) {
  const deck = random.Shuffle([...Array(52).keys()]);
  G.players = {};
  for (let seat = 0; seat < 4; seat++) G.players[seat] = { hand: deck.slice(13 * seat, 13 * seat + 13) };
  G.trick = [];
  G.tricks = [0, 0, 0, 0];
  G.played = 0;
  G.next = 0;
}

function play({ G, playerID, random }, card) {
  const hand = G.players[playerID].hand;
  const led = G.trick.length ? suit(G.trick[0].card) : null;
  if (!legal(hand, led).includes(card)) return INVALID_MOVE;
  hand.splice(hand.indexOf(card), 1);
  G.trick.push({ player: Number(playerID), card });
  G.played++;
  G.next = (Number(playerID) + 1) % 4;
  if (G.trick.length === 4) {
    let best = G.trick[0];
    for (const one of G.trick) if (suit(one.card) === suit(best.card) && one.card > best.card) best = one;
    G.tricks[best.player]++;
    G.next = best.player;
    G.trick = [];
  }
  if (G.played === 52) {
    G.hands++;
    deal(G, random);
  }
}

const Game = {
  name: "trick",
  setup: ({ random }) => {
    const G = { hands: 0 };
    deal(G, random);
    return G;
  },
  playerView: PlayerView.STRIP_SECRETS,
  turn: { minMoves: 1, maxMoves: 1, order: { first: () => 0, next: ({ G }) => G.next } },
  moves: { play },
};

module.exports = { Game, legal, suit };
