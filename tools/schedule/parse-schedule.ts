import { repeatedKeys } from "../../devnode/http/repeated-keys.ts";
import { parseAddress } from "../../src/chain/address.ts";
import { isRecord } from "../../src/json.ts";
import { CSV_COLUMNS, UNIT_COLUMNS } from "../../src/supply/representations.ts";
import {
  type Bucket,
  CATEGORIES,
  HOLDS,
  type Holding,
  type Holds,
  NATIVE_CHAIN,
  type Phase,
  WALLET_CATEGORIES,
} from "../../src/supply/schedule.ts";
import { dayText } from "../../src/utc.ts";
import { MAX_DECIMALS } from "./amount.ts";
import { calendar } from "./calendar.ts";
import { type Place, Reader } from "./json-reader.ts";
import type { ScheduleResult } from "./schedule-result.ts";
import { type Draft, validateSchedule } from "./validate-schedule.ts";

const TOP_KEYS = [
  "$schema?",
  "revision",
  "published_at",
  "methodology?",
  "sample?",
  "sources",
  "token",
  "max_supply",
  "start",
  "step_day",
  "wallets?",
];
const BUCKET_KEYS = ["id", "label", "category", "allocation", "genesis", "phases", "addresses?"];
const MONTHLY_KEYS = ["kind", "amount", "first_month", "count", "every_months"];
const DAILY_KEYS = ["kind", "amount", "first_day", "count", "every_days"];

/** Column names of the published CSV, which a bucket's id must not repeat. */
const RESERVED_IDS = [...CSV_COLUMNS, ...UNIT_COLUMNS];
const ID_FORM = { pattern: /^[A-Za-z][A-Za-z0-9_-]{0,63}$/, what: "letters, digits, - and _, beginning with a letter" };
const KIND_FORM = { pattern: /^[a-z][a-z_]{0,31}$/, what: "one lower-case word, such as burn" };
/** Two centuries: a larger number is a mistake, and every step is a row. */
const MAX_MONTHS = 2400;
const MAX_DAYS = 73_050;

/** A hundred times the largest known; the Worker carries the whole file. */
const MAX_CHARACTERS = 1_048_576;

/** Parses a schedule from the text of its file. */
export function parseScheduleText(text: string): ScheduleResult {
  if (text.length > MAX_CHARACTERS) {
    const message = `has ${text.length} characters; a schedule has at most ${MAX_CHARACTERS}`;
    return { kind: "errors", errors: [{ path: "", message }] };
  }
  if (text.startsWith("\uFEFF"))
    return {
      kind: "errors",
      errors: [{ path: "", message: "begins with a byte order mark; save it as UTF-8 without one" }],
    };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    return { kind: "errors", errors: [{ path: "", message: `is not JSON: ${notJson(text, cause)}` }] };
  }
  // An edit above the last of two equal keys would seem to have no effect.
  const [first, ...others] = [...repeatedKeys(text)].map((path) => ({ path, message: "is duplicate" }));
  return first === undefined ? parseSchedule(json) : { kind: "errors", errors: [first, ...others] };
}

