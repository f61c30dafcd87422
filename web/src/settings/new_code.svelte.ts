// A recovery code that was made and that nobody has said to have: the server does not tell it again. It is kept in the
// memory of the page, never in storage, and the browser asks before it closes or reloads a page that has one.

let code = $state("");

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();

export const newCode = {
  get value(): string {
    return code;
  },
};

/** Keeps a code until it is noted; "" ends it. */
export function keepCode(made: string): void {
  code = made;
  if (made) addEventListener("beforeunload", warn);
  else removeEventListener("beforeunload", warn);
}
