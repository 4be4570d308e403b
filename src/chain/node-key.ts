import { decodeUtf8 } from "./utf8.ts";

/** Stands in a node's address for its key. */
export const KEY_IN_URL = "{key}";

const HEADER_KEY = /^([\w-]+):\s+(\S.*)$/;
const PLAIN_KEY = /^([!-~]*[!-9;-~])?$/;
/** A shorter key could not be told from a node's own words. */
const MIN_KEY_CHARACTERS = 8;

/** What is wrong with an entry of `NODE_API_KEY`; null: nothing. An empty one is no key. */
export function keyProblem(entry: string): string | null {
  if (!PLAIN_KEY.test(entry) && !(HEADER_KEY.test(entry) && /^[ -~]+$/.test(entry)))
    return "has an entry that is neither a key without spaces nor Header: KEY";
  const { key, halves } = keyIn(entry);
  const secret = halves === null ? key.length : Math.max(...halves.map(({ length }) => length));
  if (entry === "" || secret >= MIN_KEY_CHARACTERS) return null;
  return `has a key of fewer than ${MIN_KEY_CHARACTERS} characters, which could not be kept out of a node's texts`;
}

/** The key behind a header's name and scheme; `halves` are the user and the password of Basic, null of other schemes. */
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

/** Every text in which a key can come back: as given, behind a header's name or scheme, its longer parts, both halves of Basic. */
export function secretsOf(entry: string): string[] {
  const { value, key, halves } = keyIn(entry);
  const parts = key.split(/[\s:=,;"]+/).filter(({ length }) => length >= MIN_KEY_CHARACTERS);
  return [...new Set([entry, value, key, ...parts, halves?.join(":") ?? "", ...(halves ?? [])])].filter(
    (text) => text !== "",
  );
}

/** Where and how a node is called. */
export interface NodeAccess {
  readonly url: string;
  /** Secret. */
  readonly headers: Record<string, string>;
}

/** A key `Name: value` is that header, any other one a bearer token, unless it stands in the address. */
export function nodeAccess(url: string, key: string): NodeAccess {
  if (key === "") return { url, headers: {} };
  if (url.includes(KEY_IN_URL)) return { url: url.replaceAll(KEY_IN_URL, encodeURIComponent(key)), headers: {} };
  const [, name, value] = HEADER_KEY.exec(key) ?? [];
  return {
    url,
    headers: name === undefined || value === undefined ? { Authorization: `Bearer ${key}` } : { [name]: value },
  };
}
