// What waits for an answer of this guest: invitations to tables, and requests to be friends.
import type { InvitationEntry, News } from "../server/protocol";
import { request, RequestError } from "../server/request";
import { parseObject, storage } from "../storage";

const KEY = "atout.news";
const NOTHING: News = { invitations: [], requests: 0 };

function stored(): News {
  const found = parseObject(storage?.getItem(KEY) ?? null);
  const { invitations, requests } = found;
  return Array.isArray(invitations)
    ? { invitations: invitations as InvitationEntry[], requests: Number(requests) || 0 }
    : NOTHING;
}

let current = $state.raw<News>(stored());

export const news = {
  /** As the server said last; before its first answer, as this device knew it last, so that nothing moves then. */
  get invitations(): readonly InvitationEntry[] {
    return current.invitations;
  },
  get isWaiting(): boolean {
    return current.requests > 0 || current.invitations.length > 0;
  },
};

export async function loadNews(): Promise<void> {
  let found = NOTHING;
  try {
    found = await request<News>("GET", "/api/people/news");
  } catch (error) {
    if (!(error instanceof RequestError && error.status === 401)) throw error;
  }
  noteNews(found);
}

/** Takes in what the server says; nothing: the device has another guest from now on. */
export function noteNews(found: News = NOTHING): void {
  if (JSON.stringify(found) === JSON.stringify(current)) return;
  current = found;
  if (news.isWaiting) storage?.setItem(KEY, JSON.stringify(found));
  else storage?.removeItem(KEY);
}
