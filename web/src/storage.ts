// Reading localStorage. A stored text may have been changed by anybody, or written by an older page.

export const storage = typeof localStorage === "undefined" ? null : localStorage;

/** Stored text as data; null if it is missing or no JSON. */
export function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

/** Stored text as an object; empty if it is none. */
export function parseObject(text: string | null): Record<string, unknown> {
  const data = parseJson(text);
  return typeof data === "object" && data !== null && !Array.isArray(data) ? (data as Record<string, unknown>) : {};
}

/** A stored value if it is allowed, else the default. */
export function oneOf<T>(value: unknown, allowed: readonly T[], usual: T): T {
  return allowed.includes(value as T) ? (value as T) : usual;
}

/** A stored integer if it is in the range, else the default. */
export function integerIn<T>(value: unknown, least: number, most: number, usual: T): number | T {
  return typeof value === "number" && Number.isInteger(value) && value >= least && value <= most ? value : usual;
}
