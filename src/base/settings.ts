/** Settings of a deployment, as the platform passes them. */
export type Environment = Readonly<Record<string, unknown>>;

/**
 * Returns what is wrong with a setting's value, or null. The value itself may be a secret, so the text must not repeat
 * it.
 */
type ProblemOf = (text: string) => string | null;

/** Kind of a source of figures: the configured URLs, the embedded node, or no source. */
export type SourceKind = "configured" | "embedded" | "none";

/** Reads one setting at a time and collects all problems, so that an operator can fix them together. */
export class SettingsReader {
  readonly problems: string[] = [];
  /** Default of every setting that was read. */
  readonly defaults = new Map<string, string>();
  readonly #env: Environment;

  constructor(env: Environment) {
    this.#env = env;
  }

  problem(name: string, what: string): void {
    this.problems.push(`${name} ${what}`);
  }

  /** Whether a setting has a value: an empty setting is an absent one. */
  has(name: string): boolean {
    if (!this.defaults.has(name)) this.defaults.set(name, "");
    return String(this.#env[name] ?? "").trim() !== "";
  }

  /** Reads a text without the spaces around it; an empty setting is an absent one. */
  text(name: string, fallback: string): string {
    this.defaults.set(name, fallback);
    const value = this.#env[name] ?? "";
    if (typeof value === "string") return value.trim() || fallback;
    this.problem(name, "must be a string");
    return fallback;
  }

  optional(name: string, problemOf?: ProblemOf): string | null {
    const text = this.text(name, "");
    if (text === "") return null;
    this.#check(name, text, problemOf);
    return text;
  }

  list(name: string, problemOf?: ProblemOf): string[] {
    const items = this.text(name, "")
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== "");
    for (const item of items) this.#check(name, item, problemOf);
    return items;
  }

  /** Reads the kind of a source. Empty means embedded, which only a local deployment has, so a forgotten setting is an error. */
  source(name: string): SourceKind {
    const text = this.text(name, "");
    return text === "" ? "embedded" : text.toLowerCase() === "none" ? "none" : "configured";
  }

  matching(name: string, fallback: string, pattern: RegExp, what: string): string {
    return this.parsed(name, fallback, what, (text) => (pattern.test(text) ? text : undefined)) ?? fallback;
  }

  oneOf<const T extends string>(name: string, allowed: readonly T[], fallback: T): T {
    const what = `one of ${allowed.join(", ")}`;
    return this.parsed(name, fallback, what, (text) => allowed.find((each) => each === text)) ?? fallback;
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    const what = `a whole number from ${min} to ${max}`;
    return this.parsed(name, String(fallback), what, (text) => integerIn(text, min, max)) ?? fallback;
  }

  /** Prefix of the names of the ledger headers. The edge and the embedded node both have this setting. */
  headerPrefix(): string {
    const form = /^[A-Za-z][A-Za-z0-9-]{0,30}-$/;
    return this.matching("NODE_HEADER_PREFIX", "X-NODE-", form, "a header prefix ending in a dash");
  }

  /**
   * Parses a setting; `what` describes the allowed values. undefined: the value is invalid, and a problem was recorded.
   */
  parsed<T>(name: string, fallback: string, what: string, parse: (text: string) => T | undefined): T | undefined {
    const problems = this.problems.length;
    const text = this.text(name, fallback);
    if (this.problems.length > problems) return undefined;
    const value = parse(text);
    if (value === undefined) this.problem(name, `must be ${what}, not ${JSON.stringify(text)}`);
    return value;
  }

  #check(name: string, text: string, problemOf?: ProblemOf): void {
    const problem = problemOf?.(text) ?? null;
    if (problem !== null) this.problem(name, problem);
  }
}

export function integerIn(text: string, min: number, max: number): number | undefined {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}

/** States what is wrong with a URL. `advice`: added when the URL has credentials. */
export function httpUrlProblem(text: string, advice = ""): string | null {
  const url = URL.parse(text);
  if (url === null) return "contains something that is not a URL";
  if (url.protocol !== "https:" && url.protocol !== "http:") return "contains a URL that is neither http nor https";
  return url.username === "" && url.password === "" ? null : `contains a URL with credentials${advice}`;
}
