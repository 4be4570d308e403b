import { DAY_MS, dayText } from "../../src/base/utc.ts";
import { tokenText } from "../../src/chain/amount.ts";
import type { Holding } from "../../src/chain/holding.ts";
import type { SharePrice } from "../../src/chain/share-price.ts";
import type { TokenChain } from "../../src/families/token-chain.ts";
import { allSteps, dayAt, hasDayPhases, stepAt, stepOf } from "../../src/supply/circulating.ts";
import {
  type Constant,
  hasUnlocks,
  type Phase,
  type Schedule,
  type UnlockSchedule,
} from "../../src/supply/schedule.ts";
import { holdingKey } from "../../src/supply/wallets.ts";
import type { ScheduleContext } from "./files.ts";
import { movedFigures } from "./moved-figures.ts";
import { aligned } from "./print.ts";

/** Reports the changes from one schedule to another, month by month, and the steps that must follow. */
export function diff(context: ScheduleContext, old: Schedule, changed: Schedule): string {
  const lines = rowLines(old, changed);
  const today = dayText(context.nowMs);
  const past = lines.filter(([from = ""]) => from <= today).length;
  const all = headLines(old, changed).length + lines.length;
  return [changes(old, changed), "", ...nextSteps(old, changed, past, all)].join("\n");
}

/**
 * Reports the changes alone: first names, rules and wallets, then figures month by month. Figures on chain that the
 * change may move come last, by name only, because their values depend on the chain.
 */
export function changes(old: Schedule, changed: Schedule): string {
  const lines = rowLines(old, changed);
  const moved = movedFigures(old, changed, lines.length > 0);
  const days = changedDays(old, changed);
  const none = moved.length === 0 ? "No figure changes." : "No figure of the plan changes.";
  return [
    ...headLines(old, changed),
    ...(lines.length > 0 ? [aligned([["from", "", "old", "new", "difference"], ...lines])] : []),
    ...(days.length > 0 ? [daysText(days, lines.length === 0)] : []),
    ...(lines.length + days.length > 0 ? [] : [none]),
    ...(moved.length === 0 ? [] : [`Figures on chain that may change: ${moved.join(", ")}.`]),
  ].join("\n");
}

/** Lines for all differences other than monthly figures. */
function headLines(old: Schedule, changed: Schedule): string[] {
  const [before, after] = [partsOf(old), partsOf(changed)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [was, is] = [before.get(name) || "-", after.get(name) || "-"];
    return was === is ? [] : [`${name}: ${was} -> ${is}`];
  });
}

/** Names and texts of all parts of a schedule other than its monthly figures. */
function partsOf(schedule: Schedule): Map<string, string> {
  const { token, maxSupply, constants = [] } = schedule;
  return new Map([
    ["kind", hasUnlocks(schedule) ? "unlock schedule" : "wallets alone"],
    ["revision", String(schedule.revision)],
    ["published_at", schedule.publishedAt],
    ["publisher", schedule.publisher ?? "-"],
    ["sample", String(schedule.sample)],
    ["sources", schedule.sources.map(({ title, url }) => `${title} <${url}>`).join(", ")],
    ["methodology", schedule.methodology ?? "-"],
    ["symbol", token.symbol],
    ["name", token.name],
    ["decimals", String(token.decimals)],
    ["max_supply", maxSupply === null ? "none" : tokenText(maxSupply, token.decimals)],
    ["minted_once", String(schedule.mintedOnce ?? false)],
    ["chains", (schedule.chains ?? []).map(chainText).join(", ")],
    ["share_prices", (schedule.sharePrices ?? []).map(shareText).join(", ")],
    ...(hasUnlocks(schedule) ? unlockParts(schedule) : []),
    ["wallets", schedule.wallets.map((wallet) => `${wallet.category} ${holdingText(wallet)}`).join(", ")],
    ["constants", constants.map((constant) => constantText(constant, token.decimals)).join(", ")],
  ]);
}

function unlockParts({ token, calendar, adjustments, plan }: UnlockSchedule): Map<string, string> {
  const text = (amount: bigint): string => tokenText(amount, token.decimals);
  const adjustmentText = ({ bucket, delta, kind, source }: UnlockSchedule["adjustments"][number]): string =>
    `${bucket} ${text(delta)} ${kind} <${source}>`;
  const parts = new Map([
    ["start", dayText(calendar.startMs)],
    ["step_day", String(calendar.stepDay)],
    ["adjustments", adjustments.map(adjustmentText).join(", ")],
  ]);
  if (plan.kind === "table") return parts;
  for (const { id, label, category, allocation, genesis, phases, addresses, source, precision } of plan.buckets) {
    parts.set(`${id}.label`, label);
    parts.set(`${id}.category`, category);
    parts.set(`${id}.source`, source ?? "-");
    parts.set(`${id}.precision`, precision ?? "-");
    parts.set(`${id}.allocation`, text(allocation));
    parts.set(`${id}.genesis`, text(genesis));
    parts.set(`${id}.phases`, phases.map((phase) => phaseText(phase, text)).join("; "));
    parts.set(`${id}.addresses`, addresses.map(holdingText).join(", "));
  }
  return parts;
}