/** Two frequent mistakes by name; the parser's own words for every other. */
function notJson(text: string, cause: unknown): string {
  // U+FFFD: what a byte order mark of UTF-16 becomes.
  if (text.includes("\0") || text.startsWith("\uFFFD")) return "it looks like UTF-16; save it as UTF-8";
  const reason = cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : "unreadable";
  const line = text.split("\n").findIndex((each) => /^\s*(\/\/|\/\*|#)|[,{[\]}"\d]\s*\/[/*]/.test(each));
  return line === -1 ? reason : `line ${line + 1} has a comment, which JSON does not know: remove it`;
}

/**
 * Parses a schedule from JSON, or returns all its errors. Sums, order and bounds are only checked when all shapes are
 * valid.
 */
export function parseSchedule(json: unknown): ScheduleResult {
  const read = new Reader();
  const draft = readDraft(read, json);
  const [first, ...others] = read.errors;
  if (first !== undefined) return { kind: "errors", errors: [first, ...others] };
  return validateSchedule(draft);
}

function readDraft(read: Reader, json: unknown): Draft {
  const isTable = typeof json === "object" && json !== null && "table" in json;
  if (isTable && "buckets" in json)
    read.error("buckets", "must not be given together with table: give the rules or the figures");
  const top = read.object(json, "", [...TOP_KEYS, ...(isTable ? ["table", "buckets?"] : ["buckets", "adjustments?"])]);
  if (Object.hasOwn(top.value, "$schema")) read.text(top, "$schema");
  const token = read.object(top.value["token"] ?? {}, "token", ["symbol", "name", "decimals"]);
  const decimals = readDecimals(read, token);
  const startMs = read.day(top, "start");
  const stepDay = read.integer(top, "step_day", 1, 28);
  const sources = read.list(top, "sources", (value, path) => {
    const source = read.object(value, path, ["title", "url"]);
    return { title: read.text(source, "title"), url: read.url(source, "url") };
  });
  if (Array.isArray(top.value["sources"]) && sources.length === 0) read.error("sources", "must name at least one");
  return {
    revision: read.integer(top, "revision", 1, 1_000_000),
    publishedAt: dayText(read.day(top, "published_at")),
    sources,
    methodology: Object.hasOwn(top.value, "methodology") ? read.url(top, "methodology") : null,
    sample: Object.hasOwn(top.value, "sample") ? read.boolean(top, "sample") : false,
    token: { symbol: read.text(token, "symbol"), name: read.text(token, "name"), decimals },
    maxSupply: read.amount(top, "max_supply", decimals),
    calendar: calendar(startMs, stepDay),
    ...readPlan(read, top, decimals, isTable),
    wallets: read.list(top, "wallets", (item, at) => {
      const category = read.oneOf({ path: at, value: recordOf(item) }, "category", WALLET_CATEGORIES);
      return { ...readHolding(read, item, at, ["category"]), category };
    }),
  };
}

/** When they are not readable, as many as possible: amounts are then not reported for having too many. */
function readDecimals(read: Reader, token: Place): number {
  const { length } = read.errors;
  const decimals = read.integer(token, "decimals", 0, MAX_DECIMALS);
  return read.errors.length === length && "decimals" in token.value ? decimals : MAX_DECIMALS;
}

function readPlan(read: Reader, top: Place, decimals: number, isTable: boolean): Pick<Draft, "plan" | "adjustments"> {
  if (isTable) {
    const table = read.list(top, "table", (value, path) => {
      const row = read.object(value, path, ["month", "circulating"]);
      return { month: read.month(row, "month"), circulating: read.amount(row, "circulating", decimals) };
    });
    return { plan: { kind: "table", table }, adjustments: [] };
  }
  const adjustments = read.list(top, "adjustments", (value, path) => {
    const entry = read.object(value, path, ["month", "bucket", "delta", "kind", "source", "published_at?"]);
    return {
      month: read.month(entry, "month"),
      bucket: read.text(entry, "bucket"),
      delta: read.signedAmount(entry, "delta", decimals),
      kind: read.text(entry, "kind", KIND_FORM),
      source: read.url(entry, "source"),
      publishedAt: Object.hasOwn(entry.value, "published_at") ? dayText(read.day(entry, "published_at")) : null,
    };
  });
  const buckets = read.list(top, "buckets", (value, path) => readBucket(read, value, path, decimals));
  return { plan: { kind: "buckets", buckets }, adjustments };
}

function readBucket(read: Reader, value: unknown, path: string, decimals: number): Bucket {
  const bucket = read.object(value, path, BUCKET_KEYS);
  const id = read.text(bucket, "id", ID_FORM);
  if (RESERVED_IDS.includes(id)) read.error(`${path}.id`, `must not be ${id}, which is a column of the published CSV`);
  return {
    id,
    label: read.text(bucket, "label"),
    category: read.oneOf(bucket, "category", CATEGORIES),
    allocation: read.amount(bucket, "allocation", decimals),
    genesis: read.amount(bucket, "genesis", decimals),
    phases: read.list(bucket, "phases", (phase, at) => readPhase(read, phase, at, decimals)),
    addresses: read.list(bucket, "addresses", (item, at) => readHolding(read, item, at)),
  };
}

const HOLDS_NAMES = ["account", "stake_pool", "vesting", "delegation", "staking_contract"] as const satisfies Holds[];

function readHolding(read: Reader, value: unknown, path: string, more: readonly string[] = []): Holding {
  const holds = HOLDS_NAMES.find((known) => known === recordOf(value)["holds"]) ?? "account";
  const reference = HOLDS[holds] === null ? [] : [HOLDS[holds]];
  const entry = read.object(value, path, ["chain", "address", "label", ...more, "holds", ...reference]);
  const chain = read.text(entry, "chain");
  const address = (name: string): string => {
    const text = read.text(entry, name);
    const parsed = chain === NATIVE_CHAIN ? parseAddress(text) : text;
    if (parsed === undefined && text !== "")
      read.error(`${path}.${name}`, `must be an address of 1 to 64 hex digits after 0x, not ${JSON.stringify(text)}`);
    return parsed ?? "";
  };
  read.oneOf(entry, "holds", HOLDS_NAMES);
  const owner = { chain, address: address("address"), label: read.text(entry, "label") };
  if (holds === "delegation") return { ...owner, holds, pool: address("pool") };
  if (holds === "staking_contract") return { ...owner, holds, operator: address("operator") };
  return { ...owner, holds };
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

const PHASE_KINDS = ["never", "cliff", "installments", "linear"] as const;

function readPhase(read: Reader, value: unknown, path: string, decimals: number): Phase {
  const given: object = typeof value === "object" && value !== null ? value : {};
  const byDays = "first_day" in given || "every_days" in given;
  const kind = "kind" in given ? PHASE_KINDS.find((known) => known === given.kind) : undefined;
  switch (kind) {
    case "cliff": {
      const phase = read.object(value, path, ["kind", "amount", "month"]);
      return {
        kind,
        amount: read.amount(phase, "amount", decimals),
        month: read.integer(phase, "month", 0, MAX_MONTHS),
      };
    }
    case "installments":
      return byDays
        ? readDaily(read, read.object(value, path, DAILY_KEYS), decimals)
        : readMonthly(read, read.object(value, path, MONTHLY_KEYS), decimals);
    case "linear": {
      const phase = read.object(value, path, ["kind", "amount", "from", "to"]);
      return {
        kind,
        amount: read.amount(phase, "amount", decimals),
        fromMs: read.day(phase, "from"),
        toMs: read.day(phase, "to"),
      };
    }
    case "never":
      return { kind, amount: read.amount(read.object(value, path, ["kind", "amount"]), "amount", decimals) };
    case undefined: {
      const at = { path, value: { kind: "kind" in given ? given.kind : undefined } };
      if (value !== given) read.object(value, path, []);
      else if (at.value.kind === undefined) read.error(`${path}.kind`, "missing");
      else read.oneOf(at, "kind", PHASE_KINDS);
      return { kind: "never", amount: 0n };
    }
  }
}

function readMonthly(read: Reader, phase: Place, decimals: number): Phase {
  return {
    kind: "monthly",
    amount: read.amount(phase, "amount", decimals),
    firstMonth: read.integer(phase, "first_month", 0, MAX_MONTHS),
    count: read.integer(phase, "count", 1, MAX_MONTHS),
    everyMonths: read.integer(phase, "every_months", 1, MAX_MONTHS),
  };
}

function readDaily(read: Reader, phase: Place, decimals: number): Phase {
  return {
    kind: "daily",
    amount: read.amount(phase, "amount", decimals),
    firstDay: read.integer(phase, "first_day", 0, MAX_DAYS),
    count: read.integer(phase, "count", 1, MAX_DAYS),
    everyDays: read.integer(phase, "every_days", 1, MAX_DAYS),
  };
}
