// Scenes: a message of the server as one or more views to show, each followed by a pause.
import type { Played, View } from "../../server/protocol";
import type { Table, TableEvent } from "../../server/reducer";

/** Kind of the pause after a scene; `end` lasts until the player continues. */
export type Pause = "none" | "veto" | "play" | "team" | "reveal" | "trick" | "end";

export interface Scene {
  view: Table;
  /** The cards on the mat. A finished trick stays longer than in the view. */
  trick: Played[];
  winning: number | null;
  /** The trick is finished and moves to its winner. */
  taken: boolean;
  /** The round is over, and its result is shown. */
  ended: boolean;
  /** What happened in this scene, for the log and the live region. */
  events: LogEvent[];
  pause: Pause;
}

/** A finished trick, for the log: the server tells of it in the view, not as an event. */
export interface TrickWon {
  kind: "trick-won";
  seat: number;
  card: string;
  /** Number of the trick in the round, from 1. */
  trick: number;
}
/** A round begins here: a heading of the log. */
export interface RoundBegan {
  kind: "round-began";
  round: number;
}
/** A player is connected again, and a bot still plays for them: the server tells of the bot in the view. */
export interface OnlineAgain {
  kind: "online-again";
  seat: number;
}
export type LogEvent = TableEvent | TrickWon | RoundBegan | OnlineAgain;

/** A scene of a view in which nothing happens. */
export function stillScene(view: Table, events: LogEvent[] = [], pause: Pause = "none"): Scene {
  return {
    view,
    trick: view.game?.trick ?? [],
    winning: view.game?.winning ?? null,
    taken: false,
    ended: false,
    events,
    pause,
  };
}

const PAUSE_AFTER: Record<string, Pause> = { veto: "veto", team: "team", double: "team", play: "play" };

function pauseAfter(events: LogEvent[]): Pause {
  for (const event of events) {
    if (event.kind === "acted") return PAUSE_AFTER[event.action.split(" ")[1] ?? ""] ?? "none";
    if (event.kind === "revealed") return "reveal";
  }
  return "none";
}

/** The card that the events played. */
export function playedIn(events: LogEvent[]): Played | null {
  for (const event of events) {
    if (event.kind !== "acted") continue;
    const [seat, verb, card] = event.action.split(" ");
    if (verb === "play" && card) return { seat: Number(seat), card };
  }
  return null;
}

/** What happened since a view, as the log tells it: while a bot plays for somebody, they are online again and not back. */
export function toldSince(before: Table, events: readonly TableEvent[]): LogEvent[] {
  const stoodIn = new Set(before.seats.flatMap((seat, i) => (seat.is_stood_in ? [i] : [])));
  return events.map((event) => {
    if (event.kind === "stood-in") stoodIn.add(event.seat);
    if (event.kind === "reclaimed") stoodIn.delete(event.seat);
    return event.kind === "came-back" && stoodIn.has(event.seat) ? { kind: "online-again", seat: event.seat } : event;
  });
}

/** The scenes from one view to the next. */
export function scenes(before: Table, after: Table, happened: readonly TableEvent[]): Scene[] {
  const was = before.game;
  const is = after.game;
  const events = toldSince(before, happened);
  const played = playedIn(events);
  if (was && is && played) {
    if (is.past.length > was.past.length) return endOfRound(was, after, is, events);
    if (is.trick.length === 0 && is.last_trick.length > 0) return [takenScene(after, is, events), stillScene(after)];
  }
  return [stillScene(after, events, pauseAfter(events))];
}

/** The finished trick, still on the mat. */
function takenScene(view: Table, game: View, events: LogEvent[]): Scene {
  const { last_trick: trick, last_winner: winner, tricks } = game;
  const done = tricks.reduce((sum, n) => sum + n, 0);
  const told = [...events, ...trickWon(trick, winner, done)];
  return { ...stillScene(view, told, "trick"), trick, winning: winner, taken: true };
}

function trickWon(played: readonly Played[], winner: number | null, trick: number): TrickWon[] {
  const card = played.find(({ seat }) => seat === winner)?.card;
  return winner === null || card === undefined ? [] : [{ kind: "trick-won", seat: winner, card, trick }];
}

