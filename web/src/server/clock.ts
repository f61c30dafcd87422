// The server's clock, by which views name their times: ours and the difference heard at the last welcome.
let ahead = 0;
const ours = (): number => Date.now() / 1000;

/** The server says what time it is. */
export function setClock(time: number): void {
  ahead = time - ours();
}

/** Seconds, as the server counts them. */
export function serverNow(): number {
  return ours() + ahead;
}
