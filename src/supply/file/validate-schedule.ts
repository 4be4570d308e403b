import { type BaseUnits, tokenText } from "../../chain/amount.ts";
import { type Holding, NATIVE_CHAIN } from "../../chain/holding.ts";
import { furtherChains, type TokenChain } from "../../families/token-chain.ts";
import { type Calendar, monthText, stepMs } from "../calendar.ts";
import { rows } from "../circulating.ts";
import {
  type Adjustment,
  BURN,
  type Bucket,
  type Phase,
  type Schedule,
  type UnlockSchedule,
  type WalletList,
} from "../schedule.ts";
import { holdingKey } from "../wallets.ts";
import { largestDocument } from "./document-size.ts";
import type { ScheduleError, ScheduleResult } from "./schedule-result.ts";
import { monthAfter, stepIndexFrom, stepIndexOfMonth } from "./steps.ts";

/** A file with valid shapes whose meaning is not validated yet. */
export type Draft = UnlockDraft | WalletList;

export interface UnlockDraft extends Omit<UnlockSchedule, "plan" | "adjustments" | "lastIndex"> {
  readonly plan:
    | { readonly kind: "buckets"; readonly buckets: readonly Bucket[] }
    | {
        readonly kind: "table";
        readonly table: readonly { readonly month: string; readonly circulating: BaseUnits }[];
      };
  readonly adjustments: readonly (Omit<Adjustment, "index"> & { readonly month: string })[];
}

const MAX_INDEX = 2400;

/** Validates sums, order and bounds; returns the schedule when all of them hold. */
export function validateSchedule(draft: Draft): ScheduleResult {
  const errors: ScheduleError[] = [...capErrors(draft), ...walletErrors(draft), ...chainErrors(draft)];
  if (draft.plan === null) return result(draft, errors);
  errors.push(...planErrors(draft));
  if (errors.length > 0) return result(null, errors);
  const schedule = scheduleOf(draft);
  errors.push(...(schedule.lastIndex > MAX_INDEX ? [tooLong] : documentErrors(schedule)));
  return result(schedule, errors.length > 0 ? errors : boundErrors(schedule));
}

function result(schedule: Schedule | null, [first, ...others]: readonly ScheduleError[]): ScheduleResult {
  if (schedule !== null && first === undefined) return { kind: "schedule", schedule };
  return { kind: "errors", errors: [first ?? tooLong, ...others] };
}

/** A draft without its plan, which is checked against it. */
type PlanTerms = Omit<UnlockDraft, "plan">;

function planErrors({ plan, ...draft }: UnlockDraft): ScheduleError[] {
  if (plan.kind === "table") return tableErrors(draft, plan.table);
  return [...bucketErrors(draft, plan.buckets), ...adjustmentErrors(draft, plan.buckets)];
}

const tooLong: ScheduleError = { path: "", message: `unlocks for more than ${MAX_INDEX / 12} years after the start` };

const MEBIBYTE = 1_048_576;
/** Writing one takes up to ten times its length: an isolate has 128 MB for that, its copies and everything else. */
const MAX_DOCUMENT_BYTES = 4 * MEBIBYTE;

function documentErrors(schedule: UnlockSchedule): ScheduleError[] {
  const { path, bytes } = largestDocument(schedule);
  if (bytes <= MAX_DOCUMENT_BYTES) return [];
  const size = `${path} would have up to ${(bytes / MEBIBYTE).toFixed(1)} MiB, at most ${MAX_DOCUMENT_BYTES / MEBIBYTE} MiB`;
  const remedy = "an isolate with more runs out of memory; list fewer or larger buckets, fewer unlocks, shorter names";
  return [{ path: schedule.plan.kind === "table" ? "table" : "buckets", message: `${size}: ${remedy}` }];
}

function capErrors({ maxSupply }: Draft): ScheduleError[] {
  return maxSupply === 0n ? [{ path: "max_supply", message: "must be more than 0" }] : [];
}

function bucketErrors({ token, maxSupply }: PlanTerms, buckets: readonly Bucket[]): ScheduleError[] {
  const errors: ScheduleError[] = [];
  const text = (amount: BaseUnits): string => tokenText(amount, token.decimals);
  buckets.forEach(({ id, allocation, genesis, phases }, index) => {
    const path = `buckets[${index}]`;
    const first = buckets.findIndex((bucket) => bucket.id === id);
    if (first !== index) errors.push({ path: `${path}.id`, message: `${id} is also the id of buckets[${first}]` });
    const sum = phases.reduce((total, { amount }) => total + amount, genesis);
    if (sum !== allocation)
      errors.push({ path: `${path}.allocation`, message: `${text(allocation)} is not genesis + phases, ${text(sum)}` });
    phases.forEach((phase, at) => {
      if (phase.kind === "linear" && phase.toMs <= phase.fromMs)
        errors.push({ path: `${path}.phases[${at}].to`, message: "must be later than from" });
    });
  });
  const total = buckets.reduce((sum, { allocation }) => sum + allocation, 0n);
  if (total !== maxSupply)
    errors.push({
      path: "buckets",
      message: `allocations add up to ${text(total)}, not to max_supply ${text(maxSupply)}`,
    });
  return errors;
}

