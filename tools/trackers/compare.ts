import { isRecord } from "../../src/base/json.ts";
import type { Displayed } from "./displayed.ts";

/** Our figures in tokens; null: the deployment has none. */
export interface Ours {
  readonly symbol: string;
  readonly figures: Readonly<Record<Definition, number | null>>;
}

/** Our definitions, each with its path. */
export const DEFINITIONS = {
  "on chain": "/api/circulating-supply-on-chain",
  unlocked: "/api/circulating-supply",
  total: "/api/total-supply",
  max: "/api/max-supply",
} as const;
export type Definition = keyof typeof DEFINITIONS;

/** What each of a tracker's fields must be, as the manual's page on tracker forms says. */
const FIELDS: Readonly<Record<keyof Omit<Displayed, "kind">, Definition>> = {
  circulating: "on chain",
  unlocked: "unlocked",
  total: "total",
  max: "max",
};

export interface Row {
  readonly field: string;
  readonly displayed: number | null;
  readonly expected: Definition;
  readonly ours: number | null;
  /** All definitions within the tolerance: equal figures match several. */
  readonly matches: readonly Definition[];
  readonly isRight: boolean;
}

/** Each figure that a tracker displays beside what it must be. One that neither has is left out. */
export function compare(displayed: Displayed, { figures }: Ours, tolerancePercent: number): Row[] {
  return Object.entries(FIELDS).flatMap(([field, definition]) => {
    const value = displayed[field as keyof typeof FIELDS];
    // Without listed wallets there is no figure on chain, and trackers can only have been given the unlocked one.
    const expected = definition === "on chain" && figures["on chain"] === null ? "unlocked" : definition;
    const ours = figures[expected];
    // CoinMarketCap has an unlocked figure of few tokens only.
    if (value === undefined || (field === "unlocked" && value === null)) return [];
    // A total that we do not read is the tracker's own; before the start nothing of ours circulates.
    if (ours === null && (value === null || definition === "total")) return [];
    const matches = definitions().filter((each) => isNear(value, figures[each], tolerancePercent));
    return [{ field, displayed: value, expected, ours, matches, isRight: matches.includes(expected) }];
  });
}

function definitions(): Definition[] {
  return Object.keys(DEFINITIONS) as Definition[];
}

/** Trackers' figures are floats already. */
function isNear(one: number | null, other: number | null, percent: number): boolean {
  return one !== null && other !== null && Math.abs(one - other) <= (Math.abs(other) * percent) / 100;
}

/** Our figures as callers get them, or why there are none. */
export async function oursAt(url: string, fetch = globalThis.fetch): Promise<Ours | { readonly problem: string }> {
  const get = async (path: string): Promise<unknown> => {
    const response = await fetch(url + path, { signal: AbortSignal.timeout(DEADLINE_MS) });
    // Without a chain, or without listed wallets, there is no such figure.
    if (response.status === 404 && path !== SCHEDULE) return null;
    if (!response.ok) throw new Error(`${path} answers ${response.status}`);
    return response.json();
  };
  try {
    const schedule = await get(SCHEDULE);
    const { token, state } = isRecord(schedule) ? schedule : {};
    if (!isRecord(token) || typeof token["symbol"] !== "string") throw new Error(`${SCHEDULE} names no symbol`);
    const figures: Record<string, number | null> = {};
    for (const [definition, path] of Object.entries(DEFINITIONS)) {
      const value = definition === "unlocked" && state === "not_started" ? null : await get(path);
      if (value !== null && typeof value !== "number") throw new Error(`${path} is not a number`);
      figures[definition] = value;
    }
    return { symbol: token["symbol"], figures: figures as Record<Definition, number | null> };
  } catch (cause) {
    return { problem: cause instanceof Error ? cause.message : String(cause) };
  }
}

const SCHEDULE = "/api/allocations";
const DEADLINE_MS = 20_000;
