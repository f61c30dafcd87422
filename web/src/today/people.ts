// Who sits at a puzzle.
import { characterOf, placeFrom } from "../art/suits";
import { botName } from "../home/names";
import { t } from "../i18n/index.svelte";
import type { PuzzlePosition } from "../server/protocol";
import type { Person } from "../table/state/types";

/**
 * The reader is always the first character, as at a table of their own, and the others follow in the order of play. In a
 * position of a match of theirs everybody looks as they did there.
 */
export function peopleOf({ players, seat: me, mistake }: PuzzlePosition): Person[] {
  return Array.from({ length: players }, (_, seat) => {
    const isYou = seat === me;
    const place = mistake ? seat : placeFrom(me, seat, players);
    return { name: isYou ? t("seat.you") : botName(place), character: characterOf(place), bot: !isYou, isYou };
  });
}
