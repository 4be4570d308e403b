/** Words that names used to be made of, and what the field calls it. `CONTRIBUTING.md` has the glossary. */
export const RETIRED: Readonly<Record<string, string>> = {
  alone: "local, uncoalesced",
  ask: "request, call, fetch",
  asked: "requested, params",
  asker: "caller",
  asking: "requesting",
  asks: "requests, calls",
  bend: "mutate",
  bends: "mutations",
  bent: "mutated",
  blank: "space, empty",
  blanks: "spaces",
  circumstances: "context",
  complain: "logError",
  complaints: "errors",
  crowd: "overflow",
  desk: "context, state",
  desks: "contexts",
  despite: "afterFailure",
  fault: "error, problem",
  faults: "errors, problems",
  forget: "evict, delete, clear",
  forgotten: "evicted",
  glance: "peek",
  hear: "observe",
  heard: "observed",
  held: "cached, stored",
  hold: "retention, store",
  judge: "validate, classify",
  judged: "validated, classified",
  keeping: "policy, retention",
  kept: "cached, stored",
  landed: "received, committed",
  least: "min",
  life: "entry, lifetime",
  mend: "fix",
  mended: "fixed",
  misfit: "mismatch, requestError",
  misshapen: "malformed",
  mood: "mode",
  most: "max",
  nobody: "none, missing",
  notebook: "log, recorder",
  octet: "byte",
  octets: "bytes",
  said: "reported",
  shelf: "cache, store",
  shot: "request, case",
  shown: "exposed, preview",
  sound: "valid",
  spell: "format, serialize",
  spelled: "formatted, serialized",
  spelling: "form",
  spellings: "forms",
  stand: "state, current",
  standing: "current, step",
  stands: "is",
  tell: "report",
  tells: "reports",
  told: "reported, result",
  trouble: "failure, cause",
  unfit: "invalid",
  unsound: "invalid",
  whoever: "caller",
  wish: "request, option",
  wishes: "requests, options",
};

/** Words retired from prose too: comments, test titles, error messages and documents. */
export const RETIRED_IN_PROSE: Readonly<Record<string, string>> = {
  afresh: "again",
  anew: "again",
  asked: "requested",
  asks: "requests, calls",
  believed: "trusted",
  calm: "healthy, idle",
  forgotten: "dropped, deleted",
  glance: "look, peek",
  heard: "received, observed",
  hears: "receives, learns",
  ill: "unhealthy, failing",
  judged: "validated, checked",
  nobody: "no caller, no request",
  octet: "byte",
  octets: "bytes",
  said: "reported, stated",
  saying: "stating, with the message",
  spelled: "written, formatted",
  spelling: "form, format",
  spellings: "forms, formats",
  telling: "reporting",
  tells: "reports, states",
  told: "reported, informed",
  whoever: "any caller, every",
  whom: "which caller, to which",
};

/** The retired words of a text, each with its line and what to write instead. */
export function retiredInProse(text: string): string[] {
  const pattern = new RegExp(`\\b(?:${Object.keys(RETIRED_IN_PROSE).join("|")})\\b`, "gi");
  return text
    .split("\n")
    .flatMap((line, index) =>
      (line.match(pattern) ?? []).map(
        (word) => `${index + 1}: not "${word}" but ${RETIRED_IN_PROSE[word.toLowerCase()]}`,
      ),
    );
}

/** `#retryAfterSeconds`, `RETRY_AFTER_SECONDS` and `retry-after-seconds` are all `retry`, `after`, `seconds`. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .split(/[^A-Za-z]+/)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
}

/** Tests inject faults: there the word is the field's own. */
const IN_TESTS: readonly string[] = ["fault", "faults"];

/** `isAtLeast` is plain English; `LEAST_BYTES` is `MIN_BYTES`. */
const AFTER_AT: readonly string[] = ["least", "most"];

/** The retired words of a name, each with what to write instead. */
export function retiredIn(name: string, isTest = false): string[] {
  const words = wordsOf(name);
  return words
    .filter((word, index) => !AFTER_AT.includes(word) || words[index - 1] !== "at")
    .filter((word) => Object.hasOwn(RETIRED, word) && !(isTest && IN_TESTS.includes(word)))
    .map((word) => `${name}: not "${word}" but ${RETIRED[word]}`);
}
