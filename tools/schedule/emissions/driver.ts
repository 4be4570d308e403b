/**
 * Runs inside the isolate. It gives an emissions file recorders in place of its helpers, and reports each section's
 * rules. It is sent there as text, so it imports nothing.
 */

/** Rule as the file states it, with instants in seconds. A step rule's amount is the amount per step. */
export type Rule =
  | { readonly type: "cliff"; readonly start: number; readonly amount: number }
  | { readonly type: "linear"; readonly start: number; readonly end: number; readonly amount: number }
  | {
      readonly type: "step";
      readonly start: number;
      readonly stepDuration: number;
      readonly steps: number;
      readonly amount: number;
    };

export type Section =
  | { readonly name: string; readonly rules: readonly Rule[]; readonly undated: readonly Rule[] }
  | { readonly name: string; readonly refused: string };

export interface Emissions {
  readonly sections: readonly Section[];
  readonly total: number | undefined;
  readonly categories: Readonly<Record<string, readonly string[]>>;
  /** Sections whose rules end before their plan does. */
  readonly incomplete: readonly string[];
}

type Loose = Record<PropertyKey, unknown>;
export type EmissionsFile = (
  module: { exports: Loose },
  exports: Loose,
  require: (name: string) => unknown,
  Clock: DateConstructor,
  ...walled: readonly unknown[]
) => void;

/** Placeholders of what lies outside the file, each with the reason for refusing to read it. */
const forbiddenReasons = new WeakMap<object, string>();

function failWith(reason: string): never {
  throw new Error(reason);
}

/** Makes a placeholder that may be passed on, called and asked for properties. Used as data it throws its reason. */
function forbiddenValue(reason: string): object {
  // A `function` may also be called with `new`; an arrow function may not.
  function target(): number {
    return 0;
  }
  const value: object = new Proxy(target, {
    get: (_, key) => (key === "then" || typeof key === "symbol" ? failWith(reason) : value),
    apply: () => value,
    construct: () => value,
    ownKeys: () => failWith(reason),
    has: () => failWith(reason),
  });
  forbiddenReasons.set(value, reason);
  return value;
}

const PERIODS = { year: 31_556_926, month: 2_629_743, week: 604_800, day: 86_400, hour: 3_600, minute: 60 };

/** Unix time of a day that exists, at 00:00 UTC. */
function secondsOf(year: string, month: string, day: string, text: string): number {
  const iso = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const ms = Instant.parse(`${iso}T00:00:00Z`);
  if (Number.isNaN(ms) || new Instant(ms).toISOString().slice(0, 10) !== iso)
    failWith(`${text} is not a day that exists`);
  return ms / 1000;
}

/** Reads year, month and day at the places where the form has the letters Y, M and D. */
function byForm(text: string, form = "YYYY/MM/DD"): number {
  const letters = form.toLowerCase();
  const part = (letter: string) => text.substring(letters.indexOf(letter), letters.lastIndexOf(letter) + 1);
  return secondsOf(part("y"), part("m"), part("d"), text);
}

function instant(time: unknown, form?: string): number {
  if (typeof time !== "string") return Number(time);
  return /^[^/-]{10}$/.test(time) ? Number.parseInt(time, 10) : byForm(time, form);
}

function readable(Clock: DateConstructor, text: string): number {
  const [, year, month = "", day = ""] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? [];
  if (year !== undefined) secondsOf(year, month, day, text);
  const ms = new Clock(text).getTime();
  return Number.isNaN(ms) ? failWith(`${text} is not a day that exists`) : Math.floor(ms / 1000);
}

const roundedToDay = (seconds: number): number => Math.round(seconds / PERIODS.day) * PERIODS.day;

const linear = (start: unknown, end: unknown, amount: unknown, form?: string): Rule => ({
  type: "linear",
  start: instant(start, form),
  end: instant(end, form),
  amount: Number(amount),
});