/** A reading takes up to three views per wallet: below the platform's subrequest limits. */
const MAX_WALLETS = 256;

interface Listed {
  readonly holding: Holding;
  readonly path: string;
}

/** Every holding of the file with its place. */
function listedIn({ plan, wallets }: Draft): Listed[] {
  const inBuckets = plan?.kind === "buckets" ? plan.buckets : [];
  return [
    ...inBuckets.flatMap(({ addresses }, bucket) =>
      addresses.map((holding, at) => ({ holding, path: `buckets[${bucket}].addresses[${at}]` })),
    ),
    ...wallets.map((holding, at) => ({ holding, path: `wallets[${at}]` })),
  ];
}

/** A holding listed twice would be subtracted twice. */
function walletErrors(draft: Draft): ScheduleError[] {
  const listed = listedIn(draft);
  const firstPlace = new Map<string, string>();
  const errors = listed.flatMap(({ holding, path }): ScheduleError[] => {
    const key = holdingKey(holding);
    const first = firstPlace.get(key);
    if (first === undefined) firstPlace.set(key, path);
    const message = `${holding.address} is also ${first} with the same kind: each holding is counted once`;
    return first === undefined ? [] : [{ path: `${path}.address`, message }];
  });
  errors.push(...partErrors(listed));
  for (const chain of [NATIVE_CHAIN, ...furtherChains(draft.chains).map(({ id }) => id)]) {
    const count = listed.filter(({ holding }) => holding.chain === chain).length;
    const where = chain === NATIVE_CHAIN ? "this chain" : chain;
    const message = `${count} wallets on ${where}, with those of buckets; at most ${MAX_WALLETS}`;
    if (count > MAX_WALLETS) errors.push({ path: "wallets", message });
  }
  return errors;
}

/** A token that is read twice would be counted twice; an escrow that is a wallet would be subtracted, although its tokens circulate. */
function chainErrors(draft: Draft): ScheduleError[] {
  const { chains = [] } = draft;
  const places = new Map(listedIn(draft).map(({ holding, path }) => [placeOf(holding), path]));
  const tokens = chains.map(({ family, chainId, asset }) => `${family} ${chainId} ${asset.text}`);
  return chains.flatMap(({ id, escrow }, index) => {
    const errors: ScheduleError[] = [];
    const error = (name: string, message: string) => errors.push({ path: `chains[${index}].${name}`, message });
    const same = chains.findIndex((chain) => chain.id === id);
    if (same !== index) error("id", `${id} is also the id of chains[${same}]; each chain has one of its own`);
    else if (id === NATIVE_CHAIN && index > 0) error("id", `${id} is the first chain: put it first`);
    const token = tokens.indexOf(tokens[index] ?? "");
    if (token !== index) error("asset", `is also the asset of chains[${token}], on the same chain: list it once`);
    if (escrow === null) return errors;
    if (escrow.chain === id)
      error("escrow.chain", `must be another chain than ${id} itself: tokens are locked where they come from`);
    const circle = escrow.chain === id ? null : circleOf(id, chains);
    if (circle !== null)
      error(
        "escrow.chain",
        `nothing backs ${id}, because its escrows lead in a circle (${circle.join(" -> ")}): a chain of escrows ends on ${NATIVE_CHAIN} or another issued chain`,
      );
    const wallet = places.get(placeOf(escrow));
    if (wallet !== undefined)
      error(
        "escrow.address",
        `is also ${wallet}: what is locked there circulates on ${id}, so the escrow is no wallet; take that out`,
      );
    return errors;
  });
}

/** The chains from this one to its escrow's and on, up to the first that comes again; null: they end on an issued one. */
function circleOf(id: string, chains: readonly TokenChain[]): readonly string[] | null {
  const path = [id];
  for (;;) {
    const last = path.at(-1);
    const next = chains.find((chain) => chain.id === last)?.escrow?.chain;
    if (next === undefined) return null;
    if (path.includes(next)) return [...path, next];
    path.push(next);
  }
}

/** A delegation beside the pool that it is in would be subtracted twice, too. */
function partErrors(listed: readonly Listed[]): ScheduleError[] {
  const pools = new Map(
    listed.flatMap(({ holding, path }) => (holding.holds === "stake_pool" ? [[placeOf(holding), path] as const] : [])),
  );
  return listed.flatMap(({ holding, path }) => {
    if (holding.holds !== "delegation") return [];
    const whole = pools.get(placeOf({ ...holding, address: holding.pool }));
    const message = `${holding.pool} is the stake pool ${whole}, whose stake this delegation is a part of: list one of them`;
    return whole === undefined ? [] : [{ path: `${path}.pool`, message }];
  });
}

