import { isRecord, parseJson } from "../base/json.ts";
import { instantText, parseDay } from "../base/utc.ts";
import type { ListingParts, RowReader } from "./row-splitter.ts";

/** Member name or index in a JSON value; a negative index counts from the end (RFC 9535). */
export type Segment = string | number;

type MemberType = "text" | "rate" | "number" | "amount" | "instant" | "flag";

/** Members of a product that a mapping may fill, in the order of the manual's table. */
export const MAPPED_MEMBERS = {
  id: "text",
  name: "text",
  kind: "text",
  provider: "text",
  "asset.symbol": "text",
  "asset.address": "text",
  "asset.decimals": "number",
  apy: "rate",
  apy_base: "rate",
  apy_reward: "rate",
  apr: "rate",
  compounds_per_year: "number",
  apy_mean_30d: "rate",
  apy_change_7d: "rate",
  rate_type: "text",
  window: "text",
  url: "text",
  chain: "text",
  tvl: "amount",
  tvl_usd: "number",
  min_deposit: "amount",
  lockup_seconds: "number",
  cooldown_seconds: "number",
  status: "text",
  as_of: "instant",
  stale_after: "instant",
  source: "text",
  featured: "flag",
  order: "number",
} as const satisfies Readonly<Record<string, MemberType>>;
export type MappedMemberName = keyof typeof MAPPED_MEMBERS;

/** Members of which a product must have one. */
export const RATES = ["apy", "apy_base", "apy_reward", "apr"] as const satisfies readonly MappedMemberName[];

/** Units that a mapping must state, by the type of the member. */
export const UNITS_OF = {
  rate: ["percent", "fraction"],
  instant: ["iso_8601", "unix_seconds", "unix_milliseconds"],
} as const;
type Unit = (typeof UNITS_OF)[keyof typeof UNITS_OF][number];

/** Origin of a member's value. `row` paths begin at an element of the list, `answer` paths at the whole answer. */
export type MappedValue =
  | { readonly from: "constant"; readonly value: string | number | boolean }
  | { readonly from: "row" | "answer"; readonly path: readonly Segment[]; readonly unit: Unit | null };

/** How the rows of a listing are read from an answer of another format. Plain data, which the build writes. */
export interface RatesMapping {
  /** Path of the list or object whose values are the rows; null: the whole answer is the only row. */
  readonly list: readonly Segment[] | null;
  /** Seconds after `as_of` from which a row is out of date; null: as in a listing of our format. */
  readonly currentSeconds: number | null;
  readonly members: readonly { readonly name: MappedMemberName; readonly value: MappedValue }[];
}

/** A mapping with the SHA-256 of its file, in hex. */
export interface RatesMappingFile {
  readonly mapping: RatesMapping;
  readonly sha256: string;
}

/** Largest answer that is read by a mapping. It is read as a whole; the public listings that need more are streamed. */
const MAX_BYTES = 1_048_576;
/** Most rows of an answer, which may all be products. */
const MAX_ROWS = 5_000;

/** Reads the rows of an answer in the operator's own format, and writes them in ours. */
export class MappedRows implements RowReader {
  readonly #mapping: RatesMapping;
  readonly #parts: ListingParts;
  readonly #decoder = new TextDecoder();
  #text = "";
  #bytes = 0;

  constructor(mapping: RatesMapping, parts: ListingParts) {
    this.#mapping = mapping;
    this.#parts = parts;
  }

