import { isFuture } from "../base/utc.ts";
import { type AcceptedPrice, type ReportedPrice, type SharePriceState, seriesOf } from "../chain/share-price.ts";
import type { NodeError } from "../families/chain-node.ts";
import { type Agreement, hasOneNode, NOT_READ, type Uncontradicted } from "./agreement.ts";
import { distance, LONE_REPORT } from "./lone-report.ts";
import { remedyOf } from "./outage.ts";
import { percentOf, type ReadingRules } from "./rules.ts";

/**
 * Accepts or rejects each price of a reading by itself, so that a price never delays the figures of the token. What one
 * node reports alone is decided as for an amount, and what is far from the last price must be repeated, whoever reports
 * it. A rejected price leaves the last accepted one in place.
 */
export function acceptPrices(
  before: readonly SharePriceState[],
  agreement: Agreement,
  rules: ReadingRules,
  atMs: number,
): readonly SharePriceState[] {
  return (rules.prices ?? []).map((share, index) => {
    const series = seriesOf(share, rules.chain.chainId);
    const earlier = before.find((state) => state.series === series) ?? { ...NEVER_READ, series };
    return acceptPrice({ ...earlier, id: share.id }, agreement.prices?.[index] ?? NOT_READ, agreement, rules, atMs);
  });
}

/** Decisions about a price that two nodes report. A loan can move a price for one block, as it cannot move a supply. */
const CONFIRMED_REPORT = { first: "confirmed", near: "confirmed", far: "accepted_if_repeated" } as const;

const NEVER_READ = { price: null, reference: null, doubt: null, confirmedBy: [], unreadable: null } as const;

function acceptPrice(
  before: SharePriceState,
  agreed: Uncontradicted<ReportedPrice> | NodeError,
  { ledgerVersion, configured }: Agreement,
  { isTrusted, stepPercent, confirmMs }: ReadingRules,
  atMs: number,
): SharePriceState {
  const heldBecause = (unreadable: string, doubt: AcceptedPrice | null = null): SharePriceState => {
    return { ...before, doubt, confirmedBy: [], unreadable };
  };
  if ("why" in agreed) return heldBecause(agreed.reason);
  const { value: reported, confirmedBy } = agreed;
  const price = { ...reported, ledgerVersion, readAtMs: atMs };
  const taken = (reference: bigint | null): SharePriceState => {
    return { ...before, price, reference, doubt: null, confirmedBy, unreadable: null };
  };
  const { reference, doubt } = before;
  const isNear = (value: bigint) => distance(value, price.value) <= percentOf(stepPercent, value);
  const place = reference === null ? "first" : isNear(reference) ? "near" : "far";
  const isConfirmed = confirmedBy.length > 1 || isTrusted;
  const decisions = isConfirmed ? CONFIRMED_REPORT : LONE_REPORT[hasOneNode({ configured }) ? "one" : "several"];
  const decision = decisions[place];
  if (decision === "confirmed") return taken(price.value);
  if (decision === "accepted") return taken(reference);
  if (decision === "waits") {
    const absent = configured.filter((label) => !confirmedBy.includes(label));
    return heldBecause(`only ${confirmedBy[0]} reports it; ${remedyOf(absent, configured)}`);
  }
  const first = doubt !== null && !isFuture(doubt.readAtMs, atMs) && isNear(doubt.value) ? doubt : null;
  if (first !== null && atMs - first.readAtMs >= confirmMs && ledgerVersion > first.ledgerVersion)
    return taken(price.value);
  return heldBecause("the price is far from the last one and awaits a second reading", first ?? price);
}
