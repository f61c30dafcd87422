// HTTP requests. An answer without success is thrown as a RequestError with the server's problem.
import type { NewTable, OpenedTable, Problem, Settings } from "./protocol";

export class RequestError extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(problem.message);
  }
}

export async function request<T>(method: "GET" | "POST" | "DELETE", path: string, body?: unknown): Promise<T> {
  const init: RequestInit = { method };
  if (body !== undefined)
    Object.assign(init, { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });
  const answer = await fetch(path, init);
  if (answer.status === 204) return undefined as T;
  const given: unknown = await answer.json().catch(() => ({ code: "no-answer", message: answer.statusText }));
  if (!answer.ok) throw new RequestError(answer.status, given as Problem);
  return given as T;
}

export async function openTable(settings: Settings): Promise<string> {
  const body: NewTable = { settings };
  return (await request<OpenedTable>("POST", "/api/tables", body)).table;
}
