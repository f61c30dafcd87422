// What is kept on this device is text that anybody may have changed, an older page as well: read with care.

export const storage = typeof localStorage === "undefined" ? null : localStorage;

/** Stored text as data; null for what is missing or no JSON. */
export function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

/** Stored text as fields by name; none for what is no such thing. */
export function parseObject(text: string | null): Record<string, unknown> {
  const data = parseJson(text);
  return typeof data === "object" && data !== null && !Array.isArray(data) ? (data as Record<string, unknown>) : {};
}

/** A stored value where it is allowed, else the usual one. */
export function oneOf<T>(value: unknown, allowed: readonly T[], usual: T): T {
  return allowed.includes(value as T) ? (value as T) : usual;
}

/** A stored whole number where it lies between two others, else the usual one. */
export function integerIn(value: unknown, least: number, most: number, usual: number): number {
  return typeof value === "number" && Number.isInteger(value) && value >= least && value <= most ? value : usual;
}
