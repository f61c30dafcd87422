// What a viewer knows of a table, and how a message changes it. Pure: the same messages give the same table.
import {
  DEFAULTS,
  type Clock,
  type SeatView,
  type Settings,
  type TableView,
  type Told,
  type View,
  type Welcome,
} from "./protocol";

export type Seat = Required<SeatView>;
export type TableSettings = Required<Omit<Settings, "clock">> & { clock: Required<Clock> };
export interface Table extends Required<Omit<TableView, "seats" | "settings">> {
  seats: Seat[];
  settings: TableSettings;
}
export type TableEvent = NonNullable<Told["events"]>[number];

const seatOf = (seat: SeatView): Seat => ({ ...DEFAULTS.SeatView, ...seat });

function settingsOf(settings: Settings): TableSettings {
  return { ...DEFAULTS.Settings, ...settings, clock: { ...DEFAULTS.Clock, ...settings.clock } };
}

/** The whole view from a welcome message. */
export function fromWelcome(message: Welcome): Table {
  const { seats, settings, ...rest } = message.view;
  return { ...DEFAULTS.TableView, ...rest, seats: seats.map(seatOf), settings: settingsOf(settings) };
}

/** The view after a message: its fields replaced, those of the game too, and lists extended. */
export function applyDelta(table: Table, message: Told): Table {
  const { seats, settings, ...fields } = message.view as Partial<TableView>;
  const next: Table = { ...table, ...(fields as Partial<Table>) };
  if (seats) next.seats = seats.map(seatOf);
  if (settings) next.settings = settingsOf(settings);
  if (next.game) next.game = gameAfter(next.game, message);
  return next;
}

function gameAfter(game: View, message: Told): View {
  const next: View = { ...game, ...(message.game as Partial<View> | undefined) };
  for (const [name, more] of Object.entries(message.more ?? {})) {
    const key = name as keyof View;
    const list = next[key];
    if (Array.isArray(list)) Object.assign(next, { [key]: [...list, ...more] });
  }
  return next;
}
