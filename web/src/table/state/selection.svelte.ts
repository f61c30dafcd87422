// What somebody is about to decide: whether they are asked, what they have picked, and its way to the server.
import { t, type Key } from "../../i18n/index.svelte";
import { choiceOf, type TableModel } from "./model";
import type { Session } from "./session.svelte";
import { buttonText } from "./text";

const NOTHING: readonly string[] = [];

export class Selection {
  readonly #session: () => Session;
  readonly #model: () => TableModel;
  /** What is picked, and for which decision: whatever else happens at the table, a pick stays until its decision is made. */
  #picks = $state.raw<{ decision: number | null; choices: readonly string[] }>({ decision: null, choices: NOTHING });

  constructor(session: () => Session, model: () => TableModel) {
    this.#session = session;
    this.#model = model;
  }

  /** Whether cards are chosen in secret, several at once. */
  readonly isSecret = $derived.by(() => ["discard", "pass", "lay"].includes(this.#model().game.phase));
  readonly isMine = $derived.by(() => {
    const session = this.#session();
    const { view, me } = this.#model();
    return (
      view.is_yours &&
      session.isCurrent &&
      view.decision !== null &&
      view.status === "playing" &&
      !session.isSending &&
      !view.seats[me]?.is_stood_in
    );
  });
  readonly legal = $derived.by(() => (this.isMine ? this.#model().game.legal : []));
  readonly choices = $derived.by(() => new Set(this.legal.map(choiceOf)));
  readonly needed = $derived.by(() => (this.isSecret ? this.#model().game.owed : 1));
  readonly picked = $derived.by(() =>
    this.isMine && this.#picks.decision === this.#model().view.decision ? this.#picks.choices : NOTHING,
  );
  readonly isReady = $derived.by(() => this.isMine && this.needed > 0 && this.picked.length === this.needed);
  /** What the button that decides says; nothing while there is nothing to decide. */
  readonly button = $derived.by(() => {
    const { people, low, game } = this.#model();
    if (!this.isReady) return "";
    return this.needed === 1
      ? buttonText(this.#actionOf(this.picked[0] ?? ""), people, low)
      : t(`give.${game.phase}` as Key);
  });

  set(choices: readonly string[]): void {
    this.#picks = { decision: this.#model().view.decision, choices };
  }

  /** A tap on something: pick it, put it back, or decide for it. What is not allowed is asked for all the same, to be told why. */
  pick(choice: string, isPicked: boolean): void {
    const session = this.#session();
    if (!this.isMine) return;
    session.refusal = null;
    if (!this.choices.has(choice)) {
      if (this.needed === 1) this.set(NOTHING);
      session.do({ do: "act", action: this.#actionOf(choice), decision: this.#model().view.decision });
    } else if (!isPicked) this.set(this.needed === 1 ? [choice] : [...this.picked, choice].slice(-this.needed));
    else if (this.needed === 1) this.act();
    else this.set(this.picked.filter((_, i) => i !== this.picked.indexOf(choice)));
  }

  act(): void {
    if (!this.isReady) return;
    const actions = this.picked.map((choice) => this.#actionOf(choice));
    this.set(NOTHING);
    this.#session().act(actions, this.isSecret ? null : this.#model().view.decision);
  }

  #actionOf(choice: string): string {
    const { me, game } = this.#model();
    return `${me} ${game.phase} ${choice}`;
  }
}