const manual = {
  manualCliff: (start: unknown, amount: unknown, form?: string): Rule => ({
    type: "cliff",
    start: instant(start, form),
    amount: Number(amount),
  }),
  manualLinear: linear,
  manualStep: (start: unknown, each: unknown, steps: unknown, amount: unknown, form?: string): Rule => ({
    type: "step",
    start: instant(start, form),
    stepDuration: instant(each, form),
    steps: Number(steps),
    amount: Number(amount),
  }),
  /**
   * Linear unlocks that shrink from period to period. As in DefiLlama's helper the last period is missing, and a
   * converging sum is scaled to the amount.
   */
  manualLog: (from: unknown, to: unknown, amount: number, period: number, ...more: readonly unknown[]): Rule[] => {
    const [shrinks, isConverging = true, firstShare, form] = more;
    const [start, end] = [instant(from, form as string), instant(to, form as string)]; // a form is a text, or none
    const parts: number[] = [];
    for (let quantity = 100, index = 1; index < (end - start) / period; index += 1) {
      const isFirst = index === 1 && Boolean(firstShare);
      quantity = isFirst ? amount * (Number(firstShare) / 100) : quantity * (1 - Number(shrinks) / 100);
      parts.push(quantity);
    }
    const factor = isConverging ? amount / parts.reduce((sum, part) => sum + part, 0) : 1;
    return parts.map((part, at) => linear(start + at * period, start + (at + 1) * period, part * factor));
  },
};

function timeOf(Clock: DateConstructor): Loose {
  const times = Object.fromEntries(
    Object.entries(PERIODS).map(([name, seconds]) => [`${name}s`, (count: number) => seconds * count]),
  );
  return {
    periodToSeconds: { ...PERIODS, ...times },
    readableToSeconds: (text: string) => readable(Clock, text),
    unixTimestampNow: () => Math.floor(Clock.now() / 1000),
    stringToTimestamp: byForm,
    normalizeTime: instant,
    isFuture: (seconds: number) => seconds * 1000 > Clock.now(),
    months: (start: number, count: number) => roundedToDay(start + PERIODS.month * count),
    years: (start: number, count: number) => roundedToDay(start + PERIODS.year * count),
  };
}

const CONSTANTS = {
  INCOMPLETE_SECTION_STEP: PERIODS.week,
  RESOLUTION_SECONDS: PERIODS.day,
  GRADIENT_LENGTH: 100,
  GAS_TOKEN: `0x${"0".repeat(40)}`,
};

function requireOf(Clock: DateConstructor): (name: string) => unknown {
  return (name) => {
    if (name.endsWith("/adapters/manual")) return manual;
    if (name.endsWith("/utils/time")) return timeOf(Clock);
    if (name.endsWith("/utils/constants")) return CONSTANTS;
    return name.includes("/types/") ? {} : forbiddenValue(`reads ${name}`);
  };
}

/** Collects the rules of a section's value: a rule, a list, a promise or a function of these, or components. */
async function rulesOf(given: unknown): Promise<readonly Rule[]> {
  const reason = forbiddenReasons.get(given as object); // nothing is found for what is no object
  const value = reason === undefined ? await given : failWith(reason);
  if (typeof value === "function") return rulesOf(value(false));
  if (Array.isArray(value)) return (await Promise.all(value.map(rulesOf))).flat();
  const { type } = (value ?? {}) as Loose; // any value may be asked for a property but null and undefined
  if (type === "cliff" || type === "linear" || type === "step") return [plain(value as Rule & Loose)]; // by its type
  return failWith(`is not a rule: ${String(JSON.stringify(value)).slice(0, 80)}`);
}

/** Copies a rule's numbers, each read once: a getter could return something else at a second reading. */
function plain(rule: Rule & Loose): Rule {
  const numbers = ["start", "end", "stepDuration", "steps", "amount"].flatMap((name) => {
    if (rule[name] === undefined) return [];
    const value = name === "start" || name === "end" ? instant(rule[name]) : Number(rule[name]);
    return Number.isFinite(value) ? [[name, value]] : failWith(`${name} is not a number: ${String(rule[name])}`);
  });
  return { type: rule.type, ...Object.fromEntries(numbers) };
}

