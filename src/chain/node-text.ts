import { secretsOf } from "./node-key.ts";

/** Removes secrets and addresses from a node's text, so that it can be published. */
export type CleanText = (text: string) => string;

/**
 * Cleans the texts of the node that was sent this key. The key becomes `(key)`, and a word in the form of an address
 * becomes `(address)`. Everything else stays, because clients parse abort codes and messages of modules.
 */
export function textCleaner(nodeKey: string): CleanText {
  const secrets = secretsOf(nodeKey).sort((left, right) => right.length - left.length);
  if (secrets.length === 0) return withoutAddresses;
  const key = new RegExp(secrets.map(encodedFormsOf).join("|"), "giu");
  return (text) => withoutAddresses(text.replace(key, "(key)"));
}

/** Length below which a secret, such as a user name, is replaced only as a whole word. */
const MIN_INSIDE_WORD = 8;

/**
 * Builds a pattern of the secret in which any character may be percent-encoded, once or twice, or escaped by a
 * backslash.
 */
function encodedFormsOf(secret: string): string {
  const characters = [...secret].map((character) => {
    const bytes = [...new TextEncoder().encode(character)];
    const encoded = bytes.map((byte) => `%(?:25){0,2}${byte.toString(16).padStart(2, "0")}`).join("");
    const isPlain = /[\p{L}\p{N}]/u.test(character);
    const literal = isPlain ? character : `\\\\{0,2}\\u{${character.codePointAt(0)?.toString(16)}}`;
    return `(?:${literal}|${encoded}${character === " " ? "|\\+" : ""})`;
  });
  const pattern = characters.join("");
  return secret.length < MIN_INSIDE_WORD ? `(?<![\\p{L}\\p{N}_])${pattern}(?![\\p{L}\\p{N}_])` : pattern;
}

const WORD = /[^\s"'`<>]+/g;
const BETWEEN_NAMES = /[()[\]{},;=|]/;

function withoutAddresses(text: string): string {
  return text.replace(WORD, (word) =>
    normalized(word).split(BETWEEN_NAMES).some(isAddress) ? `(address)${/[.,;:]$/.exec(word)?.[0] ?? ""}` : word,
  );
}

/** Punctuation of an address in other spellings: percent-encoded, as an HTML entity, or as a look-alike character. */
const OTHER_WRITINGS: readonly (readonly [RegExp, string])[] = [
  [/%25/g, "%"],
  [/%2e|&#46;|&#x2e;|&period;|[\u3002\uff0e\uff61\u2024]/gi, "."],
  [/%3a|&#58;|&#x3a;|&colon;|[\u2236\uff1a\ua789]/gi, ":"],
  [/%2f|%5c|&#47;|&#x2f;|&sol;|[\\\u2044\u2215\uff0f\u29f8]/gi, "/"],
  [/%40|&#64;|&#x40;|&commat;|\uff20/gi, "@"],
];

function normalized(word: string): string {
  if (!/[%&\\\u0080-\uffff]/.test(word)) return word;
  return OTHER_WRITINGS.reduce((text, [writing, mark]) => text.replace(writing, mark), word);
}

function isAddress(part: string): boolean {
  if (!/[./:@]/.test(part)) return false;
  const [first, second = -1] = [part.indexOf("/"), part.indexOf("/", part.indexOf("/") + 1)];
  const hasTwoSlashes = first >= 0 && second > first;
  // `@0x1` is Move's notation for an account, not an email address.
  return (
    hasTwoSlashes || /^[a-z][a-z\d+.-]*:\//i.test(part) || /[^@]@[^@]/.test(part) || part.split(/[/?#&]/).some(isHost)
  );
}

/** Host name with a port. */
const HOST_AND_PORT = /^(?=[^:]*[\p{L}-])[\p{L}\d_.-]+:\d{1,5}$/u;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?$/;
/** IPv6 address: groups of hex digits with `::`, or eight groups. `0x1::coin` is a Move name, not an address. */
const IPV6 = /^(?=.*::|(?:[^:]*:){7})(?=:*[\da-f])[\da-f:.]+(?:%.*)?$/i;

function isHost(part: string): boolean {
  const text = withoutFinalMarks(part);
  return [IPV4, IPV6, HOST_AND_PORT].some((form) => form.test(text)) || isHostName(text);
}

/**
 * Removes the punctuation that ends a sentence. A regular expression would take quadratic time on a long row of marks.
 */
function withoutFinalMarks(text: string): string {
  let end = text.length;
  while (end > 0 && ".:!?%".includes(text.charAt(end - 1)) && !text.endsWith("::", end)) end -= 1;
  return text.slice(0, end);
}

/**
 * Top-level domains that mark a host name, because no name in a Move struct ends so. Two-letter country domains are
 * recognised by their length.
 */
const ENDINGS = new Set(
  (
    "com net org edu gov mil arpa biz xyz app dev cloud network online site tech host hosting systems services " +
    "solutions foundation digital software technology codes company global agency ventures ltd inc gmbh ninja " +
    "blockchain finance example test invalid localhost local internal intranet lan corp svc cluster onion"
  ).split(" "),
);
/** Top-level domains that may be a name in a Move struct; with two names before them they end a host name. */
const AMBIGUOUS = new Set(
  (
    "id pk sk int info name pro store link live world market markets fund money trade trading exchange capital group " +
    "run page pages zone top home private art fun club vip work works tools games shop space center team chain node " +
    "nodes prod staging"
  ).split(" "),
);

function isHostName(text: string): boolean {
  const labels = text.split(".");
  const last = labels.at(-1) ?? "";
  const ending = last.toLowerCase();
  const isName = labels.length > 1 && labels.every((label) => /^[\p{L}\d_-]+$/u.test(label));
  // `funds.If` is not a host: the next sentence begins without a space.
  if (!isName || !/^(?:[a-z]{2,}|xn--.+)$/.test(ending) || /^[A-Z][a-z]$/.test(last)) return false;
  // Move identifiers have no hyphen, so a name with one is a host.
  if (ENDINGS.has(ending) || text.includes("-")) return true;
  return AMBIGUOUS.has(ending) ? labels.length > 2 : ending.length === 2;
}