function constantText({ category, amount, label, fromMs, source }: Constant, decimals: number): string {
  return `${category} ${tokenText(amount, decimals)} "${label}" from ${dayText(fromMs)} <${source}>`;
}

function chainText({ id, family, chainId, asset, supply, escrow, circulatingView: compared }: TokenChain): string {
  const backing = escrow === null ? "" : ` from ${escrow.address} on ${escrow.chain}`;
  const view = compared === undefined ? "" : `, compared with ${compared.view} of ${compared.contract}`;
  return `${id} ${family} ${chainId} ${asset.text} ${supply}${backing}${view}`;
}

/** Writes every member of a share price, because readers see the name and the asset too. */
function shareText({ id, name, kind, provider, url, asset, chain, contract, view, decimals }: SharePrice): string {
  const worth = [asset.symbol, asset.address, asset.decimals].filter((part) => part !== null).join(" ");
  return `${id} by ${view} of ${contract} on ${chain} with ${decimals} decimals: ${kind} "${name}" of ${provider} in ${worth} <${url ?? "-"}>`;
}

function holdingText(holding: Holding): string {
  return `${holdingKey(holding)} "${holding.label}"`;
}

function phaseText({ amount, ...rule }: Phase, text: (amount: bigint) => string): string {
  const fields = Object.entries(rule).map(([name, value]) =>
    typeof value === "number" && name.endsWith("Ms") ? dayText(value) : String(value),
  );
  return [text(amount), ...fields].join(" ");
}

/**
 * Rows for the days from which the figure in force differs. After a schedule's last row its last figure stays in force.
 */
function rowLines(old: Schedule, changed: Schedule): string[][] {
  const steps = (schedule: Schedule): readonly (readonly [string, string])[] =>
    allSteps(schedule).map((row) => [
      dayText(row.effectiveFromMs),
      tokenText(row.circulating, schedule.token.decimals),
    ]);
  const [before, after] = [steps(old), steps(changed)];
  const days = [...new Set([...before, ...after].map(([day]) => day))].sort();
  const inForce = (all: typeof before, day: string) => all.findLast(([from]) => from <= day)?.[1];
  return days.flatMap((day) => {
    const [was, is] = [inForce(before, day), inForce(after, day)];
    return was === is ? [] : [[day, mark(was, is), was ?? "-", is ?? "-", difference(was, is)]];
  });
}

/** Lists the days on which the daily figure differs although the monthly figure in force is the same. */
function changedDays(old: Schedule, changed: Schedule): string[] {
  if (!hasUnlocks(old) || !hasUnlocks(changed) || ![old, changed].some(hasDayPhases)) return [];
  const startMs = Math.min(old.calendar.startMs, changed.calendar.startMs);
  const endMs = Math.max(...[old, changed].map((schedule) => stepOf(schedule, schedule.lastIndex).effectiveFromMs));
  const days = Array.from({ length: (endMs - startMs) / DAY_MS + 1 }, (_, index) => startMs + index * DAY_MS);
  const differs = (figure: typeof dayFigure, dayMs: number): boolean => figure(old, dayMs) !== figure(changed, dayMs);
  return days.filter((dayMs) => !differs(stepFigure, dayMs) && differs(dayFigure, dayMs)).map(dayText);
}

function stepFigure(schedule: UnlockSchedule, dayMs: number): string | undefined {
  const step = stepAt(schedule, dayMs);
  return step && tokenText(step.circulating, schedule.token.decimals);
}

/** Daily figure of a schedule; without phases of days it is the monthly one. */
function dayFigure(schedule: UnlockSchedule, dayMs: number): string | undefined {
  const day = hasDayPhases(schedule) ? dayAt(schedule, dayMs) : stepAt(schedule, dayMs);
  return day && tokenText(day.circulating, schedule.token.decimals);
}

function daysText(days: readonly string[], areMonthsEqual: boolean): string {
  const when = days.length === 1 ? `on ${days[0]}` : `on ${days.length} days, from ${days[0]} to ${days.at(-1)}`;
  return areMonthsEqual
    ? `The monthly figures stay, and the daily figure changes ${when}.`
    : `Where the monthly figure stays, the daily figure changes ${when}.`;
}

function mark(was: string | undefined, is: string | undefined): string {
  return was === undefined ? "added" : is === undefined ? "removed" : "changed";
}

const FINEST = 36;

function difference(was: string | undefined, is: string | undefined): string {
  if (was === undefined || is === undefined) return "-";
  const units = (text: string): bigint => {
    const [whole = "0", fraction = ""] = text.split(".");
    return BigInt(whole + fraction.padEnd(FINEST, "0"));
  };
  const change = units(is) - units(was);
  return (change > 0n ? "+" : "") + tokenText(change, FINEST);
}

function nextSteps(old: Schedule, changed: Schedule, past: number, all: number): string[] {
  if (all === 0) return ["Next: nothing to do."];
  const steps: string[] = [];
  if (changed.revision <= old.revision) steps.push(`raise revision above ${old.revision} and set published_at`);
  if (past > 0)
    steps.push(`${past} of these changes are in the past: each needs an entry in adjustments with its source`);
  steps.push("npm run schedule -- check", "commit, then npm run deploy");
  return ["Next:", ...steps.map((step, index) => `  ${index + 1}. ${step}`)];
}
