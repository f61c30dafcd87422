// Keeping a name: requests for passkeys, recovery codes and sessions, and the browser's part in them.
import { has, t, type Key } from "../i18n/index.svelte";
import { guest } from "../server/guest.svelte";
import type { AccountAnswer, NewCode, Options, SignedIn, SignIn } from "../server/protocol";
import { originForOthers } from "../server/reach.svelte";
import { request, RequestError } from "../server/request";

/** Whether this browser has passkeys here: they need https or localhost, and a name in place of an address. */
export const hasPasskeys = (): boolean =>
  isSecureContext && typeof PublicKeyCredential !== "undefined" && !/^[\d.]+$|^\[/.test(location.hostname);

/** How the name is kept; null for a browser that the server does not know. */
export async function loadAccount(): Promise<AccountAnswer | null> {
  if (!guest.isKnown) return null;
  try {
    return await request<AccountAnswer>("GET", "/api/account");
  } catch (error) {
    if (error instanceof RequestError && error.status === 401) return null;
    throw error;
  }
}

function toBytes(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

function toText(data: ArrayBuffer): string {
  const plain = String.fromCharCode(...new Uint8Array(data));
  return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

interface Described {
  id: string;
  type: "public-key";
}
interface CreationJson {
  challenge: string;
  user: { id: string; name: string; displayName: string };
  excludeCredentials?: Described[];
}

const described = (list: Described[] | undefined): PublicKeyCredentialDescriptor[] =>
  (list ?? []).map((one) => ({ ...one, id: toBytes(one.id) }));

/** A credential in the JSON form that the server reads. */
function toJson(credential: PublicKeyCredential): Record<string, unknown> {
  const { response } = credential;
  const parts: Record<string, string> = { clientDataJSON: toText(response.clientDataJSON) };
  if (response instanceof AuthenticatorAttestationResponse)
    parts["attestationObject"] = toText(response.attestationObject);
  if (response instanceof AuthenticatorAssertionResponse) {
    parts["authenticatorData"] = toText(response.authenticatorData);
    parts["signature"] = toText(response.signature);
    if (response.userHandle) parts["userHandle"] = toText(response.userHandle);
  }
  const { id, type } = credential;
  return { id, rawId: toText(credential.rawId), type, clientExtensionResults: {}, response: parts };
}

export async function addPasskey(name: string): Promise<AccountAnswer> {
  const { options } = await request<Options>("POST", "/api/account/passkeys/options");
  const asked = options as unknown as CreationJson;
  const publicKey = {
    ...options,
    challenge: toBytes(asked.challenge),
    user: { ...asked.user, id: toBytes(asked.user.id) },
    excludeCredentials: described(asked.excludeCredentials),
  } as unknown as PublicKeyCredentialCreationOptions;
  const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
  return request<AccountAnswer>("POST", "/api/account/passkeys", { credential: toJson(made), name });
}

/** Asks the browser for a passkey of this site. */
export async function pickPasskey(): Promise<Record<string, unknown>> {
  const { options } = await request<Options>("POST", "/api/sign-in/options");
  const publicKey = {
    ...options,
    challenge: toBytes((options as unknown as CreationJson).challenge),
    allowCredentials: [],
  } as unknown as PublicKeyCredentialRequestOptions;
  return toJson((await navigator.credentials.get({ publicKey })) as PublicKeyCredential);
}

/** What the guest of this device has, of whom nobody said yet what becomes of it when an account is signed in. */
export interface JoinFirst {
  name: string;
  /** The name that is signed in. */
  into: string;
  /** Kinds of things, for `keep.has.`. */
  has: string[];
}

/** What has to be answered first, if a sign-in was refused for that. */
export const joinFirst = (error: unknown): JoinFirst | null =>
  error instanceof RequestError && error.problem.code === "join-first"
    ? (error.problem.parameters as unknown as JoinFirst)
    : null;

/** Why a provider's account cannot be used; any other error is thrown again. */
export function wordsForOidc(error: unknown, provider: string): string {
  const key = error instanceof RequestError ? `oidc.refused.${error.problem.code}` : "";
  if (has(key)) return t(key as Key, { provider });
  throw error;
}

export const signIn = (how: SignIn): Promise<SignedIn> => request<SignedIn>("POST", "/api/sign-in", how);
export const signOut = (): Promise<void> => request<void>("POST", "/api/sign-out");
export const renamePasskey = (id: string, name: string): Promise<void> =>
  request<void>("POST", `/api/account/passkeys/${encodeURIComponent(id)}`, { name });
export const removePasskey = (id: string): Promise<void> =>
  request<void>("DELETE", `/api/account/passkeys/${encodeURIComponent(id)}`);
/** A new recovery code. It leads nowhere before `useCode`. */
export const makeCode = (): Promise<NewCode> => request<NewCode>("POST", "/api/account/code");
/** Keeps the name by a code that was made. It can be called again when no answer came. */
export async function useCode(made: NewCode): Promise<void> {
  try {
    await request<void>("POST", "/api/account/code/keep", made);
  } catch (error) {
    if (!(error instanceof RequestError && error.status === 401)) throw error;
    // It was done before, and the cookie of before is void: the code leads in.
    await signIn({ code: made.code });
  }
}
/** Whether a refusal says for certain that nothing was done. */
export const isRefused = (error: unknown): boolean =>
  error instanceof RequestError && error.status >= 400 && error.status < 500;
/**
 * The link that fills a code in; what is behind the # is sent to no server. It is for another device, so it has an address
 * that others can open, if there is one.
 */
export const recoveryLink = (code: string): string => `${originForOthers()}/recover#${code}`;
export const removeCode = (): Promise<void> => request<void>("DELETE", "/api/account/code");
export const endSession = (session: string): Promise<void> =>
  request<void>("DELETE", `/api/account/sessions/${encodeURIComponent(session)}`);
