import { dayText } from "../../base/utc.ts";
import { type BaseUnits, tokenText } from "../../chain/amount.ts";
import { type Holding, NATIVE_CHAIN } from "../../chain/holding.ts";
import { type ChainFamily, familyOf } from "../../families/family.ts";
import type { TokenChain } from "../../families/token-chain.ts";
import { type Calendar, monthText, stepMs } from "../calendar.ts";
import { allSteps, dayAt, hasDayPhases } from "../circulating.ts";
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

/** Content of a file whose shape is valid and whose meaning is not validated yet. */
export type ScheduleDraft = UnlockDraft | WalletList;

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

/** Families of the token's chains, by their ids. */
type Families = ReadonlyMap<string, ChainFamily>;

/** Validates sums, order and bounds. Returns the schedule, or all errors. */
export function validateSchedule(draft: ScheduleDraft, families: Families): ScheduleResult {
  const errors: ScheduleError[] = [
    ...maximumErrors(draft),
    ...constantErrors(draft),
    ...walletErrors(draft, families),
    ...chainErrors(draft),
  ];
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

/** Members of a draft that its plan is checked against. */
type PlanTerms = Omit<UnlockDraft, "plan">;

function planErrors({ plan, ...draft }: UnlockDraft): ScheduleError[] {
  if (plan.kind === "table") return tableErrors(draft, plan.table);
  return [...bucketErrors(draft, plan.buckets), ...adjustmentErrors(draft, plan.buckets)];
}

const tooLong: ScheduleError = { path: "", message: `unlocks for more than ${MAX_INDEX / 12} years after the start` };

const MEBIBYTE = 1_048_576;
/** Maximum size of a document. Writing one takes up to ten times its size, and an isolate has 128 MB for everything. */
const MAX_DOCUMENT_BYTES = 4 * MEBIBYTE;

function documentErrors(schedule: UnlockSchedule): ScheduleError[] {
  const { path, bytes } = largestDocument(schedule);
  if (bytes <= MAX_DOCUMENT_BYTES) return [];
  const size = `${path} would have up to ${(bytes / MEBIBYTE).toFixed(1)} MiB, at most ${MAX_DOCUMENT_BYTES / MEBIBYTE} MiB`;
  const remedy = "an isolate with more runs out of memory; list fewer or larger buckets, fewer unlocks, shorter names";
  return [{ path: schedule.plan.kind === "table" ? "table" : "buckets", message: `${size}: ${remedy}` }];
}

function maximumErrors({ maxSupply, mintedOnce }: ScheduleDraft): ScheduleError[] {
  if (maxSupply === 0n) return [{ path: "max_supply", message: "must be more than 0" }];
  const message = "must not be true: without a maximum it is not known what was minted";
  return mintedOnce && maxSupply === null ? [{ path: "minted_once", message }] : [];
}

/** Finds constants without tokens, and those of a day after the file was published. */
function constantErrors({ constants = [], publishedAt }: ScheduleDraft): ScheduleError[] {
  return constants.flatMap(({ amount, fromMs }, index) => {
    const path = `constants[${index}]`;
    const late = `must not be after published_at, ${publishedAt}: a constant states what has happened`;
    return [
      ...(amount > 0n ? [] : [{ path: `${path}.amount`, message: "must be more than 0" }]),
      ...(dayText(fromMs) > publishedAt ? [{ path: `${path}.date`, message: late }] : []),
    ];
  });
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

/** Maximum number of wallets on all chains together: a reading with more is too large to be stored. */
const MAX_WALLETS = 1_024;

interface ListedHolding {
  readonly holding: Holding;
  readonly path: string;
}

/** Lists every holding of the file with its path. */
function listedIn({ plan, wallets }: ScheduleDraft): ListedHolding[] {
  const inBuckets = plan?.kind === "buckets" ? plan.buckets : [];
  return [
    ...inBuckets.flatMap(({ addresses }, bucket) =>
      addresses.map((holding, at) => ({ holding, path: `buckets[${bucket}].addresses[${at}]` })),
    ),
    ...wallets.map((holding, at) => ({ holding, path: `wallets[${at}]` })),
  ];
}

/** Finds holdings that are listed twice, because they would be subtracted twice, and chains with too many wallets. */
function walletErrors(draft: ScheduleDraft, families: Families): ScheduleError[] {
  const listed = listedIn(draft);
  const firstPlace = new Map<string, string>();
  const errors = listed.flatMap(({ holding, path }): ScheduleError[] => {
    const key = holdingKey(holding);
    const first = firstPlace.get(key);
    if (first === undefined) firstPlace.set(key, path);
    const message = `${holding.address} is also ${first} with the same kind: each holding is counted once`;
    return first === undefined ? [] : [{ path: `${path}.address`, message }];
  });
  errors.push(...delegationErrors(listed), ...lockErrors(listed));
  const limits = [...families].map(([chain, family]) => ({
    count: listed.filter(({ holding }) => holding.chain === chain).length,
    where: chain === NATIVE_CHAIN ? "this chain" : chain,
    most: familyOf(family).maxWallets,
  }));
  const all = { count: listed.length, where: "all chains", most: MAX_WALLETS };
  const [excess] = [...limits, all].filter(({ count, most }) => count > most);
  if (excess === undefined) return errors;
  const message = `${excess.count} wallets on ${excess.where}, with those of buckets; at most ${excess.most}`;
  return [...errors, { path: "wallets", message }];
}

/**
 * Finds chains that repeat a token, which would be counted twice, and escrows that cannot back a supply. An escrow that
 * is also a wallet would be subtracted although its tokens circulate.
 */
function chainErrors(draft: ScheduleDraft): ScheduleError[] {
  const { chains = [] } = draft;
  const places = new Map(listedIn(draft).map(({ holding, path }) => [addressKey(holding), path]));
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
    const circle = escrow.chain === id ? null : escrowCycle(id, chains);
    if (circle !== null)
      error(
        "escrow.chain",
        `nothing backs ${id}, because its escrows lead in a circle (${circle.join(" -> ")}): a chain of escrows ends on ${NATIVE_CHAIN} or another issued chain`,
      );
    const wallet = places.get(addressKey(escrow));
    if (wallet !== undefined)
      error(
        "escrow.address",
        `is also ${wallet}: what is locked there circulates on ${id}, so the escrow is no wallet; take that out`,
      );
    return errors;
  });
}

