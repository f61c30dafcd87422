// What somebody is about to decide: whether they are asked, what they have picked, and its way to the server.
import { t, type Key } from "../i18n/index.svelte";
import { thingOf, type Desk } from "./desk";
import type { Session } from "./session.svelte";
import { actionWords } from "./words";

const NOTHING: readonly string[] = [];

export class Choosing {
  readonly #session: () => Session;
  readonly #desk: () => Desk;
  /** What is picked, and for which decision: whatever else happens at the table, a pick stays until its decision is made. */
  #picks = $state.raw<{ decision: number | null; things: readonly string[] }>({ decision: null, things: NOTHING });

  constructor(session: () => Session, desk: () => Desk) {
    this.#session = session;
    this.#desk = desk;
  }

  /** Whether cards are chosen in secret, several at once. */
  readonly isSecret = $derived.by(() => ["discard", "pass", "lay"].includes(this.#desk().game.phase));
  readonly isMine = $derived.by(() => {
    const session = this.#session();
    const { view, me } = this.#desk();
    return view.is_yours && session.isCurrent && view.decision !== null && view.status === "playing" && !session.isSending && !view.seats[me]?.is_stood_in;
  });
  readonly legal = $derived.by(() => (this.isMine ? this.#desk().game.legal : []));
  readonly things = $derived.by(() => new Set(this.legal.map(thingOf)));
  readonly needed = $derived.by(() => (this.isSecret ? this.#desk().game.owed : 1));
  readonly picked = $derived.by(() => (this.isMine && this.#picks.decision === this.#desk().view.decision ? this.#picks.things : NOTHING));
  readonly isReady = $derived.by(() => this.isMine && this.needed > 0 && this.picked.length === this.needed);
  /** What the button that decides says; nothing while there is nothing to decide. */
  readonly button = $derived.by(() => {
    const { people, low, game } = this.#desk();
    if (!this.isReady) return "";
    return this.needed === 1 ? actionWords(this.#actionOf(this.picked[0] ?? ""), people, low, "do") : t(`give.${game.phase}` as Key);
  });

  set(things: readonly string[]): void {
    this.#picks = { decision: this.#desk().view.decision, things };
  }

  /** A tap on something: pick it, put it back, or decide for it. What is not allowed is asked for all the same, to be told why. */
  pick(thing: string, isPicked: boolean): void {
    const session = this.#session();
    if (!this.isMine) return;
    session.refusal = null;
    if (!this.things.has(thing)) {
      if (this.needed === 1) this.set(NOTHING);
      session.do({ do: "act", action: this.#actionOf(thing), decision: this.#desk().view.decision });
    } else if (!isPicked) this.set(this.needed === 1 ? [thing] : [...this.picked, thing].slice(-this.needed));
    else if (this.needed === 1) this.act();
    else this.set(this.picked.filter((_, i) => i !== this.picked.indexOf(thing)));
  }

  act(): void {
    if (!this.isReady) return;
    const actions = this.picked.map((thing) => this.#actionOf(thing));
    this.set(NOTHING);
    this.#session().act(actions, this.isSecret ? null : this.#desk().view.decision);
  }

  #actionOf(thing: string): string {
    const { me, game } = this.#desk();
    return `${me} ${game.phase} ${thing}`;
  }
}
