// The server's clock, in which views give their times: the local clock plus the difference measured at the last
// welcome.
let ahead = 0;
const ours = (): number => Date.now() / 1000;

/** Sets the difference from the server's time. */
export function setClock(time: number): void {
  ahead = time - ours();
}

/** The server's time in seconds since 1970. */
export function serverNow(): number {
  return ours() + ahead;
}
