// Plays matches of boardgame.io over loopback, four sockets per match, and prints one line of JSON about its server.
//
//   NODE_PATH=…/node_modules node drive.cjs --tables K --seconds S --warm W --rate R --server-core C
//
// With `--rate 1` each match makes one move per second; with `--rate 0` the next one as soon as the other three players
// have the last. The sockets are bare socket.io clients, which cost the driver less than the client of boardgame.io.
const { spawn } = require("node:child_process");
const path = require("node:path");
const { parseArgs } = require("node:util");
const { io } = require("socket.io-client");
const { legal, suit } = require("./game.cjs");

const names = ["tables", "seconds", "warm", "rate", "server-core", "port"];
const options = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
options.port.default = "8765";
const { values } = parseArgs({ options });
for (const name of names) {
  if (!Number.isFinite(Number(values[name]))) throw new Error(`--${name}: expected a number`);
  values[name] = Number(values[name]);
}
const { tables, seconds, warm, rate, port } = values;
const SYNC_MS = 120_000; // until all sockets must have their first state
const URL = `http://127.0.0.1:${port}`;

const now = () => Number(process.hrtime.bigint()) / 1e6;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const round = (value, digits) => Number(value.toFixed(digits));

// ------------------------------------------------------------------ the server

const server = spawn(
  "taskset",
  ["-c", String(values["server-core"]), process.execPath, "--expose-gc", path.join(__dirname, "server.cjs")],
  {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: { ...process.env, PORT: String(port), NODE_ENV: "production" },
  },
);
const asked = new Map();
let lastId = 0;

/** CPU time and memory of the server; with `collect` after a garbage collection. */
function usage(collect) {
  return new Promise((resolve) => {
    asked.set(++lastId, resolve);
    server.send({ id: lastId, collect });
  });
}

async function post(address, body) {
  const headers = { "content-type": "application/json" };
  const response = await fetch(URL + address, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response.json();
}

// ------------------------------------------------------------------ one match

// `ctx.turn` counts the moves of a match: it tells states apart.
class Match {
  constructor(id, credentials) {
    this.id = id;
    this.credentials = credentials;
    this.sockets = [];
    this.states = []; // the latest of each player
    this.turn = -1; // in which the last move was sent
    this.mover = null;
    this.seenBy = 0; // other players who have the state after it
    this.waiting = null; // the player who moves next, but has not got the latest state yet
  }

  connect(player, onMove) {
    const socket = io(`${URL}/trick`, { transports: ["websocket"], forceNew: true });
    socket.on("connect", () => socket.emit("sync", this.id, String(player), this.credentials[player], 4));
    socket.on("sync", (_, { state }) => this.take(player, state, onMove));
    socket.on("update", (_, state) => this.take(player, state, onMove));
    this.sockets[player] = socket;
  }

  take(player, state, onMove) {
    const known = this.states[player];
    if (known && state.ctx.turn <= known.ctx.turn) return;
    this.states[player] = state;
    if (this.mover === null || state.ctx.turn <= this.turn) return;
    if (player !== this.mover) {
      if (++this.seenBy === 3) onMove(this, now() - this.sentAt);
    } else if (this.waiting === player) this.move(player);
  }

  get isSeenByAll() {
    return this.seenBy === 3;
  }

  get next() {
    const latest = this.states.reduce((one, other) => (one.ctx.turn >= other.ctx.turn ? one : other));
    return Number(latest.ctx.currentPlayer);
  }

  /** Move now, or as soon as the player has the latest state: the winner of a trick may be its last mover. */
  moveWhenReady(player) {
    if (this.states[player].ctx.turn > this.turn) this.move(player);
    else this.waiting = player;
  }

  move(player) {
    const state = this.states[player];
    const led = state.G.trick.length ? suit(state.G.trick[0].card) : null;
    const [card] = legal(state.G.players[player].hand, led);
    const credentials = this.credentials[player];
    const payload = { type: "play", args: [card], playerID: String(player), credentials };
    Object.assign(this, { turn: state.ctx.turn, mover: player, seenBy: 0, waiting: null, sentAt: now() });
    const action = { type: "MAKE_MOVE", payload };
    this.sockets[player].emit("update", action, state._stateID, this.id, String(player));
  }
}

async function open() {
  const { matchID } = await post("/games/trick/create", { numPlayers: 4 });
  const credentials = [];
  for (let player = 0; player < 4; player++) {
    const body = { playerID: String(player), playerName: `p${player}` };
    credentials.push((await post(`/games/trick/${matchID}/join`, body)).playerCredentials);
  }
  return new Match(matchID, credentials);
}

// ------------------------------------------------------------------ the measurement

async function main() {
  await new Promise((resolve) => {
    server.on("message", (message) => {
      if (message.ready) return resolve();
      asked.get(message.id)(message);
      asked.delete(message.id);
    });
  });
  await sleep(300);
  const idle = (await usage(true)).memory.rss;
  let isMeasuring = false;
  let isOver = false;
  const delays = [];
  const matches = [];
  const onMove = (match, delay) => {
    if (isOver) return;
    if (isMeasuring) delays.push(delay);
    if (!rate) match.moveWhenReady(match.next);
  };
  for (let k = 0; k < tables; k++) matches.push(await open());
  for (const match of matches) for (let player = 0; player < 4; player++) match.connect(player, onMove);
  const begun = now();
  const isSynced = (match) => match.states.filter(Boolean).length === 4;
  while (!matches.every(isSynced)) {
    if (now() - begun > SYNC_MS) throw new Error(`${matches.filter(isSynced).length} of ${tables} matches have begun`);
    await sleep(50);
  }
  const connected = (await usage(true)).memory.rss;
  const timers = matches.map((match) => {
    if (!rate) return match.move(0);
    const pace = () => match.isSeenByAll && match.moveWhenReady(match.next);
    return setTimeout(() => {
      match.move(0);
      match.timer = setInterval(pace, 1000 / rate);
    }, (Math.random() * 1000) / rate);
  });
  await sleep(1000 * warm);
  const [before, start] = [await usage(false), now()];
  isMeasuring = true;
  await sleep(1000 * seconds);
  isMeasuring = false;
  const [spent, after] = [(now() - start) / 1000, await usage(false)];
  isOver = true;
  timers.forEach(clearTimeout);
  matches.forEach((match) => clearInterval(match.timer));
  const end = (await usage(true)).memory.rss;
  if (!delays.length) throw new Error("nobody moved");
  delays.sort((one, other) => one - other);
  const percentile = (share) => round(delays[Math.min(delays.length - 1, Math.floor(delays.length * share))], 1);
  const cpu = (after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system) / 1e3;
  const kb = (rss) => Math.round((rss - idle) / 1024 / tables);
  const report = {
    boardgame_io: require("boardgame.io/package.json").version,
    node: process.version,
    seconds: round(spent, 1),
    moves: delays.length,
    cpu_ms_per_move: round(cpu / delays.length, 3),
    seen_ms: [percentile(0.5), percentile(0.99)],
    kb_per_table: { connected: kb(connected), after: kb(end) },
  };
  process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0));
}

main().catch((error) => {
  console.error(error);
  server.kill();
  process.exit(1);
});
