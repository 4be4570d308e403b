import { isRecord, parseJson } from "../../src/base/json.ts";
import type { DisplayedFigures } from "./displayed.ts";

/** Our figures in tokens; null: the deployment does not serve one. */
export interface OurFigures {
  readonly symbol: string;
  readonly figures: Readonly<Record<Definition, number | null>>;
}

/** Our definitions of a figure, each with its path. */
export const DEFINITIONS = {
  "on chain": "/api/circulating-supply-on-chain",
  unlocked: "/api/circulating-supply",
  total: "/api/total-supply",
  max: "/api/max-supply",
} as const;
export type Definition = keyof typeof DEFINITIONS;

/** Definition that each field of a tracker must match, as the manual's page on tracker forms says. */
const FIELDS: Readonly<Record<keyof Omit<DisplayedFigures, "kind">, Definition>> = {
  circulating: "on chain",
  unlocked: "unlocked",
  total: "total",
  max: "max",
};

export interface ComparedFigure {
  readonly field: string;
  readonly displayed: number | null;
  readonly expected: Definition;
  readonly ours: number | null;
  /** Definitions whose figures are within the tolerance; several if their figures are equal. */
  readonly matches: readonly Definition[];
  readonly isRight: boolean;
}

/** Compares each figure that a tracker displays with the expected one. A figure that neither side has is left out. */
export function compareDisplayed(
  displayed: DisplayedFigures,
  { figures }: OurFigures,
  tolerancePercent: number,
): ComparedFigure[] {
  return Object.entries(FIELDS).flatMap(([field, definition]) => {
    const value = displayed[field as keyof typeof FIELDS];
    // Without listed wallets no figure on chain is served, so trackers were given the unlocked one.
    const expected = definition === "on chain" && figures["on chain"] === null ? "unlocked" : definition;
    const ours = figures[expected];
    // CoinMarketCap displays an unlocked figure for only a few tokens.
    if (value === undefined || (field === "unlocked" && value === null)) return [];
    // Skip a total that we do not read, and a figure that neither side has, as before the start.
    if (ours === null && (value === null || definition === "total")) return [];
    const matches = definitions().filter((each) => isNear(value, figures[each], tolerancePercent));
    return [{ field, displayed: value, expected, ours, matches, isRight: matches.includes(expected) }];
  });
}

function definitions(): Definition[] {
  return Object.keys(DEFINITIONS) as Definition[];
}

/** Compares numbers, not exact decimals: trackers' figures are floats. */
function isNear(one: number | null, other: number | null, percent: number): boolean {
  return one !== null && other !== null && Math.abs(one - other) <= (Math.abs(other) * percent) / 100;
}

/** Requests our figures as callers do, or returns the reason why there are none. */
export async function ourFiguresAt(
  url: string,
  fetch = globalThis.fetch,
): Promise<OurFigures | { readonly problem: string }> {
  const get = async (path: string): Promise<string | null> => {
    const response = await fetch(url + path, { signal: AbortSignal.timeout(DEADLINE_MS) });
    // Status 404: the figure is not served, because no chain is read or no wallet is listed.
    if (response.status === 404) return null;
    if (!response.ok) throw new Error(`${path} answers ${response.status}`);
    return response.text();
  };
  try {
    // Without an unlock schedule the wallets name the token.
    const published = parseJson((await get(SCHEDULE)) ?? (await get(WALLETS)) ?? "null");
    const { token, state } = isRecord(published) ? published : {};
    if (!isRecord(token) || typeof token["symbol"] !== "string")
      throw new Error(`neither ${SCHEDULE} nor ${WALLETS} has a symbol`);
    const figures: Record<string, number | null> = {};
    for (const [definition, path] of Object.entries(DEFINITIONS)) {
      // As text, which has figures of every size.
      const text = definition === "unlocked" && state === "not_started" ? null : await get(`${path}?format=plain`);
      if (text !== null && !/^\d+$/.test(text)) throw new Error(`${path} is not a number`);
      figures[definition] = text === null ? null : Number(text);
    }
    return { symbol: token["symbol"], figures: figures as Record<Definition, number | null> };
  } catch (cause) {
    return { problem: cause instanceof Error ? cause.message : String(cause) };
  }
}

const SCHEDULE = "/api/allocations";
const WALLETS = "/api/supply-breakdown";
const DEADLINE_MS = 20_000;