async function sectionOf(name: string, value: unknown): Promise<Section> {
  try {
    const components = forbiddenReasons.has(value as object) ? undefined : ((value ?? {}) as Loose)["components"];
    if (!Array.isArray(components)) return { name, rules: await rulesOf(value), undated: [] };
    const part = async (isWanted: boolean): Promise<readonly Rule[]> => {
      const wanted = components.filter(({ isTBD }) => (isTBD === true) === isWanted);
      return rulesOf(wanted.map(({ fetch }) => fetch));
    };
    return { name, rules: await part(false), undated: await part(true) };
  } catch (cause) {
    return { name, refused: cause instanceof Error ? cause.message : String(cause) };
  }
}

/** Globals that a file may use: values of the language that neither tell the time nor reach outside. */
const GLOBALS = new Set(
  (
    "undefined NaN Infinity Object Function Array String Number Boolean Symbol BigInt Math JSON Map Set WeakMap WeakSet " +
    "Promise RegExp Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError Reflect Proxy " +
    "parseInt parseFloat isNaN isFinite encodeURI encodeURIComponent decodeURI decodeURIComponent escape unescape " +
    "ArrayBuffer DataView Uint8Array Int8Array Uint8ClampedArray Uint16Array Int16Array Uint32Array Int32Array " +
    "Float32Array Float64Array BigInt64Array BigUint64Array Iterator queueMicrotask structuredClone console"
  ).split(" "),
);

/**
 * Replaces every other global of the isolate, including those of later runtimes: `Intl`, `File`, `Event` and
 * `performance` tell the time as `Date` does.
 */
export function forbidGlobals(): void {
  const isolate = globalThis;
  const names = new Set<string>();
  for (let scope: object = isolate; scope !== Object.prototype; scope = Object.getPrototypeOf(scope))
    for (const name of Object.getOwnPropertyNames(scope)) names.add(name);
  for (const name of names)
    if (!GLOBALS.has(name)) Object.defineProperty(isolate, name, { value: forbiddenValue(`reads ${name}`) });
  // Every date inherits `constructor`, through which a module would reach the real clock.
  Reflect.deleteProperty(Instant.prototype, "constructor");
}

const Instant = Date;

/** Makes a `Date` whose clock stands still, and whose prototypes do not lead to the real one. */
function clockAt(nowMs: number): DateConstructor {
  function Clock(...given: readonly unknown[]): Date | string {
    if (new.target === undefined) return new Instant(nowMs).toString();
    return Reflect.construct(Instant, given.length === 0 ? [nowMs] : given, new.target);
  }
  Clock.prototype = Object.create(Instant.prototype, { constructor: { value: Clock } });
  return Object.assign(Clock, {
    now: () => nowMs,
    UTC: Instant.UTC,
    parse: Instant.parse,
  }) as unknown as DateConstructor; // it is called as one
}

/** Evaluates the file with a clock that stands still at `nowMs`. */
export async function evaluate(file: EmissionsFile, nowMs: number): Promise<Emissions> {
  // `Math.random` stays: a file that uses it differs between two evaluations and is refused for that.
  const Clock = clockAt(nowMs);
  const module = { exports: {} as Loose };
  const walled = ["calls fetch", "reads process", "reads globalThis", "reads self"].map(forbiddenValue);
  file(module, module.exports, requireOf(Clock), Clock, ...walled);
  const protocol = (module.exports["default"] ?? module.exports) as Loose;
  const { meta = {}, categories = {}, documented, ...members } = protocol;
  const { replaces = [], ...replacements } = (documented ?? {}) as Loose;
  const replaced = replaces as readonly string[];
  const values = Object.entries(members).filter(([name]) => !replaced.includes(name));
  const sections = await Promise.all(
    [...values, ...Object.entries(replacements)].map(([name, value]) => sectionOf(name, value)),
  );
  const { total, incompleteSections = [] } = meta as Loose;
  return {
    sections,
    total: total === undefined ? undefined : Number(total),
    categories: categories as Emissions["categories"],
    incomplete: (incompleteSections as readonly { readonly key: string }[]).map(({ key }) => key),
  };
}
