// A recovery code that was made and that nobody has said to have: the server does not tell it again. It is kept in the
// memory of the page, never in storage, and the browser asks before it closes or reloads a page that has one.
import type { NewCode } from "../server/protocol";

let code = $state("");
let unsure = $state.raw<NewCode | null>(null);

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();

export const newCode = {
  get value(): string {
    return code;
  },
  /** The same, if the server has not confirmed yet that it works: no answer came. */
  get unsure(): NewCode | null {
    return unsure;
  },
};

/** Keeps a code until it is noted; "" ends it. */
export function keepCode(made: string, notConfirmed: NewCode | null = null): void {
  code = made;
  unsure = notConfirmed;
  if (made) addEventListener("beforeunload", warn);
  else removeEventListener("beforeunload", warn);
}
