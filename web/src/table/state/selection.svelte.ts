// The selection for the current decision: whether the player is asked, what they have picked, and sending it.
import { online } from "svelte/reactivity/window";
import { SECRET_PHASES } from "../../generated/names";
import { t, type Key } from "../../i18n/index.svelte";
import { choiceOf, type TableModel } from "./model";
import type { Session } from "./session.svelte";
import { buttonText } from "./text";

const NOTHING: readonly string[] = [];

export class Selection {
  readonly #session: () => Session;
  readonly #model: () => TableModel;
  /**
   * What is picked, and for which decision. It stays until that decision is made, whatever else happens at the table.
   */
  #picks = $state.raw<{ decision: number | null; choices: readonly string[] }>({ decision: null, choices: NOTHING });

  constructor(session: () => Session, model: () => TableModel) {
    this.#session = session;
    this.#model = model;
  }

  /** Whether several cards are chosen at once, in secret. */
  readonly isSecret = $derived.by(() => SECRET_PHASES.some((phase) => phase === this.#model().game.phase));
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
  /** What is picked; once decided, it stays where it was put until the server has answered. */
  readonly picked = $derived.by(() => {
    const session = this.#session();
    if (session.isSending) return session.sent.map(choiceOf);
    return this.isMine && this.#picks.decision === this.#model().view.decision ? this.#picks.choices : NOTHING;
  });
  /** It is decided, but the server cannot be told yet. */
  readonly isUnsent = $derived.by(() => {
    const session = this.#session();
    return session.isSending && (session.link === "lost" || online.current === false);
  });
  readonly isReady = $derived.by(() => this.isMine && this.needed > 0 && this.picked.length === this.needed);
  /** Label of the button that decides; empty while the selection is not complete. */
  readonly button = $derived.by(() => {
    const { people, low, game } = this.#model();
    if (!this.isReady) return "";
    return this.needed === 1
      ? buttonText(this.#actionOf(this.picked[0] ?? ""), people, low)
      : t(`button.these.${game.phase}` as Key);
  });

  set(choices: readonly string[]): void {
    this.#picks = { decision: this.#model().view.decision, choices };
  }

  /** A tap: picks, unpicks or decides. An illegal choice is sent too, because the server's refusal explains it. */
  pick(choice: string, isPicked: boolean): void {
    const session = this.#session();
    if (!this.isMine) return;
    session.refusal = null;
    if (!this.choices.has(choice)) {
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
