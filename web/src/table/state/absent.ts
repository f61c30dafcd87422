// Players who are not there, at a table without a clock: the others decide whether a bot plays for them.
import type { Table } from "../../server/reducer";

/** The seats for which the players who are left may let a bot play; none if it is not theirs to decide. */
export function absentSeats(view: Table): number[] {
  const me = view.is_yours && view.seat !== null ? view.seats[view.seat] : undefined;
  if (!me || me.is_stood_in || me.has_left) return [];
  if (view.status !== "playing" || view.settings.clock.kind !== "none") return [];
  return view.seats.flatMap((seat, i) => (seat.kind === "person" && !seat.is_here && !seat.is_stood_in ? [i] : []));
}

/** Others who have left or for whom a bot plays, and nobody is asked about it; the key changes when that does. */
export function goneSeats(view: Table): { seat: number; key: string }[] {
  if (view.status !== "playing" && view.status !== "paused") return [];
  const asked = absentSeats(view);
  return view.seats.flatMap((one, seat) => {
    const isOther = one.kind === "person" && !(view.is_yours && view.seat === seat) && !asked.includes(seat);
    return isOther && (one.has_left || one.is_stood_in)
      ? [{ seat, key: `${seat} ${one.has_left} ${one.is_stood_in}` }]
      : [];
  });
}

/** Those of them for whom the table waits now, or who have left: the players are asked about them. */
export function seatsToAskFor(view: Table): number[] {
  if (view.offer) return [];
  return absentSeats(view).filter((seat) => view.seats[seat]?.has_left || view.asked.includes(seat));
}