function placeOf({ chain, address }: Pick<Holding, "chain" | "address">): string {
  return `${chain} ${address}`;
}

function adjustmentErrors({ adjustments, calendar }: PlanTerms, buckets: readonly Bucket[]): ScheduleError[] {
  return adjustments.flatMap(({ month, bucket, delta, kind }, index) => {
    const path = `adjustments[${index}]`;
    const errors: ScheduleError[] = [];
    if (stepIndexOfMonth(calendar, month) === -1)
      errors.push({ path: `${path}.month`, message: `${month} is before the start` });
    if (!buckets.some(({ id }) => id === bucket))
      errors.push({ path: `${path}.bucket`, message: `${bucket} is not the id of a bucket` });
    if (delta === 0n) errors.push({ path: `${path}.delta`, message: "must not be 0" });
    if (kind === BURN && delta > 0n)
      errors.push({ path: `${path}.delta`, message: "must have a minus sign: a burn takes away" });
    return errors;
  });
}

function tableErrors(
  { calendar, maxSupply, token }: PlanTerms,
  table: Extract<UnlockDraft["plan"], { kind: "table" }>["table"],
): ScheduleError[] {
  const text = (amount: BaseUnits): string => tokenText(amount, token.decimals);
  const firstMonth = monthText(calendar.startMs);
  if (table.length === 0) return [{ path: "table", message: "must contain at least one month" }];
  if (monthText(stepMs(calendar, 1)) === firstMonth)
    return [
      { path: "start", message: `must not precede step_day: the figure of ${firstMonth} holds from its step on` },
    ];
  const errors: ScheduleError[] = [];
  table.forEach(({ month, circulating }, index) => {
    const path = `table[${index}]`;
    const before = table[index - 1];
    const expected = before === undefined ? firstMonth : monthAfter(before.month);
    if (month > expected) errors.push({ path: `${path}.month`, message: `${month} where ${expected} is missing` });
    else if (month < expected && before === undefined)
      errors.push({ path: `${path}.month`, message: `${month} is before the start, ${firstMonth}` });
    else if (month === before?.month) errors.push({ path: `${path}.month`, message: `${month} is repeated` });
    else if (month < expected)
      errors.push({ path: `${path}.month`, message: `${month} is out of order, after ${before?.month}` });
    if (before !== undefined && circulating < before.circulating)
      errors.push({
        path: `${path}.circulating`,
        message: `${text(circulating)} falls below ${text(before.circulating)} of the month before; a burn or a correction needs a bucket: npm run schedule -- convert`,
      });
    if (circulating > maxSupply)
      errors.push({
        path: `${path}.circulating`,
        message: `${text(circulating)} is over max_supply ${text(maxSupply)}`,
      });
  });
  return errors;
}

function scheduleOf({ plan, adjustments, ...rest }: UnlockDraft): UnlockSchedule {
  const placed = adjustments.map(({ month, ...entry }) => ({
    ...entry,
    index: stepIndexOfMonth(rest.calendar, month),
  }));
  if (plan.kind === "table") {
    const figures = plan.table.map(({ circulating }) => circulating);
    return { ...rest, plan: { kind: "table", figures }, adjustments: placed, lastIndex: figures.length - 1 };
  }
  const ends = plan.buckets.flatMap(({ phases }) => phases.map((phase) => endOf(phase, rest.calendar)));
  // Rows continue to the last adjustment: a figure that will change is not the last one.
  const lastIndex = [...ends, ...placed.map(({ index }) => index)].reduce((last, index) => Math.max(last, index), 0);
  return { ...rest, plan, adjustments: placed, lastIndex };
}

const DAY_MS = 86_400_000;

/** The first step at which a phase is complete; 0 for one that never unlocks. */
function endOf(phase: Phase, calendar: Calendar): number {
  switch (phase.kind) {
    case "cliff":
      return phase.month;
    case "monthly":
      return phase.firstMonth + (phase.count - 1) * phase.everyMonths;
    case "daily":
      return stepIndexFrom(
        calendar,
        calendar.startMs + (phase.firstDay + (phase.count - 1) * phase.everyDays) * DAY_MS,
      );
    case "linear":
      return stepIndexFrom(calendar, phase.toMs);
    case "never":
      return 0;
  }
}

/** Adjustments must not make a bucket negative or exceed the maximum: reports the first such step. */
function boundErrors(schedule: UnlockSchedule): ScheduleError[] {
  const text = (amount: BaseUnits): string => tokenText(amount, schedule.token.decimals);
  for (const { effectiveFromMs, circulating, buckets } of rows(schedule)) {
    const month = monthText(effectiveFromMs);
    if (circulating > schedule.maxSupply)
      return [{ path: "adjustments", message: `circulating is ${text(circulating)} in ${month}, over max_supply` }];
    const below = buckets.find((bucket) => bucket.circulating < 0n);
    if (below !== undefined)
      return [{ path: "adjustments", message: `${below.id} is ${text(below.circulating)} in ${month}, below 0` }];
  }
  return [];
}