/**
 * Follows a chain's escrow to the next chain, and so on. Returns the path if it comes back to a chain; null if it ends
 * on an issued chain.
 */
function escrowCycle(id: string, chains: readonly TokenChain[]): readonly string[] | null {
  const path = [id];
  for (;;) {
    const last = path.at(-1);
    const next = chains.find((chain) => chain.id === last)?.escrow?.chain;
    if (next === undefined) return null;
    if (path.includes(next)) return [...path, next];
    path.push(next);
  }
}

/** Finds delegations to a pool that is listed too, because their stake would be subtracted twice. */
function delegationErrors(listed: readonly ListedHolding[]): ScheduleError[] {
  const pools = new Map(
    listed.flatMap(({ holding, path }) =>
      holding.holds === "stake_pool" ? [[addressKey(holding), path] as const] : [],
    ),
  );
  return listed.flatMap(({ holding, path }) => {
    if (holding.holds !== "delegation") return [];
    const whole = pools.get(addressKey({ ...holding, address: holding.pool }));
    const message = `${holding.pool} is the stake pool ${whole}, whose stake this delegation is a part of: list one of them`;
    return whole === undefined ? [] : [{ path: `${path}.pool`, message }];
  });
}

/** Finds locks whose tokens another listing of their address counts too: a lock is a part of the account's balance. */
function lockErrors(listed: readonly ListedHolding[]): ScheduleError[] {
  return listed.flatMap(({ holding, path }) => {
    if (holding.holds !== "lock") return [];
    const place = addressKey(holding);
    const other = listed.find((each) => each.path !== path && addressKey(each.holding) === place);
    // The same lock twice is an error of its own.
    if (other === undefined || holdingKey(other.holding) === holdingKey(holding)) return [];
    const message = `${holding.address} is also ${other.path}: a lock's tokens are a part of the balance; list the address once`;
    return [{ path: `${path}.address`, message }];
  });
}

function addressKey({ chain, address }: Pick<Holding, "chain" | "address">): string {
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
  // Steps continue to the last adjustment: a figure that will change is not the last one.
  const lastIndex = [...ends, ...placed.map(({ index }) => index)].reduce((last, index) => Math.max(last, index), 0);
  return { ...rest, plan, adjustments: placed, lastIndex };
}

const DAY_MS = 86_400_000;

/** Returns the first step at which a phase is complete; 0 for a phase that never unlocks. */
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

/**
 * Finds the first step at which adjustments make a bucket negative, or the supply exceed the maximum. Phases that count
 * days unlock until the next step, so the day before it is checked too.
 */
function boundErrors(schedule: UnlockSchedule): ScheduleError[] {
  const text = (amount: BaseUnits): string => tokenText(amount, schedule.token.decimals);
  const countsDays = hasDayPhases(schedule);
  for (const { effectiveFromMs, nextStepMs, circulating, buckets } of allSteps(schedule)) {
    const month = monthText(effectiveFromMs);
    if (circulating > schedule.maxSupply)
      return [{ path: "adjustments", message: `circulating is ${text(circulating)} in ${month}, over max_supply` }];
    const below = buckets.find((bucket) => bucket.circulating < 0n);
    if (below !== undefined)
      return [{ path: "adjustments", message: `${below.id} is ${text(below.circulating)} in ${month}, below 0` }];
    const lastDay = countsDays && nextStepMs !== null ? dayAt(schedule, nextStepMs - 1) : undefined;
    if (lastDay !== undefined && lastDay.circulating > schedule.maxSupply) {
      const when = dayText(lastDay.effectiveFromMs);
      return [
        { path: "adjustments", message: `circulating is ${text(lastDay.circulating)} on ${when}, over max_supply` },
      ];
    }
  }
  return [];
}
