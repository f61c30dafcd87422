// Calls the player whose turn it is: tab title and icon, a sound and a notification by choice.
import { t } from "../../i18n/index.svelte";
import type { Table } from "../../server/reducer";
import { notify, withdrawNotification } from "../../settings/notification";
import { play } from "../../settings/sound";

const ICON = "/icon.svg";
const ICON_OF_TURN = "/icon-turn.svg";

/** Whether a decision is asked of the viewer, and no bot makes it for them. */
export function isMyTurn(view: Table): boolean {
  const seat = view.is_yours && view.seat !== null ? view.seats[view.seat] : undefined;
  return view.status === "playing" && view.decision !== null && !!seat && !seat.is_stood_in && !seat.has_left;
}

/** The decisions asked of the players at this device. Cards that are chosen together are one. */
export function decisionsAsked(views: readonly (Table | null)[]): string[] {
  return views.flatMap((view) =>
    view && isMyTurn(view) && view.choice.length === 0 ? [`${view.seat} ${view.decision}`] : [],
  );
}

/** What the tab shows: for the frame around the page, which writes the title. */
export const turn = $state({ isMine: false });

/** Calls the players at this device. */
export class TurnCaller {
  #known: readonly string[] | null = null;

  /** `path`: where the table is, for the notification. */
  constructor(readonly path: string) {}

  /** Looks at their views of the table, whenever one changes. */
  see(views: readonly (Table | null)[], title: string): void {
    if (views.every((view) => view === null)) return;
    const isMine = views.some((view) => view !== null && isMyTurn(view));
    turn.isMine = isMine;
    const asked = decisionsAsked(views);
    const isNew = asked.some((one) => !this.#known?.includes(one));
    const isFirst = this.#known === null;
    this.#known = asked;
    if (!isMine) void withdrawNotification(this.path);
    if (!isNew) return;
    if (!isFirst) play("bell");
    void notify(t("lobby.your-turn"), title, this.path);
  }

  stop(): void {
    turn.isMine = false;
    void withdrawNotification(this.path);
  }
}

/** The icon of the tab. */
export function showIcon(isMine: boolean): void {
  document.querySelector('link[rel="icon"]')?.setAttribute("href", isMine ? ICON_OF_TURN : ICON);
}