/** The log of the current round from the view, for a page that joins late. */
export function logOfRound(table: Table): LogEvent[] {
  const acted = (action: string): TableEvent => ({
    kind: "acted",
    action,
    seat: Number(action.split(" ")[0]),
    number: table.number,
    at: table.now,
  });
  return withRound([], withTricks((table.game?.actions ?? []).map(acted), table.game), table.game);
}

/** The log with further events; where they are of a new round, its heading comes before the first action of it. */
export function withRound(log: readonly LogEvent[], events: readonly LogEvent[], game: View | null): LogEvent[] {
  const last = log.flatMap((event) => (event.kind === "round-began" ? [event.round] : [])).at(-1);
  if (!game || events.length === 0 || last === game.round) return [...log, ...events];
  const actions = events.map((event) => (event.kind === "acted" ? event.action : null));
  const at = Math.max(0, actions.lastIndexOf(game.actions[0] ?? ""));
  return [...log, ...events.slice(0, at), { kind: "round-began", round: game.round }, ...events.slice(at)];
}

/** Events up to now, and after the last card of each trick of the current round a line for the trick. */
export function withTricks(events: readonly LogEvent[], game: View | null): LogEvent[] {
  const plays = (game?.actions ?? []).filter((action) => action.split(" ")[1] === "play");
  const log: LogEvent[] = [];
  for (const event of [...events].reverse()) {
    if (game && event.kind === "acted" && event.action === plays.at(-1)) {
      if (plays.length % game.players === 0) {
        const trick = plays.slice(-game.players).map((action): Played => {
          const [seat = "0", , card = ""] = action.split(" ");
          return { seat: Number(seat), card };
        });
        const number = plays.length / game.players;
        log.push(...trickWon(trick, game.trick_winners[number - 1] ?? null, number));
      }
      plays.pop();
    }
    log.push(event);
  }
  return log.reverse();
}

/**
 * The last trick, the result, then the next view. The server has already dealt the next round, unless the match is over,
 * and says in `last_round` how this one ended. The viewer's own cards of the ended round are known from before.
 */
function endOfRound(was: View, after: Table, is: View, events: LogEvent[]): Scene[] {
  const { chosen, received } = was;
  const game: View = { ...is, ...is.last_round, phase: "play", chosen, received };
  const over: Table = { ...after, status: "playing", game, asked: [], decision: null };
  return [takenScene(over, game, events), { ...stillScene(over, [], "end"), ended: true }, stillScene(after)];
}

/**
 * The result of the last finished round, from the results in the view: for a page that comes back after it. Bots may have
 * played on since; cards and tricks of the round in play are left out. None for a match that was given up.
 */
export function resultScene(table: Table): Scene | null {
  const game = table.game;
  const result = game?.past.at(-1);
  if (!game || !result || table.status === "closed") return null;
  const { scores, tricks, loot, conditions, sides, double, made_of: madeOf, tops, team_scores: teamScores } = result;
  const ended: View = {
    ...game,
    // What the view says of the round in play, and the result does not say of its own.
    last_trick: [],
    last_winner: null,
    trick_winners: [],
    piles: tops?.map((cards) => cards.map((card) => [card])) ?? null,
    ...game.last_round,
    phase: "play",
    turn: null,
    round: game.past.length,
    conditions: conditions ?? null,
    sides: sides ?? null,
    double: double ?? null,
    tricks: tricks ?? [],
    loot: loot ?? null,
    round_points: scores ?? [],
    teams: game.teams?.map((team, i) => ({ ...team, round_points: teamScores?.[i] ?? 0 })) ?? null,
    made_of: madeOf ?? null,
    hand: [],
    hand_sizes: game.hand_sizes.map(() => 0),
    trick: [],
    winning: null,
    legal: [],
    chosen: [],
    received: [],
  };
  const over: Table = {
    ...table,
    status: table.status === "over" ? "playing" : table.status,
    game: ended,
    asked: [],
    decision: null,
  };
  return { ...stillScene(over, [], "end"), ended: true };
}

/** Length of each pause in milliseconds at normal speed. */
export const PAUSES: Record<Pause, number> = {
  none: 0,
  veto: 650,
  play: 600,
  team: 1300,
  reveal: 1000,
  trick: 1500,
  end: Infinity,
};