  push(chunk: Uint8Array): boolean {
    this.#bytes += chunk.length;
    if (this.#bytes <= MAX_BYTES) this.#text += this.#decoder.decode(chunk, { stream: true });
    return this.#bytes <= MAX_BYTES;
  }

  end(): number | string {
    if (this.#bytes > MAX_BYTES) return `the answer has more than ${MAX_BYTES} bytes`;
    const answer = parseJson(this.#text + this.#decoder.decode());
    if (answer === undefined) return "the answer is not JSON";
    const { list } = this.#mapping;
    const found = list === null ? [answer] : valueAt(answer, list);
    if (typeof found !== "object" || found === null) return `the answer has no list at ${pathText(list ?? [])}`;
    const rows = Object.values(found);
    if (rows.length > MAX_ROWS) return `the answer has more than ${MAX_ROWS} rows`;
    this.#parts.onDate(undefined);
    for (const row of rows) this.#take(mappedRow(this.#mapping, answer, row));
    return 0;
  }

  /** A path that leads nowhere must not publish a product without a rate, or one that is never out of date. */
  #take(row: Readonly<Record<string, unknown>>): void {
    const missing = missingValue(this.#mapping, row);
    if (missing === null) this.#parts.onRow(row);
    else this.#parts.onUnread(`${missing} has no value in the answer`, JSON.stringify({ id: row["id"] }));
  }
}

/** Writes one row in our format. A value of another type stays as it is, so that the row is dropped by its name. */
function mappedRow(
  { members, currentSeconds }: RatesMapping,
  answer: unknown,
  row: unknown,
): Readonly<Record<string, unknown>> {
  const product: Record<string, unknown> = {};
  const asset: Record<string, unknown> = {};
  for (const { name, value } of members) {
    const [parent, member] = name.startsWith("asset.") ? [asset, name.slice("asset.".length)] : [product, name];
    parent[member] =
      value.from === "constant"
        ? value.value
        : converted(valueAt(value.from === "row" ? row : answer, value.path), MAPPED_MEMBERS[name], value.unit);
  }
  const asOfMs = instantMs(product["as_of"]);
  const isDated = currentSeconds !== null && asOfMs !== undefined;
  return { ...product, ...(isDated && { stale_after: instantText(asOfMs + currentSeconds * 1000) }), asset };
}

function missingValue({ members }: RatesMapping, row: Readonly<Record<string, unknown>>): string | null {
  const isMissing = (name: string): boolean => row[name] === undefined || row[name] === null;
  const names = members.map(({ name }) => name);
  const rates = RATES.filter((name) => names.includes(name));
  if (rates.every(isMissing)) return rates.join(" or ");
  return names.find((name) => MAPPED_MEMBERS[name] === "instant" && isMissing(name)) ?? null;
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

function converted(value: unknown, type: MemberType, unit: Unit | null): unknown {
  switch (type) {
    case "rate": {
      const rate = numberIn(value);
      return typeof rate === "number" && unit === "fraction" ? rate * 100 : rate;
    }
    case "number":
      return numberIn(value);
    case "instant":
      return instantIn(value, unit);
    case "text":
      return Number.isSafeInteger(value) ? String(value) : value;
    case "amount":
      return typeof value === "number" ? String(value) : value;
    case "flag":
      return value;
  }
}

/** Reads a number, also one that is written as text, as many endpoints write amounts and rates. */
function numberIn(value: unknown): unknown {
  return typeof value === "string" && DECIMAL.test(value) ? Number(value) : value;
}

const ISO_8601 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;
/** Last instant of an upstream that is read: a time counted from it still has a year of four digits. */
const MAX_INSTANT_MS = Date.UTC(9999, 0, 1);

/** Parses an ISO 8601 text of a day that exists; undefined for any other value. Date.parse makes 1 May of 31 April. */
function instantMs(value: unknown): number | undefined {
  if (typeof value !== "string" || !ISO_8601.test(value) || parseDay(value.slice(0, 10)) === undefined)
    return undefined;
  const ms = Date.parse(value);
  return ms <= MAX_INSTANT_MS ? ms : undefined;
}

function instantIn(value: unknown, unit: Unit | null): unknown {
  const given = unit === "iso_8601" ? instantMs(value) : numberIn(value);
  if (typeof given !== "number") return value;
  const ms = Math.floor(unit === "unix_seconds" ? given * 1000 : given);
  return ms >= 0 && ms <= MAX_INSTANT_MS ? instantText(ms) : value;
}

/** Finds the value at a path; undefined: there is none. */
function valueAt(value: unknown, path: readonly Segment[]): unknown {
  return path.reduce<unknown>((current, segment) => {
    if (typeof segment === "number") return Array.isArray(current) ? current.at(segment) : undefined;
    return isRecord(current) && Object.hasOwn(current, segment) ? current[segment] : undefined;
  }, value);
}

/** Writes a path as the normalized path of RFC 9535. */
export function pathText(path: readonly Segment[]): string {
  return `$${path.map((segment) => (typeof segment === "number" ? `[${segment}]` : `['${segment}']`)).join("")}`;
}
