import { decodeUtf8 } from "./utf8.ts";

/** Placeholder of the key in a node's address. */
export const KEY_IN_URL = "{key}";

const HEADER_KEY = /^([\w-]+):\s+(\S.*)$/;
const PLAIN_KEY = /^([!-~]*[!-9;-~])?$/;
/** Minimum length of a key: a shorter one could not be told from ordinary words in a node's text. */
const MIN_KEY_CHARACTERS = 8;

/** States what is wrong with an entry of `NODE_API_KEY`; null: nothing. An empty entry is no key. */
export function keyProblem(entry: string): string | null {
  if (!PLAIN_KEY.test(entry) && !(HEADER_KEY.test(entry) && /^[ -~]+$/.test(entry)))
    return "has an entry that is neither a key without spaces nor Header: KEY";
  const { key, halves } = keyIn(entry);
  const secret = halves === null ? key.length : Math.max(...halves.map(({ length }) => length));
  if (entry === "" || secret >= MIN_KEY_CHARACTERS) return null;
  return `has a key of fewer than ${MIN_KEY_CHARACTERS} characters, which could not be kept out of a node's texts`;
}

/**
 * Returns the header's value of an entry, and the key in it without a scheme such as `Bearer`. `halves`: user and
 * password of the scheme Basic; null for other schemes.
 */
function keyIn(entry: string): { readonly value: string; readonly key: string; readonly halves: string[] | null } {
  const value = HEADER_KEY.exec(entry)?.[2] ?? entry;
  const [, scheme = "", key = value] = /^(\S+)\s+(\S.*)$/.exec(value) ?? [];
  const pair = scheme.toLowerCase() === "basic" ? decodedBase64(key) : undefined;
  const [, user, password] = /^([^:]*):(.*)$/s.exec(pair ?? "") ?? [];
  return { value, key, halves: user === undefined || password === undefined ? null : [user, password] };
}

function decodedBase64(text: string): string | undefined {
  try {
    return decodeUtf8(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

/**
 * Lists every text in which a key can come back: as given, without header name or scheme, in parts, and as halves of
 * Basic.
 */
export function secretsOf(entry: string): string[] {
  const { value, key, halves } = keyIn(entry);
  const parts = key.split(/[\s:=,;"]+/).filter(({ length }) => length >= MIN_KEY_CHARACTERS);
  return [...new Set([entry, value, key, ...parts, halves?.join(":") ?? "", ...(halves ?? [])])].filter(
    (text) => text !== "",
  );
}

/** Address of a node and the headers of its calls. */
export interface NodeAccess {
  readonly url: string;
  /** Headers with the key: secret. */
  readonly headers: Record<string, string>;
}

/**
 * Builds a node's access from its key. If the address has the placeholder, the key replaces it. Otherwise `Name: value`
 * becomes that header, and any other key a bearer token.
 */
export function nodeAccess(url: string, key: string): NodeAccess {
  if (key === "") return { url, headers: {} };
  if (url.includes(KEY_IN_URL)) return { url: url.replaceAll(KEY_IN_URL, encodeURIComponent(key)), headers: {} };
  const [, name, value] = HEADER_KEY.exec(key) ?? [];
  return {
    url,
    headers: name === undefined || value === undefined ? { Authorization: `Bearer ${key}` } : { [name]: value },
  };
}
