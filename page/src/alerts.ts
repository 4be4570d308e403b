import type { Token, UnlockSchedule } from "../../src/supply/schedule.ts";
import { columnOf, growthOf, isWhole } from "../view/format.ts";
import { type Holdings, units } from "./documents.ts";
import { abovePlanOf } from "./reconciliation.ts";
import { isShort, readingDefects } from "./verdict.ts";

/** Fact that a reader must not miss. It is displayed in the first view, with its amount first. */
export interface Alert {
  /** `short`: tokens are not where the schedule has them. `partial`: a figure is unknown, or tokens are not minted. */
  readonly state: "short" | "partial";
  readonly fact: string;
  readonly detail: string;
}

/** Number of allocations that are named; the others are counted. */
const NAMED = 2;

/**
 * Returns the alerts of a reading, the most severe first; none while nothing is wrong. An amount below a whole token
 * counts as rounding and gives no alert. `unread`: why the reading is not renewed, as sentences.
 */
export function alertsOf(value: Holdings | undefined, unread: string, schedule: UnlockSchedule): readonly Alert[] {
  return [
    ...(value === undefined
      ? []
      : [
          ...amountAlerts(value, schedule),
          ...maximumAlerts(value, schedule.maxSupply, schedule.token),
          ...readingAlerts(value),
          ...notExistingAlerts(value, schedule),
        ]),
    ...unreadAlerts(unread),
  ];
}

/** Returns an alert of a reading that is not renewed, for these sentences; none for an empty text. */
export function unreadAlerts(unread: string): Alert[] {
  const [fact = "", ...rest] = unread.split(/(?<=\.) /);
  return unread === "" ? [] : [{ state: "partial", fact, detail: rest.join(" ") }];
}

/** Returns an alert if more circulates than planned, or else if wallets of an allocation hold less than must be locked. */
function amountAlerts(value: Holdings, schedule: UnlockSchedule): Alert[] {
  const { token } = schedule;
  const { buckets, circulating_supply_scheduled: scheduled } = value.breakdown;
  const text = (amount: bigint): string => `${columnOf(amount, token.decimals)} ${token.symbol}`;
  const lacks = buckets
    .filter((one) => isShort(one, token.decimals))
    .map(({ label, difference }) => {
      return { label, lack: difference === null ? 0n : -units(difference) };
    });
  const named = lacks.slice(0, NAMED).map(({ label, lack }) => `${label}: ${columnOf(lack, token.decimals)}`);
  const others = lacks.length > NAMED ? `, and ${lacks.length - NAMED} more` : "";
  const held = lacks.length === 0 ? "" : `Held for ${named.join(", ")} less than scheduled${others}.`;
  const above = abovePlanOf(value, schedule) ?? 0n;
  if (isWhole(above, token.decimals)) {
    const part = growthOf(above, scheduled === null ? 0n : units(scheduled));
    const fact = `${text(above)} more circulate than planned${part === "" ? "" : ` (${part})`}.`;
    return [{ state: "short", fact, detail: held }];
  }
  if (lacks.length === 0) return [];
  const sum = lacks.reduce((all, { lack }) => all + lack, 0n);
  const who = lacks.slice(0, NAMED).map(({ label }) => label);
  const fact = `${text(sum)} less than scheduled are held for ${who.join(", ")}${others}.`;
  return [{ state: "short", fact, detail: "" }];
}

/** Returns an alert if more exists than the maximum; null: the token has no maximum. */
export function maximumAlerts(
  { total }: Pick<Holdings, "total">,
  maximum: bigint | null,
  { symbol, decimals }: Pick<Token, "symbol" | "decimals">,
): Alert[] {
  const excess = total - (maximum ?? total);
  if (!isWhole(excess, decimals)) return [];
  const fact = `${columnOf(excess, decimals)} ${symbol} more exist on chain than the maximum.`;
  return [{ state: "short", fact, detail: "" }];
}

/** Returns alerts of chains and wallets that this reading lacks, and of wallets whose balance fell. */
export function readingAlerts({ breakdown }: Pick<Holdings, "breakdown">): Alert[] {
  return readingDefects(breakdown).map((defect) => ({ state: "partial", fact: `${defect}.`, detail: "" }));
}

/** Returns an alert if the plan counts tokens that do not exist. Whether they were ever minted is not known. */
function notExistingAlerts({ breakdown, total, onChain }: Holdings, { token }: UnlockSchedule): Alert[] {
  const text = (amount: bigint): string => columnOf(amount, token.decimals);
  const scheduled = breakdown.circulating_supply_scheduled;
  const gap = scheduled === null ? 0n : units(scheduled) - total;
  if (!isWhole(gap, token.decimals)) return [];
  const fact = `${text(gap)} ${token.symbol} of it are not minted yet, or burned:`;
  return [{ state: "partial", fact, detail: `${text(onChain)} circulate on chain, ${text(total)} exist.` }];
}
