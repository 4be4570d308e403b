import type { UnlockSchedule } from "../../src/supply/schedule.ts";
import { columnOf, share } from "../view/format.ts";
import { severalChains } from "./chain-nodes.ts";
import { type Holdings, units } from "./documents.ts";
import { abovePlanOf } from "./reconciliation.ts";
import { isShort } from "./verdict.ts";

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
  const [fact = "", ...rest] = unread.split(/(?<=\.) /);
  return [
    ...(value === undefined
      ? []
      : [...amountAlerts(value, schedule), ...readingAlerts(value), ...notExistingAlerts(value, schedule)]),
    ...(unread === "" ? [] : [{ state: "partial", fact, detail: rest.join(" ") } as const]),
  ];
}

/**
 * Returns alerts of amounts: more circulates than planned, more exists than the maximum, or wallets of an allocation
 * hold less than must be locked.
 */
function amountAlerts(value: Holdings, schedule: UnlockSchedule): Alert[] {
  const { token, maxSupply } = schedule;
  const { buckets, circulating_supply_scheduled: scheduled } = value.breakdown;
  const text = (amount: bigint): string => `${columnOf(amount, token.decimals)} ${token.symbol}`;
  const isWhole = (amount: bigint): boolean => amount >= 10n ** BigInt(token.decimals);
  const lacks = buckets.filter(isShort).map(({ label, difference }) => {
    return { label, lack: difference === null ? 0n : -units(difference) };
  });
  const named = lacks.slice(0, NAMED).map(({ label, lack }) => `${label}: ${columnOf(lack, token.decimals)}`);
  const others = lacks.length > NAMED ? `, and ${lacks.length - NAMED} more` : "";
  const held = lacks.length === 0 ? "" : `Held for ${named.join(", ")} less than scheduled${others}.`;
  const above = abovePlanOf(value, schedule) ?? 0n;
  const excess = value.total - maxSupply;
  const alerts: Alert[] = [];
  if (isWhole(above)) {
    const part = share(above, scheduled === null ? 0n : units(scheduled));
    const signed = part.startsWith("<") ? part : `+${part}`;
    const fact = `${text(above)} more circulate than planned (${signed}).`;
    alerts.push({ state: "short", fact, detail: held });
  } else if (lacks.length > 0) {
    const sum = lacks.reduce((all, { lack }) => all + lack, 0n);
    const who = lacks.slice(0, NAMED).map(({ label }) => label);
    const fact = `${text(sum)} less than scheduled are held for ${who.join(", ")}${others}.`;
    alerts.push({ state: "short", fact, detail: "" });
  }
  if (isWhole(excess))
    alerts.push({ state: "short", fact: `${text(excess)} more exist on chain than the maximum.`, detail: "" });
  return alerts;
}

/** Returns alerts of chains and wallets that this reading lacks, and of wallets whose balance fell. */
export function readingAlerts({ breakdown }: Holdings): Alert[] {
  const wallets = breakdown.non_circulating_wallets;
  const halved = wallets.filter(({ anomaly, observed_balance: now }) => anomaly && now !== null).length;
  const unread = wallets.filter(({ anomaly, observed_balance: now, balance }) => {
    return balance === null || (anomaly && now === null);
  }).length;
  const away = severalChains(breakdown).filter((chain) => chain.unavailable !== null);
  const facts = [
    ...away.map(({ chain }) => `The chain ${chain} could not be read.`),
    ...(unread === 0 ? [] : [`${unread} of ${wallets.length} wallets could not be read.`]),
    ...(halved === 0 ? [] : [`The balance of ${halved} of ${wallets.length} wallets fell by more than half.`]),
  ];
  return facts.map((fact) => ({ state: "partial", fact, detail: "" }));
}

/** Returns an alert if the plan counts tokens that do not exist: they are not minted yet, or burned. */
function notExistingAlerts(
  { breakdown, total, minted, onChain }: Holdings,
  { token, maxSupply }: UnlockSchedule,
): Alert[] {
  const text = (amount: bigint): string => columnOf(amount, token.decimals);
  const scheduled = breakdown.circulating_supply_scheduled;
  if (scheduled === null || units(scheduled) <= total) return [];
  const detail = `${text(onChain)} circulate on chain, ${text(total)} exist.`;
  const fact =
    minted < maxSupply
      ? `${text(maxSupply - minted)} ${token.symbol} are not minted yet:`
      : `${text(units(scheduled) - total)} ${token.symbol} of it do not exist on chain:`;
  return [{ state: "partial", fact, detail }];
}
